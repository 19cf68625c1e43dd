import { useRef, useState, type ReactNode } from 'react';
import { Trash2, Upload } from 'lucide-react';
import { Button } from '../button.tsx';

type PictureChooserProps = {
  label: string;
  /** The picture as it is now, or what is shown without one. */
  picture: ReactNode;
  hasPicture: boolean;
  /** The content types of the files to choose from. */
  types: readonly string[];
  /** Why a file is refused before it is sent, or null. */
  refusalOf: (file: File) => string | null;
  upload: { isPending: boolean; mutate: (file: File, then: { onError: (error: unknown) => void }) => void };
  remove: { isPending: boolean; mutate: (nothing: undefined, then: { onSuccess: () => void }) => void };
  /** The message for an upload that failed. */
  messageOf: (error: unknown) => string;
};

/** Uploads, changes and removes a small square picture. */
export function PictureChooser({
  label,
  picture,
  hasPicture,
  types,
  refusalOf,
  upload,
  remove,
  messageOf,
}: PictureChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);

  function take(file: File | undefined) {
    // Without this, choosing the same file again after an error would fire no change event.
    if (input.current) input.current.value = '';
    if (!file) return;
    const refused = refusalOf(file);
    setProblem(refused);
    if (refused) return;
    upload.mutate(file, { onError: (error) => setProblem(messageOf(error)) });
  }

  return (
    <div role="group" aria-label={label} className="flex flex-wrap items-center gap-x-5 gap-y-3">
      {picture}
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
        <p className="text-sm text-ink-faint">JPG, PNG or GIF, up to 5 MB. It is cropped to a square.</p>
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
        accept={types.join(',')}
        onChange={(event) => take(event.target.files?.[0])}
      />
    </div>
  );
}
