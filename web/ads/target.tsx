import { ExternalLink } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import { formatDateTime } from '#web/ui/format/format.ts';

/** Where an ad leads, with what our last look at it found. [DEST-05] */
export function Target({ ad, side }: { ad: Ad; side: 'publisher' | 'advertiser' }) {
  return (
    <span className="grid gap-1">
      <a
        href={ad.targetUrl}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="inline-flex items-start gap-1.5 justify-self-start rounded-tight break-all text-accent underline underline-offset-4"
      >
        {ad.displayTarget}
        <ExternalLink aria-hidden="true" className="mt-1 size-3.5 shrink-0" />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
      <TargetState ad={ad} side={side} />
    </span>
  );
}

function TargetState({ ad, side }: { ad: Ad; side: 'publisher' | 'advertiser' }) {
  const check = ad.targetCheck;
  if (!check) return null;
  const tried = check.checkedAt === null ? '' : ` on ${formatDateTime(check.checkedAt)}`;
  switch (check.state) {
    case 'waiting':
      return <span className="text-ink-soft">We haven’t tried to open it yet.</span>;
    case 'reached':
      return (
        <span className="text-ink-soft">
          We opened it{tried}. It leads to <bdi>{check.finalHost}</bdi>.
          {check.isContentChanged && ' Its content has changed since approval, as many pages do.'}
        </span>
      );
    case 'listed':
      return (
        <span className="text-bad">
          This address leads to a website that is listed for phishing. Don’t enter anything there.
        </span>
      );
    case 'not_reached':
      return (
        <span className="text-warn">
          Not reached: we couldn’t open this address{tried}, so we don’t know where it leads.{' '}
          {side === 'publisher'
            ? 'Open it yourself before you decide.'
            : `${check.problem} We try again within six hours.`}
        </span>
      );
  }
}
