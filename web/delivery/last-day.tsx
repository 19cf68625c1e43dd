import { Radio } from 'lucide-react';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import { formatAgo } from '#web/ui/format/ago.ts';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';

type Figure = readonly [name: string, value: number];

/** Counts of the last 24 hours. */
export function LastDay({ figures }: { figures: readonly Figure[] }) {
  return (
    <section aria-label="Last 24 hours" className="grid gap-2">
      <h3 className="text-sm font-medium">Last 24 hours</h3>
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
  /** For example 'Requests that weren’t counted'. */
  title: string;
  filtered: readonly { reason: Reason; n: number }[];
};

/** Lists the events that were not counted by reason; renders nothing if every event was counted. */
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

/** When the tag last requested an ad from one of the website's own pages; `at` is null if it never did. */
export function TagLastSeen({ at, checkedAt }: { at: string | null; checkedAt: string }) {
  return (
    <p className="flex items-center gap-2 text-sm text-ink-soft">
      <Radio aria-hidden="true" className={cn('size-4 shrink-0', at ? 'text-good' : 'text-ink-faint')} />
      {at
        ? `The website last requested an ad ${formatAgo(at, new Date(checkedAt))}.`
        : 'The website has never requested an ad for this zone.'}
    </p>
  );
}
