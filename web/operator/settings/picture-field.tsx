import { useState } from 'react';
import { MAX_PICTURE_BYTES } from '#domain/operator/limits.ts';
import { DARK, LIGHT } from '#domain/theme.ts';
import { FileDrop } from '#web/ui/forms/file-drop.tsx';

/** The address of a stored picture, or of one that was chosen and is not saved: its content in base64. */
export function pictureAddress(value: string): string {
  if (/^[0-9a-f]{32}-\d+x\d+\.(?:svg|png)$/.test(value)) return `/brand/${value}`;
  // The first bytes of a PNG.
  return `data:${value.startsWith('iVBORw0KGgo') ? 'image/png' : 'image/svg+xml'};base64,${value}`;
}

type PictureFieldProps = {
  title: string;
  value: string;
  isDisabled: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
};

/** A logo or an icon on both grounds, and a file to take its place. */
export function PictureField({ title, value, isDisabled, error, onChange }: PictureFieldProps) {
  const [problem, setProblem] = useState<string>();
  async function take(file: File) {
    const isTooLarge = file.size > MAX_PICTURE_BYTES;
    setProblem(isTooLarge ? 'The file is too large. Choose one of up to 256 KB.' : undefined);
    if (!isTooLarge) onChange(await base64Of(file));
  }
  return (
    <div className="grid gap-3">
      {value !== '' && (
        <div className="grid grid-cols-2 gap-3">
          {([LIGHT, DARK] as const).map((palette) => (
            <div
              key={palette.canvas}
              className="grid min-h-20 place-items-center rounded-control border border-line p-4"
              style={{ backgroundColor: palette.canvas }}
            >
              <img
                src={pictureAddress(value)}
                alt={palette === LIGHT ? `${title} on light ground` : `${title} on dark ground`}
                className="max-h-12 max-w-full object-contain"
              />
            </div>
          ))}
        </div>
      )}
      {!isDisabled && (
        <FileDrop
          label={`Choose ${value === '' ? 'a file' : 'another file'} for the ${title.toLowerCase()}`}
          hint="SVG or PNG, up to 256 KB"
          accept=".svg,.png,image/svg+xml,image/png"
          error={problem ?? error}
          onFile={(file) => void take(file)}
        />
      )}
    </div>
  );
}

async function base64Of(file: File): Promise<string> {
  return await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file can’t be read')));
    reader.readAsDataURL(file);
  });
}
