import type { Calendar } from '#domain/ads/booking-contract.ts';
import {
  type ClosedReason,
  type DayState,
  daysBetween,
  firstClosed,
  firstFree,
  MAX_DAYS_AHEAD,
} from '#domain/ads/booking.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { addDays } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { formatDay } from '#web/ui/format/format.ts';
import { useJoinWaitingList } from '../api.ts';

const CLOSED: Partial<Record<DayState, ClosedReason>> = {
  held: 'day_full',
  sold: 'day_full',
  blocked: 'day_blocked',
};

type VerdictProps = {
  zone: AdZone;
  product: Product;
  quantity: number;
  /** Null: as soon as the ad is paid for. */
  startDay: string | null;
  calendar: Calendar;
  today: string;
  onStart: (day: string) => void;
};

/** Whether the days of the ad are free. If they are not, names the next ones and offers the waiting list. */
export function Verdict({ zone, product, quantity, calendar, today, startDay, onStart }: VerdictProps) {
  const join = useJoinWaitingList(zone.publicId);
  const duration = (product.duration ?? 1) * quantity;
  const closed = new Map(
    calendar.days.flatMap(({ date, state }) => (CLOSED[state] ? [[date, CLOSED[state]] as const] : [])),
  );
  const last = addDays(today, MAX_DAYS_AHEAD);
  const from = startDay ?? today;
  const next = firstFree(closed, { from, last, duration });
  const refused = firstClosed(closed, from, duration);
  if (startDay === null && next !== null) {
    if (calendar.slots === null && refused === null) return null;
    return <p className="text-sm">The first free days are {rangeText(next, duration)}.</p>;
  }
  if (refused === null) {
    return (
      <p aria-live="polite" className="text-sm">
        {rangeText(from, duration)}
        {duration === 1 ? ' is free.' : ' are free.'}
      </p>
    );
  }
  const isBlocked = daysBetween(from, addDays(from, duration)).some(
    (day) => closed.get(day) === 'day_blocked',
  );
  return (
    <div aria-live="polite" className="grid gap-2 text-sm">
      <p>
        {startDay === null
          ? 'Not all of the next days are free.'
          : closed.get(refused) === 'day_blocked'
            ? `The publisher sells no ads by the day on ${formatDay(refused)}.`
            : `${formatDay(refused)} is fully booked.`}{' '}
        {next === null
          ? `No start is free in the next ${MAX_DAYS_AHEAD} days.`
          : `The next free days are ${rangeText(next, duration)}.`}
      </p>
      <span className="flex flex-wrap gap-2">
        {next !== null && (
          <Button variant="secondary" size="sm" onClick={() => onStart(next)}>
            Start on {formatDay(next)}
          </Button>
        )}
        {calendar.slots !== null && !isBlocked && (
          <Button
            variant="secondary"
            size="sm"
            busy={join.isPending}
            onClick={() => join.mutate({ productId: product.id, quantity, startDate: from })}
          >
            Join the waiting list
          </Button>
        )}
      </span>
    </div>
  );
}

/** 'Dec 3, 2026', or 'Dec 3, 2026 to Dec 9, 2026'. */
function rangeText(first: string, duration: number): string {
  return duration === 1
    ? formatDay(first)
    : `${formatDay(first)} to ${formatDay(addDays(first, duration - 1))}`;
}
