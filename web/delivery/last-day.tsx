import { Radio } from 'lucide-react';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import { formatAgo } from '#web/ui/format/ago.ts';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';

type Figure = readonly [name: string, value: number];

/** What the last 24 hours brought. */
export function LastDay({ figures }: { figures: readonly Figure[] }) {
  return (
    <section aria-label="The last 24 hours" className="grid gap-2">
      <h3 className="text-sm font-medium">The last 24 hours</h3>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-control border border-line bg-line sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name} className="flex flex-col-reverse justify-end bg-surface px-3 py-2.5">
            <dt className="text-xs text-ink-faint">{name}</dt>
            <dd className="figures font-display text-xl font-semibold">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

type NotCountedProps = {
  /** 'Views and clicks that did not count' */
  title: string;
  filtered: readonly { reason: Reason; n: number }[];
};

/** What does not count, each with its reason; nothing where all did. */
export function NotCounted({ title, filtered }: NotCountedProps) {
  if (filtered.length === 0) return null;
  return (
    <section aria-label={title} className="grid gap-1 text-sm">
      <h3 className="font-medium">{title}</h3>
      <ul className="list-disc space-y-0.5 pl-5 text-ink-soft">
        {filtered.map(({ reason, n }) => (
          <li key={reason}>
            <span className="figures">{formatCount(n)}</span>{' '}
            <span className="font-medium text-ink">{REASON_TEXTS[reason].name}.</span>{' '}
            {REASON_TEXTS[reason].meaning}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** When the zone's code last asked for an ad from the website's own pages. */
export function TagLastSeen({ at, checkedAt }: { at: string | null; checkedAt: string }) {
  return (
    <p className="flex items-center gap-2 text-sm text-ink-soft">
      <Radio aria-hidden="true" className={cn('size-4 shrink-0', at ? 'text-good' : 'text-ink-faint')} />
      {at
        ? `The website last asked for an ad ${formatAgo(at, new Date(checkedAt))}.`
        : 'The website has never asked for an ad of this zone.'}
    </p>
  );
}
