import { Trash2 } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { AD_VIDEO } from './accepted.ts';
import { UploadDrop } from './upload-drop.tsx';

type VideoFieldProps = {
  /** The path of the uploaded video; '' for none. */
  value: string;
  onChange: (address: string) => void;
  error?: string;
};

/** The video of an ad, which is uploaded. [GEN-16, OP-055] */
export function VideoField({ value, onChange, error }: VideoFieldProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="mb-1.5 text-sm font-medium">Video</legend>
      {value && (
        <div className="flex flex-wrap items-center gap-4 rounded-control border border-line p-3">
          <span className="text-sm">Your video is uploaded.</span>
          <Button variant="quiet" size="sm" onClick={() => onChange('')}>
            <Trash2 aria-hidden="true" />
            Remove video
          </Button>
        </div>
      )}
      <UploadDrop
        label={value ? 'Upload another video' : 'Upload a video'}
        accepted={AD_VIDEO}
        saveToLibrary={false}
        onUploaded={onChange}
        error={error}
      />
    </fieldset>
  );
}
