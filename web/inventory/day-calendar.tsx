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
const MONTH = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });

/** By how many days the arrow keys move. */
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

type DayCalendarProps = {
  label: string;
  slots: number | null;
  days: readonly Day[];
  /** The days that are marked, such as those of an ad. */
  chosen: (day: string) => boolean;
  /** The effect of choosing a day, for screen readers, such as 'Start on this day'. */
  action: string;
  canChoose: (day: Day) => boolean;
  onChoose: (day: string) => void;
};

/** The days of an ad zone, one month at a time. The arrow keys move from day to day, also into the next month. */
export function DayCalendar({ label, slots, days, chosen, action, canChoose, onChoose }: DayCalendarProps) {
  const months = [...new Set(days.map(({ date }) => date.slice(0, 7)))];
  const [month, setMonth] = useState(() =>
    (days.find(({ date }) => chosen(date)) ?? days[0])?.date.slice(0, 7),
  );
  const grid = useRef<HTMLOListElement>(null);
  const place = Math.max(0, months.indexOf(month ?? ''));
  const shown = days.filter(({ date }) => date.startsWith(months[place] ?? '-'));
  const first = shown[0];
  if (!first) return null;
  const entry = (shown.find(({ date }) => chosen(date)) ?? shown.find((day) => canChoose(day)))?.date;

  function move(event: KeyboardEvent, from: string) {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const to = addDays(from, step);
    if (!days.some(({ date }) => date === to)) return;
    setMonth(to.slice(0, 7));
    // The other month is in the page after the next frame.
    requestAnimationFrame(() => grid.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus());
  }

  return (
    <div className="grid min-w-0 gap-2">
      <MonthHeader
        firstDay={first.date}
        previous={months[place - 1]}
        next={months[place + 1]}
        onMonth={setMonth}
      />
      <div aria-hidden="true" className="grid grid-cols-7 gap-1 text-center text-[0.6875rem] text-ink-faint">
        {WEEKDAYS.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </div>
      <ol ref={grid} aria-label={label} className="grid grid-cols-7 gap-1">
        {shown.map((day, index) => (
          <li key={day.date} style={index === 0 ? { gridColumnStart: columnOf(day.date) } : undefined}>
            <button
              type="button"
              data-day={day.date}
              tabIndex={day.date === entry ? 0 : -1}
              aria-disabled={!canChoose(day)}
              aria-pressed={chosen(day.date)}
              aria-label={nameOf(day, slots, canChoose(day) ? action : null)}
              onClick={() => canChoose(day) && onChoose(day.date)}
              onKeyDown={(event) => move(event, day.date)}
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
    </div>
  );
}

type MonthHeaderProps = {
  firstDay: string;
  /** Such as '2026-12'; undefined if the calendar ends there. */
  previous: string | undefined;
  next: string | undefined;
  onMonth: (month: string | undefined) => void;
};

/** The name of the month, between the buttons that lead to the previous and the next one. */
function MonthHeader({ firstDay, previous, next, onMonth }: MonthHeaderProps) {
  return (
    <div className="flex items-center justify-between gap-2">
      <Button
        variant="quiet"
        size="sm"
        aria-label="Previous month"
        disabled={previous === undefined}
        onClick={() => onMonth(previous)}
      >
        <ChevronLeft aria-hidden="true" />
      </Button>
      <p aria-live="polite" className="text-sm font-medium">
        {MONTH.format(startOfDay(firstDay))}
      </p>
      <Button
        variant="quiet"
        size="sm"
        aria-label="Next month"
        disabled={next === undefined}
        onClick={() => onMonth(next)}
      >
        <ChevronRight aria-hidden="true" />
      </Button>
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
  return `${shown}, ${LONG.format(startOfDay(date))}${about}${action === null ? '' : `. ${action}`}`;
}
