import { useSearchParams } from 'wouter';
import {
  STEPS,
  type Step,
  bestStep,
  dayIn,
  daysOfPreset,
  PRESETS,
  stepProblem,
  type Days,
  type Preset,
} from '#domain/analytics/days.ts';
import { useNow } from '#web/ui/use-now.ts';

export type Range = Days & { preset: Preset | 'custom'; step: Step };
export type RangeChange = { preset: Preset } | Days | { step: Step };

const DEFAULT_PRESET: Preset = '30d';

/**
 * The selected date range and interval, kept in the page's address so that a link shows the same report. The address
 * leaves out defaults, and an invalid value in it counts as the default. `since` is the first day that can have
 * figures. The third result is today's date in the timezone.
 */
export function useRange(timezone: string, since: string): [Range, (change: RangeChange) => void, string] {
  const today = useToday(timezone);
  const [params, setParams] = useSearchParams();
  const preset = PRESETS.find((preset) => preset === params.get('range'));
  const custom = params.get('range') === 'custom' ? customDays(params, today) : null;
  const days = custom ?? daysOfPreset(preset ?? DEFAULT_PRESET, today, since);
  const wanted = STEPS.find((step) => step === params.get('step'));
  const step = wanted && stepProblem(wanted, days) === null ? wanted : bestStep(days);

  function change(change: RangeChange) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if ('step' in change) next.set('step', change.step);
        else {
          for (const name of ['range', 'from', 'to', 'step']) next.delete(name);
          if ('from' in change) {
            next.set('range', 'custom');
            next.set('from', change.from);
            next.set('to', change.to);
          } else if (change.preset !== DEFAULT_PRESET) next.set('range', change.preset);
        }
        return next;
      },
      { replace: true, state: window.history.state as unknown },
    );
  }

  return [{ ...days, preset: custom ? 'custom' : (preset ?? DEFAULT_PRESET), step }, change, today];
}

function customDays(params: URLSearchParams, today: string): Days | null {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  return daysProblem({ from, to }, today) === null ? { from, to } : null;
}

/** The error message for a date range; null if the range is valid. */
export function daysProblem({ from, to }: Days, today: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Enter both dates';
  if (from > to) return 'The start date must not be after the end date';
  if (to > today) return 'The end date can’t be in the future';
  // No account is older than this.
  return from < '2020-01-01' ? 'The start date must be in 2020 or later' : null;
}

function isDay(day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
}

/** Today's date in the timezone. */
export function useToday(timezone: string): string {
  return dayIn(timezone, useNow());
}
