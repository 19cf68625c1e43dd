import { type ReactNode, useId, useState } from 'react';
import { Plus, X } from 'lucide-react';
import type { ZoneAudience } from '#domain/ads/contract.ts';
import { COUNTRY_CODES, countryName } from '#domain/countries.ts';
import { languageName } from '#domain/targeting/languages.ts';
import {
  countryOfRegion,
  DAYS,
  DEVICES,
  type Hours,
  LIMITING_KEYS,
  type Targeting,
  VISITOR,
} from '#domain/targeting/limits.ts';
import { DAY_NAMES, DEVICE_NAMES } from '#domain/targeting/words.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { type Option, Select } from '#web/ui/forms/select.tsx';

/** The languages that visitors' browsers prefer most often. The API takes any. */
const LANGUAGES =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv ta th tr uk ur vi zh';

const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label);
const COUNTRIES = COUNTRY_CODES.map((value) => ({ value, label: countryName(value) })).toSorted(byLabel);
const LANGUAGE_OPTIONS = LANGUAGES.split(' ')
  .map((value) => ({ value, label: languageName(value) }))
  .toSorted(byLabel);

type Props = {
  value: Targeting | null;
  onChange: (value: Targeting | null) => void;
  /** Exclusions of an ad zone: each value keeps visitors away, and unknown facts never do. */
  isExclusion?: boolean;
  /** The topics and pages that the ad zone has. */
  offered?: ZoneAudience | undefined;
};

/** Limits of an ad, or exclusions of an ad zone. Null: everybody, or nobody. */
export function LimitsFields({ value, onChange, isExclusion = false, offered }: Props) {
  const limits = value ?? {};
  const set = (change: Targeting) => onChange(withoutEmpty({ ...limits, ...change }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PlaceFields limits={limits} set={set} isExclusion={isExclusion} />
      <Choices
        label="Languages"
        placeholder="Add a language"
        options={LANGUAGE_OPTIONS}
        values={limits.languages ?? []}
        nameOf={languageName}
        onChange={(languages) => set({ languages })}
      />
      <Checks
        label="Devices"
        values={limits.devices ?? []}
        options={DEVICES}
        nameOf={(device) => DEVICE_NAMES[device]}
        onChange={(devices) => set({ devices })}
      />
      <TimeFields limits={limits} set={set} />
      <Typed
        label="Pages"
        hint="One path a line, such as /sport/*. The * stands for any rest."
        rows={3}
        separator={'\n'}
        values={limits.paths ?? []}
        offered={offered?.paths}
        onChange={(paths) => set({ paths })}
      />
      <Typed
        label="Topics"
        hint={
          isExclusion
            ? 'Separated by commas. Your page states its topics in <meta name="openslot:topics">.'
            : 'Separated by commas, as the publisher’s pages state them.'
        }
        separator=","
        values={limits.topics ?? []}
        offered={offered?.topics}
        onChange={(topics) => set({ topics })}
      />
    </div>
  );
}

type GroupProps = { limits: Targeting; set: (change: Targeting) => void };

function PlaceFields({ limits, set, isExclusion }: GroupProps & { isExclusion: boolean }) {
  const hasPlace = limits.countries !== undefined || limits.regions !== undefined;
  return (
    <>
      <Choices
        label="Countries"
        placeholder="Add a country"
        options={COUNTRIES}
        values={limits.countries ?? []}
        nameOf={countryName}
        onChange={(countries) => set({ countries })}
      />
      {limits.regions && (
        <Chips
          label="Regions"
          values={limits.regions}
          nameOf={(region) => `${countryName(countryOfRegion(region))} (${region})`}
          onChange={(regions) => set({ regions })}
        />
      )}
      {hasPlace && !isExclusion && (
        <Check
          checked={limits.unknownCountry === 'show'}
          onChange={(isShown) => set({ unknownCountry: isShown ? 'show' : undefined })}
        >
          Also show it where the country is unknown
        </Check>
      )}
    </>
  );
}

function TimeFields({ limits, set }: GroupProps) {
  const hasClock = limits.days !== undefined || limits.hours !== undefined;
  return (
    <>
      <Checks
        label="Days"
        values={limits.days ?? []}
        options={DAYS}
        nameOf={(day) => DAY_NAMES[day]}
        onChange={(days) => set({ days })}
      />
      <HoursFields values={limits.hours ?? []} onChange={(hours) => set({ hours })} />
      {hasClock && (
        <Field label="Clock">
          <Select
            value={limits.timezone ?? VISITOR}
            options={timezones(limits.timezone)}
            onChange={({ target }) => set({ timezone: target.value })}
          />
        </Field>
      )}
    </>
  );
}

/** Lists without a value are no limits. Without a limit, there are no limits at all. */
function withoutEmpty(limits: Targeting): Targeting | null {
  const entries = Object.entries(limits).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  const kept: Targeting = Object.fromEntries(entries);
  return LIMITING_KEYS.some((key) => kept[key] !== undefined) ? kept : null;
}

function timezones(chosen: string | undefined): Option[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const names = new Set([own, 'UTC', ...(chosen === undefined || chosen === VISITOR ? [] : [chosen])]);
  return [
    { value: VISITOR, label: 'Each visitor’s own' },
    ...[...names].map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  ];
}

type ListProps<Value extends string> = {
  label: string;
  values: readonly Value[];
  nameOf: (value: Value) => string;
  onChange: (values: Value[]) => void;
};

type ChoicesProps = ListProps<string> & { placeholder: string; options: readonly Option[] };

/** A list that grows by a select and shrinks by its chips. */
function Choices({ label, placeholder, options, values, nameOf, onChange }: ChoicesProps) {
  return (
    <div className="grid gap-2">
      <Field label={label}>
        <Select
          value=""
          placeholder={placeholder}
          options={options.filter(({ value }) => !values.includes(value))}
          onChange={({ target }) => onChange([...values, target.value])}
        />
      </Field>
      <Chips label={label} values={values} nameOf={nameOf} onChange={onChange} />
    </div>
  );
}

function Chips({ label, values, nameOf, onChange }: ListProps<string>) {
  if (values.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {values.map((value) => (
        <li key={value}>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Remove ${nameOf(value)}`}
            onClick={() => onChange(values.filter((each) => each !== value))}
          >
            {nameOf(value)}
            <X aria-hidden="true" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

type ChecksProps<Value extends string> = ListProps<Value> & { options: readonly Value[] };

function Checks<Value extends string>({ label, values, options, nameOf, onChange }: ChecksProps<Value>) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {options.map((option) => (
          <Check
            key={option}
            checked={values.includes(option)}
            onChange={(isChecked) =>
              onChange(options.filter((each) => (each === option ? isChecked : values.includes(each))))
            }
          >
            {nameOf(option)}
          </Check>
        ))}
      </div>
    </fieldset>
  );
}

type CheckProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode };

function Check({ checked, onChange, children }: CheckProps) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="inline-block first-letter:uppercase">{children}</span>
    </label>
  );
}

const hourOptions = (from: number): Option[] =>
  Array.from({ length: 24 }, (_, index) => ({ value: String(from + index), label: `${from + index}:00` }));

function HoursFields({
  values,
  onChange,
}: {
  values: readonly Hours[];
  onChange: (values: Hours[]) => void;
}) {
  const id = useId();
  const [keys, setKeys] = useState(() => values.map((_, index) => index));
  const replace = (at: number, hours: Hours) =>
    onChange(values.map((each, index) => (index === at ? hours : each)));
  return (
    <div role="group" aria-labelledby={id} className="grid gap-2">
      <p id={id} className="text-sm font-medium">
        Hours
      </p>
      {values.map((hours, index) => (
        <div key={keys[index]} className="flex flex-wrap items-center gap-2 text-sm">
          <Select
            aria-label="From"
            className="w-28"
            value={String(hours.from)}
            options={hourOptions(0).filter(({ value }) => Number(value) !== hours.to)}
            onChange={({ target }) => replace(index, { ...hours, from: Number(target.value) })}
          />
          <span>to</span>
          <Select
            aria-label="To"
            className="w-28"
            value={String(hours.to)}
            options={hourOptions(1).filter(({ value }) => Number(value) !== hours.from)}
            onChange={({ target }) => replace(index, { ...hours, to: Number(target.value) })}
          />
          <Button
            variant="quiet"
            size="icon"
            aria-label={`Remove ${hours.from}:00 to ${hours.to}:00`}
            onClick={() => {
              setKeys(keys.filter((_, at) => at !== index));
              onChange(values.filter((_, at) => at !== index));
            }}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      <Button
        variant="secondary"
        size="sm"
        className="justify-self-start"
        onClick={() => {
          setKeys([...keys, Math.max(-1, ...keys) + 1]);
          onChange([...values, { from: 8, to: 18 }]);
        }}
      >
        <Plus aria-hidden="true" />
        Add hours
      </Button>
    </div>
  );
}

type TypedProps = {
  label: string;
  hint: string;
  /** A field of several lines. */
  rows?: number;
  separator: ',' | '\n';
  values: readonly string[];
  /** Entries that can be added by a button. */
  offered?: readonly string[] | undefined;
  onChange: (values: string[]) => void;
};

/** A list that is typed. The field keeps the text as it was typed. */
function Typed({ label, hint, rows, separator, values, offered = NONE, onChange }: TypedProps) {
  const between = separator === ',' ? ', ' : separator;
  const [text, setText] = useState(values.join(between));
  const change = (typed: string) => {
    setText(typed);
    onChange(
      typed
        .split(separator)
        .map((each) => each.trim())
        .filter(Boolean),
    );
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Field label={label} hint={hint}>
        {rows === undefined ? (
          <Input value={text} onChange={({ target }) => change(target.value)} />
        ) : (
          <Textarea rows={rows} value={text} onChange={({ target }) => change(target.value)} />
        )}
      </Field>
      <Offered
        label={label}
        values={offered.filter((value) => !values.includes(value)).slice(0, MAX_OFFERED)}
        onAdd={(value) => change([...values, value].join(between))}
      />
    </div>
  );
}

const NONE: readonly string[] = [];
const MAX_OFFERED = 12;

type OfferedProps = { label: string; values: readonly string[]; onAdd: (value: string) => void };

/** The values that the visitors of the ad zone came from, the most frequent first. */
function Offered({ label, values, onAdd }: OfferedProps) {
  if (values.length === 0) return null;
  return (
    <ul aria-label={`${label} of this ad zone`} className="flex flex-wrap gap-2">
      {values.map((value) => (
        <li key={value} className="max-w-full">
          <Button
            variant="secondary"
            size="sm"
            className="max-w-full"
            aria-label={`Add ${value}`}
            onClick={() => onAdd(value)}
          >
            <Plus aria-hidden="true" />
            <bdi className="truncate">{value}</bdi>
          </Button>
        </li>
      ))}
    </ul>
  );
}
