import { cn } from './cn.ts';
import { CopyButton } from './copy-button.tsx';

type CodeBlockProps = {
  code: string;
  /** The accessible name, for users who don't see the surrounding page. */
  label: string;
  copyLabel: string;
  className?: string;
};

/** Shows code to paste elsewhere, with a button that copies it. On a phone the button is below the code. */
export function CodeBlock({ code, label, copyLabel, className }: CodeBlockProps) {
  return (
    <div
      className={cn(
        'flex min-w-0 flex-wrap items-start justify-end gap-2 rounded-control bg-sunken p-1.5 sm:flex-nowrap',
        className,
      )}
    >
      <div
        role="group"
        aria-label={label}
        className="min-w-0 flex-1 px-2 py-1.5 font-mono text-xs text-ink max-sm:basis-full"
      >
        <code dir="ltr" translate="no" className="block wrap-anywhere whitespace-pre-wrap">
          {code}
        </code>
      </div>
      <CopyButton text={code} label="Copy" aria-label={copyLabel} />
    </div>
  );
}
