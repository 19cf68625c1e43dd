import { Trash2 } from 'lucide-react';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { AD_VIDEO } from './accepted.ts';
import { UploadDrop } from './upload-drop.tsx';

type VideoFieldProps = {
  /** The path of an uploaded video, or the https address of one that is hosted elsewhere; '' for none. */
  value: string;
  onChange: (address: string) => void;
  error?: string;
};

/** The video of an ad: an upload, or the address of a video that is hosted elsewhere. [GEN-16, OP-055] */
export function VideoField({ value, onChange, error }: VideoFieldProps) {
  const isUpload = IMAGE_PATH.test(value);
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="mb-1.5 text-sm font-medium">Video</legend>
      {isUpload && (
        <div className="flex flex-wrap items-center gap-4 rounded-control border border-line p-3">
          <span className="text-sm">Your video is uploaded.</span>
          <Button variant="quiet" size="sm" onClick={() => onChange('')}>
            <Trash2 aria-hidden="true" />
            Remove video
          </Button>
        </div>
      )}
      <UploadDrop
        label={isUpload ? 'Upload another video' : 'Upload a video'}
        accepted={AD_VIDEO}
        saveToLibrary={false}
        onUploaded={onChange}
      />
      {!isUpload && (
        <Field
          label="Or paste a video URL"
          optional
          hint="An https address ending in .mp4. The publisher sees that the video is hosted elsewhere."
          error={error}
        >
          <Input
            type="url"
            placeholder="https://"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </Field>
      )}
    </fieldset>
  );
}
