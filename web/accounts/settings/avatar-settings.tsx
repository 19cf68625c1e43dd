import { useRef, useState } from 'react';
import { Trash2, Upload } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import { MAX_PICTURE_BYTES, PICTURE_TYPES } from '#domain/accounts/picture.ts';
import { messageOf } from '#web/http/request-error.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { useRemovePicture, useSetPicture } from '../api.ts';
import { initials } from '../names.ts';

/** Why a file is not even sent; the server looks at the content itself. */
function refusal(file: File): string | null {
  if (!(PICTURE_TYPES as readonly string[]).includes(file.type)) {
    return `"${file.name}" is no picture that can be used. Please choose a JPG, PNG or GIF.`;
  }
  if (file.size > MAX_PICTURE_BYTES) return `"${file.name}" is too large. At most 5 MB are allowed.`;
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
    // The same file may be chosen again after an error.
    if (input.current) input.current.value = '';
    if (!file) return;
    const refused = refusal(file);
    setProblem(refused);
    if (refused) return;
    upload.mutate(file, {
      onError: (error) => setProblem(messageOf(error, 'The picture was not saved. Please try again.')),
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
                // Its own button goes with the picture.
                remove.mutate(undefined, { onSuccess: () => chooser.current?.focus() });
              }}
            >
              <Trash2 aria-hidden="true" />
              Remove
            </Button>
          )}
        </div>
        <p className="text-sm text-ink-faint">
          JPG, PNG or GIF, up to 5 MB. A square of its middle is shown.
        </p>
        {problem && (
          <p role="alert" className="text-sm wrap-anywhere text-bad">
            {problem}
          </p>
        )}
      </div>
      {/* The button above opens it; of its own it is no stop of the keyboard. */}
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
