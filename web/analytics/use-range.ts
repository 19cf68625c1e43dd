import { useSearchParams } from 'wouter';
import { STEPS, type Step } from '#domain/analytics/contract.ts';
import {
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

const USUAL: Preset = '30d';

/**
 * The chosen days and step. They stand in the address, so that a link shows the same; what is usual does not, and
 * what makes no sense there counts as usual. `since` is the first day there can be anything.
 */
export function useRange(timezone: string, since: string): [Range, (change: RangeChange) => void, string] {
  const today = useToday(timezone);
  const [params, setParams] = useSearchParams();
  const preset = PRESETS.find((preset) => preset === params.get('range'));
  const custom = params.get('range') === 'custom' ? customDays(params, today) : null;
  const days = custom ?? daysOfPreset(preset ?? USUAL, today, since);
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
          } else if (change.preset !== USUAL) next.set('range', change.preset);
        }
        return next;
      },
      { replace: true, state: window.history.state as unknown },
    );
  }

  return [{ ...days, preset: custom ? 'custom' : (preset ?? USUAL), step }, change, today];
}

function customDays(params: URLSearchParams, today: string): Days | null {
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? ''];
  return daysProblem({ from, to }, today) === null ? { from, to } : null;
}

/** What is wrong with days that somebody entered; null when nothing is. */
export function daysProblem({ from, to }: Days, today: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Please enter both days';
  if (from > to) return 'The first day comes after the last';
  if (to > today) return 'The last day is still to come';
  // The oldest account is younger.
  return from < '2020-01-01' ? 'Please begin in 2020 or later' : null;
}

function isDay(day: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
}

/** The present day there. */
export function useToday(timezone: string): string {
  return dayIn(timezone, useNow());
}
