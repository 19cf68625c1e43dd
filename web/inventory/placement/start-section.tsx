import { useState } from 'react';
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
import { addDays, utcDay } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { formatDay } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useCalendar, useJoinWaitingList } from '../api.ts';

const DayCalendar = onDemand(
  'the calendar',
  'h-72',
  async () => (await import('../day-calendar.tsx')).DayCalendar,
);

type StartSectionProps = {
  zone: AdZone;
  product: Product;
  quantity: number;
  /** Null: as soon as the ad is paid for. */
  startDay: string | null;
  onStart: (day: string | null) => void;
};

/** Lets the advertiser choose the day on which the ad starts, and wait for days that are not free. */
export function StartSection({ zone, product, quantity, startDay, onStart }: StartSectionProps) {
  const today = utcDay(useNow());
  const last = addDays(today, MAX_DAYS_AHEAD);
  const [isOpen, setIsOpen] = useState(false);
  const [isChoosing, setIsChoosing] = useState(startDay !== null);
  const isInRange = startDay === null || (startDay >= today && startDay <= last);
  const duration = (product.duration ?? 0) * quantity;
  const hasDays = product.duration !== null;
  const hasSlots = hasDays && zone.slots !== null;
  const showsDays = hasDays && (isChoosing || hasSlots);
  // The calendar reaches as far as an ad that starts on the last day, within the days that one call gives.
  const range = { from: today, to: addDays(today, Math.min(399, MAX_DAYS_AHEAD + duration)) };
  const { data: calendar, isError, refetch } = useCalendar(zone.publicId, range);

  function choose(day: string | null) {
    setIsChoosing(true);
    onStart(day);
  }

  return (
    <section aria-label="When it runs" className="grid gap-3 sm:max-w-md">
      {isChoosing ? (
        <Field
          label="Start"
          optional
          hint={`Without a day, ${hasSlots ? 'your ad takes the first free days' : 'your ad starts as soon as it is paid for'}. Days begin at 00:00 UTC.`}
          error={isInRange ? undefined : `Choose a day from ${formatDay(today)} to ${formatDay(last)}.`}
        >
          <Input
            type="date"
            min={today}
            max={last}
            value={startDay ?? ''}
            onChange={({ target }) => onStart(target.value === '' ? null : target.value)}
          />
        </Field>
      ) : (
        <NoStart hasSlots={hasSlots} onChoose={() => setIsChoosing(true)} />
      )}
      {showsDays && isError && <LoadError what="the calendar" onRetry={() => void refetch()} />}
      {hasSlots && !calendar && !isError && <Skeleton className="h-10" />}
      {showsDays && calendar && isInRange && (
        <>
          <Verdict {...{ zone, product, quantity, calendar, today, startDay }} onStart={choose} />
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-start"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Hide calendar' : 'Show calendar'}
          </Button>
          {isOpen && (
            <DayCalendar
              label={`Days of ${zone.name}`}
              slots={calendar.slots}
              days={calendar.days}
              chosen={(day) => startDay !== null && day >= startDay && day < addDays(startDay, duration)}
              action="Start on this day"
              canChoose={({ date, state }) => state === 'free' && date <= last}
              onChoose={choose}
            />
          )}
        </>
      )}
    </section>
  );
}

/** When the ad starts without a day, and the button that lets the advertiser choose one. */
function NoStart({ hasSlots, onChoose }: { hasSlots: boolean; onChoose: () => void }) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
      {hasSlots ? 'Your ad takes the first free days.' : 'Your ad starts as soon as it is paid for.'}
      <Button variant="secondary" size="sm" onClick={onChoose}>
        Choose a start
      </Button>
    </p>
  );
}

const CLOSED: Partial<Record<DayState, ClosedReason>> = {
  held: 'day_full',
  sold: 'day_full',
  blocked: 'day_blocked',
};

type VerdictProps = StartSectionProps & { calendar: Calendar; today: string };

/** Whether the days of the ad are free. If they are not, names the next ones and offers the waiting list. */
function Verdict({ zone, product, quantity, calendar, today, startDay, onStart }: VerdictProps) {
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
