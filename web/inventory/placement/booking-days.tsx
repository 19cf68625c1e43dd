import { useState } from 'react';
import { MAX_DAYS_AHEAD, startOfDay } from '#domain/ads/booking.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { hasChoice, largestQuantity, quantityFrom } from '#domain/inventory/quantity.ts';
import { addDays, DAY_MS, utcDay } from '#domain/time.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useMedia } from '#web/ui/use-media.ts';
import { useNow } from '#web/ui/use-now.ts';
import { useCalendar } from '../api.ts';
import { DayCalendar } from '../day-calendar.tsx';

/** The days on which an ad by the day can start, and the calendar as far as the longest one reaches. */
export function useDays(zone: AdZone, product: Product, enabled = true) {
  const today = utcDay(useNow());
  const last = addDays(today, MAX_DAYS_AHEAD);
  const longest = (product.duration ?? 0) * largestQuantity(product);
  // At most the days that one call gives.
  const range = { from: today, to: addDays(today, Math.min(399, MAX_DAYS_AHEAD + longest)) };
  const { data: calendar, isError, refetch } = useCalendar(zone.publicId, range, enabled);
  return { today, last, calendar, isError, retry: () => void refetch() };
}

type BookingDaysProps = {
  zone: AdZone;
  /** An option by the day. */
  product: Product;
  quantity: number;
  startDay: string | null;
  onChoose: (choices: { start?: string; quantity?: string }) => void;
};

/** The calendar of an ad by the day: the first day that is pressed is its start, and the next one its end. */
export function BookingDays({ zone, product, quantity, startDay, onChoose }: BookingDaysProps) {
  const { last, calendar, isError, retry } = useDays(zone, product);
  const [isEndNext, setEndNext] = useState(false);
  // As in the classes of the calendar's frame.
  const isWide = useMedia('(width >= 48rem)');
  const unit = product.duration ?? 1;
  const duration = unit * quantity;

  if (isError) return <LoadError what="the calendar" onRetry={retry} />;
  if (!calendar) return <Skeleton className="h-90" />;

  /** How many units reach from the start to this day; null if the day is no end. */
  function unitsUntil(day: string): number | null {
    if (!isEndNext || startDay === null || day < startDay) return null;
    const days = (startOfDay(day).getTime() - startOfDay(startDay).getTime()) / DAY_MS + 1;
    const units = quantityFrom(product, days / unit);
    return units * unit >= days ? units : null;
  }

  function choose(day: string) {
    const units = unitsUntil(day);
    if (units === null) onChoose({ start: day });
    else onChoose({ quantity: String(units) });
    setEndNext(units === null && hasChoice(product));
  }

  return (
    <DayCalendar
      label={`Days of ${zone.name}`}
      months={isWide ? 2 : 1}
      slots={calendar.slots}
      days={calendar.days}
      chosen={(day) => startDay !== null && day >= startDay && day < addDays(startDay, duration)}
      action={(day) => (unitsUntil(day) === null ? 'Start on this day' : 'End on this day')}
      canChoose={({ date, state }) => state === 'free' && (date <= last || unitsUntil(date) !== null)}
      onChoose={choose}
    />
  );
}
