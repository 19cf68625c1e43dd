import type { User } from '#domain/accounts/contract.ts';
import { PICTURE_TYPES, pictureRefusal } from '#domain/media/picture.ts';
import { messageOf } from '#web/http/request-error.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { PictureChooser } from '#web/ui/forms/picture-chooser.tsx';
import { useRemovePicture, useSetPicture } from '../api.ts';
import { initials } from '../names.ts';

export function PictureSettings({ user }: { user: User }) {
  return (
    <PictureChooser
      label="Profile picture"
      picture={<Avatar initials={initials(user)} src={user.profileImageUrl} className="size-20 text-2xl" />}
      hasPicture={user.profileImageUrl !== null}
      types={PICTURE_TYPES}
      refusalOf={pictureRefusal}
      upload={useSetPicture()}
      remove={useRemovePicture()}
      messageOf={(error) => messageOf(error, "Your picture wasn't saved. Please try again.")}
    />
  );
}
