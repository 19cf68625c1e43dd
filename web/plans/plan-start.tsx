import { isStartDay, MAX_DAYS_AHEAD } from '#domain/ads/booking.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { formatDay } from '#web/ui/format/format.ts';
import { useNow } from '#web/ui/use-now.ts';
import type { Row } from './rows.ts';

type PlanStartProps = {
  rows: readonly Row[];
  startDate: string | null;
  onChange: (startDate: string | null) => void;
};

/** The start of the whole plan, and which of its ads can't start then. */
export function PlanStart({ rows, startDate, onChange }: PlanStartProps) {
  const today = utcDay(useNow());
  const last = addDays(today, MAX_DAYS_AHEAD);
  const isPossible = startDate === null || isStartDay(startDate, today);
  return (
    <Card aria-label="Start" className="grid gap-4">
      <CardHeader title="Start" description="For all ads of the plan. Days begin at 00:00 UTC." />
      <Field
        label="First day"
        optional
        hint="Without a day, each ad starts as soon as it’s paid and free."
        error={isPossible ? undefined : `Choose a day from ${formatDay(today)} to ${formatDay(last)}.`}
      >
        <Input
          type="date"
          className="sm:max-w-56"
          min={today}
          max={last}
          value={startDate ?? ''}
          onChange={({ target }) => onChange(target.value || null)}
        />
      </Field>
      <p role="status" className="text-sm text-ink-soft">
        {isPossible && startsText(rows, startDate)}
      </p>
    </Card>
  );
}

/** Such as '2 of 3 ad zones are free then. Pedal & Path starts on Dec 9, 2026.' */
function startsText(rows: readonly Row[], startDate: string | null): string {
  const bookable = rows.filter(({ chosen }) => chosen !== null);
  const later = bookable.filter(({ start }) => start?.isLater);
  const free = bookable.filter(({ start }) => start !== null && !start.isLater).length;
  const when = startDate === null ? 'now' : 'then';
  const count =
    bookable.length === 1
      ? `The ad zone is ${free === 1 ? '' : 'not '}free ${when}.`
      : `${free} of ${bookable.length} ad zones are free ${when}.`;
  const others = later.map(
    ({ website, start }) => `${website?.name} starts on ${formatDay(start?.day ?? '')}.`,
  );
  return [count, ...others.slice(0, 3), others.length > 3 && 'See the others in the list.']
    .filter(Boolean)
    .join(' ');
}
