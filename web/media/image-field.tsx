import { useState, type RefCallback } from 'react';
import { Images, Trash2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { AD_IMAGE } from './accepted.ts';
import { MediaLibraryDialog } from './media-library-dialog.tsx';
import { UploadDrop } from './upload-drop.tsx';

type ImageFieldProps = {
  label: string;
  /** Path of the image; '' for none. */
  value: string;
  onChange: (path: string) => void;
  error?: string;
  /** The size and shape of the image that is needed. */
  hint?: string;
  /** Lets the form focus this field when it is invalid. */
  inputRef?: RefCallback<HTMLInputElement>;
};

/** The image of an ad: a new upload, or one from the media library. */
export function ImageField({ label, value, onChange, error, hint, inputRef }: ImageFieldProps) {
  const [browsing, setBrowsing] = useState(false);
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint && <p className="-mt-1.5 text-xs text-ink-soft">{hint}</p>}
      {value && (
        <div className="flex flex-wrap items-center gap-4 rounded-control border border-line p-3">
          <Picture src={value} alt="Chosen image" className="h-20 w-28 shrink-0 rounded-tight" />
          <Button variant="quiet" size="sm" onClick={() => onChange('')}>
            <Trash2 aria-hidden="true" />
            Remove image
          </Button>
        </div>
      )}
      <UploadDrop
        label={value ? 'Upload another image' : 'Upload an image'}
        accepted={AD_IMAGE}
        saveToLibrary
        onUploaded={onChange}
        error={error}
        inputRef={inputRef}
      />
      <Button variant="secondary" className="justify-self-start" onClick={() => setBrowsing(true)}>
        <Images aria-hidden="true" />
        Choose from Media Library
      </Button>
      <MediaLibraryDialog open={browsing} onClose={() => setBrowsing(false)} onUse={onChange} />
    </fieldset>
  );
}
