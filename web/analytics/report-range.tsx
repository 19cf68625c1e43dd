import { useState } from 'react';
import { STEPS, type Step, PRESETS, stepProblem, type Days, type Preset } from '#domain/analytics/days.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { STEP_NAMES } from './day-names.ts';
import { daysProblem, type Range, type RangeChange } from './use-range.ts';

const PRESET_NAMES: Record<Preset, string> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '12m': 'Last 12 months',
  all: 'All time',
};

type RangeProps = { range: Range; onChange: (change: RangeChange) => void };

/** Selects the date range, and whether the chart shows days, weeks or months. */
export function RangeSelects({ range, onChange }: RangeProps) {
  function choose(value: string) {
    const preset = PRESETS.find((preset) => preset === value);
    onChange(preset ? { preset } : { from: range.from, to: range.to });
  }
  return (
    <>
      <Select
        aria-label="Date range"
        value={range.preset}
        onChange={(event) => choose(event.target.value)}
        options={[
          ...PRESETS.map((preset) => ({ value: preset, label: PRESET_NAMES[preset] })),
          { value: 'custom', label: 'Custom range' },
        ]}
        className="w-40 sm:w-44"
      />
      <Select
        aria-label="Interval"
        value={range.step}
        onChange={(event) => onChange({ step: event.target.value as Step })}
        options={STEPS.map((step) => {
          const problem = stepProblem(step, range);
          return {
            value: step,
            label: `Per ${STEP_NAMES[step].toLowerCase()}${problem ? ` (${problem})` : ''}`,
            disabled: problem !== null,
          };
        })}
        className="w-28 sm:w-32"
      />
    </>
  );
}

/** The two dates of a custom range. An invalid date stays in its field, and the report keeps the last valid range. */
export function CustomDays({ range, onChange, today }: RangeProps & { today: string }) {
  const [days, setDays] = useState<Days>({ from: range.from, to: range.to });
  const problem = daysProblem(days, today);

  function change(part: Partial<Days>) {
    const next = { ...days, ...part };
    setDays(next);
    if (daysProblem(next, today) === null) onChange(next);
  }

  return (
    <div className="grid grid-cols-2 gap-3 sm:max-w-sm">
      <Field label="From" error={problem ?? undefined}>
        <Input
          type="date"
          value={days.from}
          max={today}
          onChange={(event) => change({ from: event.target.value })}
        />
      </Field>
      <Field label="To">
        <Input
          type="date"
          value={days.to}
          max={today}
          onChange={(event) => change({ to: event.target.value })}
        />
      </Field>
    </div>
  );
}
