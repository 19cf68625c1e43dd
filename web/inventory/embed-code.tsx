import { ChevronDown } from 'lucide-react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';

type EmbedCodeProps = { zone: AdZone; unfolded: boolean; onUnfold: (unfolded: boolean) => void };

/** What the publisher pastes: one line to copy, which unfolds to the whole with what to do with it. */
export function EmbedCode({ zone, unfolded, onUnfold }: EmbedCodeProps) {
  return (
    <div className={cn('flex min-w-0 flex-wrap items-start gap-x-2 gap-y-3', unfolded && 'w-full')}>
      <div
        role="group"
        aria-label={`Embed code of ${zone.name}`}
        className={cn(
          'min-w-0 flex-1 rounded-control bg-sunken px-3 py-2.25 font-mono text-xs text-ink-soft',
          unfolded && 'max-sm:basis-full',
        )}
      >
        <code className={unfolded ? 'block break-all whitespace-pre-wrap' : 'block truncate'}>
          {zone.embedCode}
        </code>
      </div>
      <div className="flex gap-1">
        <CopyButton text={zone.embedCode} label="Copy" aria-label={`Copy code of ${zone.name}`} />
        <Button
          variant="quiet"
          size="sm"
          className="px-2"
          aria-expanded={unfolded}
          aria-label={`Whole code of ${zone.name}`}
          onClick={() => onUnfold(!unfolded)}
        >
          <ChevronDown
            aria-hidden="true"
            className={cn('transition-transform duration-150', unfolded && 'rotate-180')}
          />
        </Button>
      </div>
      {unfolded && (
        <p className="w-full text-ink-soft">
          Tip: paste it where the ad should stand. The place keeps its size from the start, so your page does
          not jump, and while nothing is booked it advertises itself.
        </p>
      )}
    </div>
  );
}
