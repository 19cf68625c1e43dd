import { counted } from '#domain/format.ts';
import { useState } from 'react';
import { MAX_SLOTS } from '#domain/ads/booking.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { addDays, utcDay } from '#domain/time.ts';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { SaveButton } from '#web/ui/forms/save-button.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useCalendar, useUpdateZone } from '../api.ts';
import { DayCalendar } from '../day-calendar.tsx';

const DAYS_AHEAD = 365;

/** The days of a publisher's ad zone: how many ads by the day fit, which days are taken, and which are not for sale. */
export function SlotsAndDays({ zone }: { zone: AdZone }) {
  return (
    <section aria-labelledby="calendar" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-0.5">
        <h2 id="calendar" className="font-medium">
          Calendar & Slots
        </h2>
        <p className="text-sm text-ink-faint">Ads by the day. Days begin at 00:00 UTC.</p>
      </div>
      <SlotsForm zone={zone} />
      <Days zone={zone} />
      <CalendarAddress zone={zone} />
    </section>
  );
}

function SlotsForm({ zone }: { zone: AdZone }) {
  const [typed, setTyped] = useState(zone.slots === null ? '' : String(zone.slots));
  const save = useUpdateZone(zone);
  const slots = typed.trim() === '' ? null : Number(typed);
  const isValid = slots === null || (Number.isInteger(slots) && slots >= 1 && slots <= MAX_SLOTS);
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) save.mutate({ slots });
      }}
    >
      <Field
        label="Slots"
        optional
        error={
          isValid ? undefined : `Enter a whole number from 1 to ${MAX_SLOTS}, or leave it empty for no limit`
        }
        hint="How many ads by the day can run at the same time. With a limit, each day is booked at most that often, and advertisers pay within three days of your approval."
      >
        <Input
          inputMode="numeric"
          placeholder="No limit"
          maxLength={3}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <SaveButton
        type="submit"
        busy={save.isPending}
        isSaved={save.isSuccess && slots === zone.slots}
        why={slots === zone.slots && 'Enter a different number first'}
      >
        Save slots
      </SaveButton>
    </form>
  );
}

function Days({ zone }: { zone: AdZone }) {
  const today = utcDay(useNow());
  const range = { from: today, to: addDays(today, DAYS_AHEAD) };
  const { data: calendar, isError, refetch } = useCalendar(zone.publicId, range);
  const [blocked, setBlocked] = useState<readonly string[]>(zone.blockedDays);
  const save = useUpdateZone(zone);
  const changes = [...blocked, ...zone.blockedDays].filter(
    (day) => blocked.includes(day) !== zone.blockedDays.includes(day),
  );
  if (isError) return <LoadError what="the calendar" onRetry={() => void refetch()} />;
  if (!calendar) return <Skeleton className="h-80" />;
  const toggle = (day: string) =>
    setBlocked(blocked.includes(day) ? blocked.filter((each) => each !== day) : [...blocked, day]);
  return (
    <section aria-label="Days" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-sm text-ink-soft">
        Select a free day to keep it out of the sale, and a day that is off to sell it again.
      </p>
      <DayCalendar
        label="Days"
        slots={calendar.slots}
        days={calendar.days.map((day) => {
          if (day.state === 'blocked' && !blocked.includes(day.date))
            return { ...day, state: 'free' as const };
          return day.state === 'free' && blocked.includes(day.date)
            ? { ...day, state: 'blocked' as const }
            : day;
        })}
        chosen={(day) => changes.includes(day)}
        action={() => 'Block or open this day'}
        canChoose={({ state, held, sold }) => state === 'blocked' || (state === 'free' && held + sold === 0)}
        onChoose={toggle}
      />
      <div className="flex flex-wrap gap-2">
        <SaveButton
          busy={save.isPending}
          isSaved={save.isSuccess && changes.length === 0}
          why={changes.length === 0 && 'Select a day first'}
          onClick={() =>
            save.mutate(
              { blockedDays: [...blocked] },
              { onSuccess: ({ blockedDays }) => setBlocked(blockedDays), onError: () => void refetch() },
            )
          }
        >
          {changes.length === 0 ? 'Save blocked days' : `Save ${counted(changes.length, 'change')}`}
        </SaveButton>
        {changes.length > 0 && (
          <Button variant="quiet" onClick={() => setBlocked(zone.blockedDays)}>
            Undo
          </Button>
        )}
      </div>
    </section>
  );
}

/** The address under which a calendar program reads the days that are taken. */
function CalendarAddress({ zone }: { zone: AdZone }) {
  const path = `/api/ad-zones/${zone.publicId}/calendar.ics`;
  return (
    <section aria-labelledby="calendar-address" className="grid gap-2 border-t border-line pt-4">
      <h3 id="calendar-address" className="font-medium">
        In your calendar program
      </h3>
      <p className="text-sm text-ink-soft">
        Subscribe to this address to see which days are held or sold. It’s public and names no advertiser. The
        file that you download here also has the titles of the ads.
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={`${window.location.origin}${path}`} label="Copy address" />
        <a
          href={path}
          download
          className="self-center rounded-tight text-sm text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          Download with titles
        </a>
      </div>
    </section>
  );
}
