import { useId, type ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';

/** Loaded on demand, because most publishers only copy the one line. */
const EmbedVariants = onDemand(
  'the embed codes',
  'h-52',
  async () => (await import('./embed-variants.tsx')).EmbedVariants,
);

type EmbedCodeProps = {
  zone: AdZone;
  websitePublicId: string;
  unfolded: boolean;
  onUnfold: (unfolded: boolean) => void;
  /** Shown below the code: when the tag was last seen. */
  children: ReactNode;
};

/** The embed code as one line to copy; 'Get code' unfolds all variants. [DEL-32] */
export function EmbedCode({ zone, websitePublicId, unfolded, onUnfold, children }: EmbedCodeProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-wrap items-end gap-x-4 gap-y-1.5">
      {unfolded ? (
        <h4 className="min-w-0 flex-1 font-medium text-ink">Choose how to embed this ad zone</h4>
      ) : (
        <div className="flex min-w-0 basis-full items-start gap-2">
          <div
            role="group"
            aria-label={`Embed code for ${zone.name}`}
            className="min-w-0 flex-1 rounded-control bg-sunken px-3 py-2.25 font-mono text-xs text-ink-soft"
          >
            <code className="block truncate">{zone.embedCode}</code>
          </div>
          <CopyButton text={zone.embedCode} label="Copy" aria-label={`Copy code for ${zone.name}`} />
        </div>
      )}
      {/* The same button serves both states, so that it keeps the focus. */}
      <Button
        variant="link"
        className={cn(!unfolded && 'order-1')}
        aria-expanded={unfolded}
        aria-controls={unfolded ? id : undefined}
        aria-label={`Get code for ${zone.name}`}
        onClick={() => onUnfold(!unfolded)}
      >
        Get code
        <ChevronDown
          aria-hidden="true"
          className={cn('transition-transform duration-150', unfolded && 'rotate-180')}
        />
      </Button>
      {unfolded && (
        <div id={id} className="my-1.5 min-w-0 basis-full">
          <EmbedVariants zone={zone} websitePublicId={websitePublicId} />
        </div>
      )}
      <div className={cn('min-w-0', unfolded ? 'basis-full' : 'flex-1')}>{children}</div>
    </div>
  );
}
