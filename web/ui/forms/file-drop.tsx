import { useId, useRef, useState, type RefCallback } from 'react';
import { Upload } from 'lucide-react';
import { cn } from '../cn.ts';
import { Spinner } from '../spinner.tsx';

type FileDropProps = {
  label: string;
  /** The accepted files in words, such as 'JPG, PNG or GIF, up to 5 MB'. */
  hint: string;
  /** The `accept` attribute. The caller must check the file again, because `accept` doesn't apply to dropped files. */
  accept: string;
  onFile: (file: File) => void;
  busy?: boolean;
  error?: string | undefined;
  /** Lets the form focus this field when it is invalid. */
  inputRef?: RefCallback<HTMLInputElement>;
};

/** Takes one file by click, keyboard or drop. It takes the first of several dropped files. [MED-08] */
export function FileDrop({ label, hint, accept, onFile, busy, error, inputRef }: FileDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  function take(files: FileList | null) {
    const file = files?.[0];
    if (file && !busy) onFile(file);
    // Without this, choosing the same file again after an error would fire no change event.
    if (input.current) input.current.value = '';
  }

  return (
    <div className="grid gap-1.5">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is one more way; the input inside takes clicks and keys */}
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files);
        }}
        className={cn(
          'slot-frame grid justify-items-center gap-1.5 rounded-tight px-6 py-8 text-center text-sm transition-colors duration-150 hover:bg-sunken',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          over && 'bg-accent-soft [--pen:var(--color-accent)]',
        )}
      >
        {busy ? (
          <Spinner label="Uploading" />
        ) : (
          <Upload aria-hidden="true" className="size-5 text-ink-faint" />
        )}
        <span className="font-medium text-accent">{label}</span>
        <span id={`${id}-hint`} className="text-ink-faint">
          {hint}
        </span>
        <input
          ref={(element) => {
            input.current = element;
            inputRef?.(element);
          }}
          id={id}
          type="file"
          accept={accept}
          disabled={busy}
          aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={(event) => take(event.target.files)}
          className="sr-only"
        />
      </label>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
