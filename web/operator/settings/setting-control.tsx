import type { SettingReply } from '#domain/operator/console/settings-contract.ts';
import { COUNTRY_CODES, countryName } from '#domain/countries.ts';
import { commissionIn, splitPrice } from '#domain/payments/split.ts';
import { decimalOf } from '#domain/money.ts';
import { accentProblem, accentSays, LIGHT } from '#domain/theme.ts';
import { Button } from '#web/ui/button.tsx';
import { formatMoney, SYMBOL } from '#web/ui/format/format.ts';
import { useFieldWiring } from '#web/ui/forms/field.tsx';
import { Input, PrefixedInput, Textarea } from '#web/ui/forms/input.tsx';
import { optionsOf, Select } from '#web/ui/forms/select.tsx';

type SettingControlProps = {
  setting: SettingReply;
  value: string;
  /** The field is empty, and shows what is in force then. */
  placeholder: string | undefined;
  isDisabled: boolean;
  onChange: (value: string) => void;
};

/** The control of a setting, inside its `Field`. Switches and pictures have parts of their own. */
export function SettingControl({ setting, value, placeholder, isDisabled, onChange }: SettingControlProps) {
  const { input, choices } = setting;
  const common = {
    value,
    disabled: isDisabled,
    autoComplete: 'off',
    ...(placeholder !== undefined && { placeholder }),
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  switch (input) {
    case 'lines':
      return <Textarea {...common} rows={value.length > 160 || value.includes('\n') ? 4 : 3} />;
    case 'choice':
      return (
        <Select options={optionsOf(choices)} value={value} disabled={isDisabled} onChange={common.onChange} />
      );
    case 'country':
      return (
        <Select
          options={countries()}
          value={value}
          disabled={isDisabled}
          onChange={common.onChange}
          {...(value === '' && { placeholder: 'Choose a country' })}
        />
      );
    case 'amount':
      return <PrefixedInput {...common} prefix={SYMBOL} inputMode="decimal" className="max-w-44" />;
    case 'percent':
      return (
        <>
          <PrefixedInput {...common} prefix="%" inputMode="decimal" className="max-w-44" />
          <Shares percent={value} />
        </>
      );
    case 'number':
      return <Input {...common} inputMode="numeric" className="max-w-44" />;
    case 'color':
      return <ColorControl value={value} isDisabled={isDisabled} onChange={onChange} />;
    default:
      return <Input {...common} />;
  }
}

const countries = () =>
  COUNTRY_CODES.map((code) => ({ value: code, label: `${countryName(code)} (${code})` })).toSorted(
    (one, other) => one.label.localeCompare(other.label, 'en'),
  );

/** What a publisher receives of a price with this commission. */
function Shares({ percent }: { percent: string }) {
  const read = commissionIn(percent.trim().replace(/\s*%$/, '').replace(',', '.'));
  return (
    <p role="status" className="text-sm text-ink-soft">
      {read === null
        ? 'A percentage from 0 to 50, such as 12.5.'
        : `A publisher receives ${formatMoney(decimalOf(splitPrice(1000, read).earningsCents))} of ${formatMoney('10.00').replace('.00', '')}.`}
    </p>
  );
}

const HEX = /^#[\da-f]{6}$/;

function ColorControl({
  value,
  isDisabled,
  onChange,
}: Pick<SettingControlProps, 'value' | 'isDisabled' | 'onChange'>) {
  const { id: _, ...described } = useFieldWiring();
  const color = value.trim().toLowerCase();
  const problem = HEX.test(color) ? accentProblem(color) : null;
  return (
    <>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label="Choose a color"
          {...described}
          value={HEX.test(color) ? color : LIGHT.accent}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value)}
          className="h-10 w-14 shrink-0 rounded-control border border-line-strong bg-surface p-1"
        />
        <Input
          value={value}
          placeholder={LIGHT.accent}
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value)}
          className="max-w-32 font-mono"
        />
      </div>
      {problem !== null && !isDisabled && (
        <div role="status" className="grid justify-items-start gap-2 text-sm text-warn">
          <p>{sentence(accentSays(color, problem))}.</p>
          <Button variant="secondary" size="sm" onClick={() => onChange(problem.near)}>
            <span
              aria-hidden="true"
              className="size-4 rounded-full border border-line"
              style={{ backgroundColor: problem.near }}
            />
            <span>Use {problem.near}</span>
          </Button>
        </div>
      )}
    </>
  );
}

const sentence = (text: string) => (text.startsWith('#') ? text : `This color ${text}`);
