import { useState } from 'react';
import { Banknote, Flag, Gavel, MessageSquare, Sparkles, Undo2 } from 'lucide-react';
import { Link } from 'wouter';
import type { CaseEvent } from '#domain/operator/console/cases-contract.ts';
import { moneyText } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';

const ICONS: Record<CaseEvent['kind'], typeof Gavel> = {
  begin: Sparkles,
  act: Gavel,
  payment: Banknote,
  refund: Undo2,
  report: Flag,
  answer: MessageSquare,
};

/** As many as fit a screen. The rest opens on demand. */
const FIRST = 12;

/** What happened, the newest first. */
export function Timeline({ events }: { events: readonly CaseEvent[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? events : events.slice(0, FIRST);
  return (
    <Card aria-labelledby="timeline" className="grid min-w-0 gap-4">
      <h2 id="timeline" className="text-base font-semibold">
        Timeline
      </h2>
      <ol className="grid gap-4">
        {shown.map((event) => (
          <Event key={event.key} event={event} />
        ))}
      </ol>
      {events.length > shown.length && (
        <Button variant="secondary" size="sm" className="justify-self-start" onClick={() => setWhole(true)}>
          {`Show ${events.length - shown.length} more`}
        </Button>
      )}
    </Card>
  );
}

function Event({ event: { at, kind, text, by, detail, sum, link } }: { event: CaseEvent }) {
  const Icon = ICONS[kind];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-3">
      <span className="grid size-7 place-items-center rounded-full bg-sunken text-ink-soft [&_svg]:size-3.5">
        <Icon aria-hidden="true" />
      </span>
      <div className="grid gap-0.5 text-sm">
        <p className="flex justify-between gap-x-3 font-medium">
          <bdi className="min-w-0 wrap-anywhere">{text}</bdi>
          {sum && (
            <span className="figures whitespace-nowrap">
              {`${kind === 'refund' ? '−' : ''}${moneyText(sum.amount, sum.currency)}`}
            </span>
          )}
        </p>
        {detail !== null && (
          <p className="wrap-anywhere whitespace-pre-line text-ink-soft">
            <bdi>{detail}</bdi>
          </p>
        )}
        {link && (
          <Link href={link.path} className="justify-self-start wrap-anywhere text-accent hover:underline">
            <bdi>{link.label}</bdi>
          </Link>
        )}
        <p className="text-xs wrap-anywhere text-ink-faint">
          <time dateTime={at}>{formatDateTime(at)}</time>
          {by !== null && <bdi>{`, ${by}`}</bdi>}
        </p>
      </div>
    </li>
  );
}
