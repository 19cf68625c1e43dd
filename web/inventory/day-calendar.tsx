import { once } from '#domain/once.ts';
import { useRef, useState, type KeyboardEvent } from 'react';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Calendar } from '#domain/ads/booking-contract.ts';
import { type DayState, startOfDay } from '#domain/ads/booking.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { addDays } from '#domain/time.ts';

type Day = Calendar['days'][number];

const STATES: Record<DayState, { word: string; look: string }> = {
  free: { word: 'Free', look: 'border-line bg-surface text-ink' },
  held: { word: 'Held', look: 'border-line bg-warn-soft text-ink' },
  sold: { word: 'Sold', look: 'border-line bg-sunken text-ink-soft' },
  blocked: { word: 'Off', look: 'border-dashed border-line-strong/60 bg-canvas text-ink-soft' },
  past: { word: '', look: 'border-transparent text-ink-faint' },
};

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const monthFormat = once(
  () => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
);
const dayFormat = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }));

/** By how many days the arrow keys move. */
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

type DayCalendarProps = {
  label: string;
  /** How many months stand side by side. */
  months?: 1 | 2;
  slots: number | null;
  days: readonly Day[];
  /** The days that are marked, such as those of an ad. */
  chosen: (day: string) => boolean;
  /** The effect of choosing a day, for screen readers, such as 'Start on this day'. */
  action: (day: string) => string;
  canChoose: (day: Day) => boolean;
  onChoose: (day: string) => void;
};

/** The days of an ad zone, by months. The arrow keys move from day to day, also into another month. */
export function DayCalendar(props: DayCalendarProps) {
  const { label, months: count = 1, days, chosen, canChoose } = props;
  const months = [...new Set(days.map(({ date }) => date.slice(0, 7)))];
  // A single month is that of the coming days: the last days of a month would say little.
  const [month, setMonth] = useState(() =>
    (
      days.find(({ date }) => chosen(date)) ?? days[count === 1 ? Math.min(6, days.length - 1) : 0]
    )?.date.slice(0, 7),
  );
  const frame = useRef<HTMLDivElement>(null);
  const place = Math.max(0, Math.min(months.indexOf(month ?? ''), months.length - count));
  const shown = months.slice(place, place + count);
  const isShown = ({ date }: Day) => shown.includes(date.slice(0, 7));
  const entry = (
    days.find((day) => isShown(day) && chosen(day.date)) ?? days.find((day) => isShown(day) && canChoose(day))
  )?.date;

  function move(event: KeyboardEvent, from: string) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const to = addDays(from, step);
    const day = days.find(({ date }) => date === to);
    if (!day) return;
    if (!isShown(day)) setMonth(months[place + Math.sign(step)]);
    // Another month is in the page after the next frame.
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus());
  }

  return (
    <div ref={frame} className={cn('grid min-w-0 gap-6', shown.length > 1 && 'grid-cols-2')}>
      {shown.map((each, at) => (
        // By its place, so that a button that changes the month keeps the focus.
        <div key={at === 0 ? 'first' : 'second'} className="grid min-w-0 content-start gap-2">
          <MonthHeader
            month={each}
            onPrevious={at > 0 ? undefined : place > 0 ? () => setMonth(months[place - 1]) : null}
            onNext={
              at < shown.length - 1
                ? undefined
                : place + count < months.length
                  ? () => setMonth(months[place + 1])
                  : null
            }
          />
          <Month
            {...props}
            label={shown.length > 1 ? `${label}, ${monthFormat().format(startOfDay(`${each}-01`))}` : label}
            days={days.filter(({ date }) => date.startsWith(each))}
            entry={entry}
            onMove={move}
          />
        </div>
      ))}
    </div>
  );
}

type MonthProps = DayCalendarProps & {
  /** The day that the Tab key reaches. */
  entry: string | undefined;
  onMove: (event: KeyboardEvent, from: string) => void;
};

function Month({ label, slots, days, chosen, action, canChoose, onChoose, entry, onMove }: MonthProps) {
  return (
    <>
      <div aria-hidden="true" className="grid grid-cols-7 gap-1 text-center text-[0.6875rem] text-ink-faint">
        {WEEKDAYS.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </div>
      <ol aria-label={label} className="grid grid-cols-7 gap-1">
        {days.map((day, index) => (
          <li key={day.date} style={index === 0 ? { gridColumnStart: columnOf(day.date) } : undefined}>
            <button
              type="button"
              data-day={day.date}
              tabIndex={day.date === entry ? 0 : -1}
              aria-disabled={!canChoose(day)}
              aria-pressed={chosen(day.date)}
              aria-label={nameOf(day, slots, canChoose(day) ? action(day.date) : null)}
              onClick={() => canChoose(day) && onChoose(day.date)}
              onKeyDown={(event) => onMove(event, day.date)}
              className={cn(
                'grid min-h-11 w-full min-w-0 content-center justify-items-center rounded-control border px-0.5 py-1 leading-tight',
                chosen(day.date)
                  ? 'border-accent bg-accent-soft text-ink ring-1 ring-accent'
                  : STATES[day.state].look,
                canChoose(day) ? 'hover:border-accent' : 'cursor-default',
              )}
            >
              <span className="figures text-sm">{Number(day.date.slice(8))}</span>{' '}
              <span className="text-[0.6875rem] whitespace-nowrap">{shortState(day, slots)}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

type MonthHeaderProps = {
  /** Such as '2026-12'. */
  month: string;
  /** Null if the calendar ends there; undefined beside another month, which has the button. */
  onPrevious: (() => void) | null | undefined;
  onNext: (() => void) | null | undefined;
};

/** The name of the month, between the buttons that lead to the previous and the next one. */
function MonthHeader({ month, onPrevious, onNext }: MonthHeaderProps) {
  return (
    <div className="grid grid-cols-[2.5rem_1fr_2.5rem] items-center gap-2">
      {onPrevious !== undefined && (
        <Button
          variant="quiet"
          size="sm"
          aria-label="Previous month"
          disabled={onPrevious === null}
          onClick={() => onPrevious?.()}
        >
          <ChevronLeft aria-hidden="true" />
        </Button>
      )}
      <p aria-live="polite" className="col-start-2 text-center text-sm font-medium">
        {monthFormat().format(startOfDay(`${month}-01`))}
      </p>
      {onNext !== undefined && (
        <Button
          variant="quiet"
          size="sm"
          aria-label="Next month"
          className="col-start-3"
          disabled={onNext === null}
          onClick={() => onNext?.()}
        >
          <ChevronRight aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}

/** The column of a day in a week that begins on Monday, from 1. */
const columnOf = (day: string): number => ((startOfDay(day).getUTCDay() + 6) % 7) + 1;

/** 'Free', or how many of several slots are taken: '1 of 3'. */
function shortState({ state, held, sold }: Day, slots: number | null): string {
  if (state === 'free' && held + sold > 0)
    return slots === null ? `${held + sold}` : `${held + sold} of ${slots}`;
  return STATES[state].word;
}

/** Begins with what the day shows, so that people who speak to their device can name it (WCAG 2.5.3). */
function nameOf(day: Day, slots: number | null, action: string | null): string {
  const { date, state, held, sold } = day;
  const shown = `${Number(date.slice(8))} ${shortState(day, slots)}`.trim();
  const taken = held + sold === 0 ? '' : `, ${held} held and ${sold} sold`;
  const about = state === 'blocked' ? ', no ads by the day' : taken;
  return `${shown}, ${dayFormat().format(startOfDay(date))}${about}${action === null ? '' : `. ${action}`}`;
}
