import type { RefCallback } from 'react';
import { CircleCheck, Clock } from 'lucide-react';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import type { Accepted } from './accepted.ts';
import { useUpload, type UploadState } from './use-upload.ts';

type UploadDropProps = {
  label: string;
  accepted: Accepted;
  saveToLibrary: boolean;
  onUploaded: (path: string) => void;
  /** The form's error. An error of the upload itself takes precedence. */
  error?: string;
  inputRef?: RefCallback<HTMLInputElement>;
};

/** A field for one file, which is uploaded as soon as the user chooses it. */
export function UploadDrop({ label, error, inputRef, ...options }: UploadDropProps) {
  const { state, upload } = useUpload(options);
  const busy = state.phase === 'pending' || state.phase === 'uploading';
  return (
    <div className="grid gap-2">
      <FileDrop
        label={label}
        hint={options.accepted.words}
        accept={options.accepted.types.join(',')}
        onFile={(file) => void upload(file)}
        busy={busy}
        inputRef={inputRef}
        error={state.phase === 'error' ? state.message : error}
      />
      <UploadProgress state={state} />
    </div>
  );
}

function UploadProgress({ state }: { state: UploadState }) {
  switch (state.phase) {
    case 'idle':
    case 'error':
      return null;
    case 'pending':
      return (
        <p role="status" data-upload="pending" className="flex items-center gap-2 text-sm text-ink-soft">
          <Clock aria-hidden="true" className="size-4" />
          Pending: {state.filename}
        </p>
      );
    case 'uploading':
      return (
        <div role="status" data-upload="uploading" className="grid gap-1 text-sm text-ink-soft">
          <p className="flex justify-between gap-4">
            <span className="min-w-0 truncate">Uploading {state.filename}</span>
            <span className="figures">{Math.round(state.share * 100)}%</span>
          </p>
          <ProgressBar value={state.share} max={1} label="Upload" />
        </div>
      );
    case 'success':
      return (
        <p role="status" data-upload="success" className="flex items-center gap-2 text-sm text-good">
          <CircleCheck aria-hidden="true" className="size-4" />
          Uploaded: {state.filename}
        </p>
      );
  }
}
