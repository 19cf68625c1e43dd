import type { AdZone } from '#domain/inventory/contract.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** What the publisher pastes. */
export function EmbedCode({ zone }: { zone: AdZone }) {
  return (
    <div className="grid min-w-0 gap-2">
      <div className="flex items-center justify-between gap-3">
        <h4 className="text-sm font-medium">Embed code</h4>
        <CopyButton text={zone.embedCode} label="Copy code" aria-label={`Copy code of ${zone.name}`} />
      </div>
      <pre
        // It scrolls, so the keyboard must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region
        tabIndex={0}
        aria-label={`Embed code of ${zone.name}`}
        className="max-h-40 overflow-auto rounded-control bg-sunken p-3 font-mono text-xs whitespace-pre-wrap break-all"
      >
        {zone.embedCode}
      </pre>
      <p className="text-sm text-ink-faint">
        Tip: paste it where the ad should stand. The place keeps its size from the start, so your page does
        not jump, and while nothing is booked it advertises itself.
      </p>
    </div>
  );
}
