import { useRef, useState } from 'react';
import { Trash2, Upload } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import { MAX_PICTURE_BYTES, PICTURE_TYPES } from '#domain/media/picture.ts';
import { messageOf } from '#web/http/request-error.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { useRemovePicture, useSetPicture } from '../api.ts';
import { initials } from '../names.ts';

/** Why a file is refused before it is sent, or null. The server checks the content itself. */
function refusal(file: File): string | null {
  if (!(PICTURE_TYPES as readonly string[]).includes(file.type)) {
    return `"${file.name}" can't be used as a picture. Choose a JPG, PNG or GIF.`;
  }
  if (file.size > MAX_PICTURE_BYTES) return `"${file.name}" is too large. Choose a file of 5 MB or less.`;
  return null;
}

export function PictureSettings({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = useSetPicture();
  const remove = useRemovePicture();
  const hasPicture = user.profileImageUrl !== null;

  function take(file: File | undefined) {
    // Without this, choosing the same file again after an error would fire no change event.
    if (input.current) input.current.value = '';
    if (!file) return;
    const refused = refusal(file);
    setProblem(refused);
    if (refused) return;
    upload.mutate(file, {
      onError: (error) => setProblem(messageOf(error, "Your picture wasn't saved. Please try again.")),
    });
  }

  return (
    <div role="group" aria-label="Profile picture" className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <Avatar initials={initials(user)} src={user.profileImageUrl} className="size-20 text-2xl" />
      <div className="grid gap-2">
        <div className="flex flex-wrap gap-2">
          <Button
            ref={chooser}
            variant="secondary"
            size="sm"
            busy={upload.isPending}
            onClick={() => input.current?.click()}
          >
            <Upload aria-hidden="true" />
            {hasPicture ? 'Change picture' : 'Upload picture'}
          </Button>
          {hasPicture && (
            <Button
              variant="quiet"
              size="sm"
              busy={remove.isPending}
              onClick={() => {
                setProblem(null);
                // The remove button disappears with the picture, so the focus has to move.
                remove.mutate(undefined, { onSuccess: () => chooser.current?.focus() });
              }}
            >
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
        <p className="text-xs text-ink-faint">JPG, PNG or GIF, up to 5 MB. It is cropped to a square.</p>
        {problem && (
          <p role="alert" className="text-sm wrap-anywhere text-bad">
            {problem}
          </p>
        )}
      </div>
      {/* Hidden, so that it is no second tab stop: the button above opens it. */}
      <input
        ref={input}
        type="file"
        hidden
        accept={PICTURE_TYPES.join(',')}
        onChange={(event) => take(event.target.files?.[0])}
      />
    </div>
  );
}
