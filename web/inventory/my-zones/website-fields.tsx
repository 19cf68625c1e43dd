import { useState, type ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import {
  type Control,
  type FieldErrors,
  type FieldValues,
  type Path,
  useController,
  type UseFormRegister,
} from 'react-hook-form';
import { cn } from '#web/ui/cn.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { optionsOf, Select } from '#web/ui/forms/select.tsx';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { CATEGORIES } from '../categories.ts';

/** Parses the typed text; an empty field becomes 0, which means 'not stated'. A restored draft holds a number. [VAL-39] */
function visitorsOf(typed: string | number): number {
  return Number(typed);
}

type Form<Values extends FieldValues> = {
  register: UseFormRegister<Values>;
  errors: FieldErrors<Values>;
};

const messageOf = (errors: object, name: string) =>
  (errors as Record<string, { message?: string } | undefined>)[name]?.message;

export function NameField<Values extends FieldValues>({ register, errors }: Form<Values>) {
  return (
    <Field label="Website name" error={messageOf(errors, 'name')}>
      <Input maxLength={200} {...register('name' as Path<Values>)} />
    </Field>
  );
}

/** `own` is the category of the website, which it keeps even if it was retired. */
export function CategoryField<Values extends FieldValues>({
  register,
  errors,
  own,
}: Form<Values> & { own?: string }) {
  const isRetired = own !== undefined && !CATEGORIES.includes(own);
  return (
    <Field label="Category" error={messageOf(errors, 'category')}>
      <Select
        options={optionsOf(isRetired ? [...CATEGORIES, own] : CATEGORIES)}
        placeholder="Choose a category"
        defaultValue=""
        {...register('category' as Path<Values>)}
      />
    </Field>
  );
}

export const OPTIONAL_NAMES = ['description', 'audience', 'monthlyVisitors'] as const;

/** The optional fields. Advertisers don't see an empty one. */
export function OptionalFields<Values extends FieldValues>({ register, errors }: Form<Values>) {
  return (
    <>
      <Field label="Description" optional error={messageOf(errors, 'description')}>
        <Textarea rows={3} maxLength={1000} {...register('description' as Path<Values>)} />
      </Field>
      <Field
        label="Audience"
        optional
        hint="Who reads it. Example: gardeners in Scotland"
        error={messageOf(errors, 'audience')}
      >
        <Input maxLength={200} {...register('audience' as Path<Values>)} />
      </Field>
      <Field
        label="Monthly visitors"
        optional
        hint="Whole number, from your analytics. Without it, advertisers see no figure."
        error={messageOf(errors, 'monthlyVisitors')}
      >
        <Input
          inputMode="numeric"
          {...register('monthlyVisitors' as Path<Values>, { setValueAs: visitorsOf })}
        />
      </Field>
    </>
  );
}

/** A website is listed unless its publisher says otherwise. */
export function ListedField<Values extends FieldValues, Context, Checked>({
  control,
}: {
  control: Control<Values, Context, Checked>;
}) {
  const { field } = useController({ control, name: 'isListed' as Path<Values> });
  return (
    <SwitchRow
      label="Show in the public catalogue"
      hint="Everyone can find the website, its ad zones and prices. Otherwise only signed-in advertisers do."
      checked={field.value !== false}
      onChange={field.onChange}
    />
  );
}

const RULES = [
  [
    'subjects',
    'Refused subjects',
    'One on each line, such as gambling. Advertisers read them before they write.',
  ],
  [
    'words',
    'Refused words',
    'One on each line. An ad with such a word in its title or description isn’t accepted.',
  ],
  ['domains', 'Refused domains', 'One on each line, such as example.com. Its subdomains are refused, too.'],
] as const;

/** The fields for the ads that the website refuses. */
export function RuleFields<Values extends FieldValues>({ register, errors }: Form<Values>) {
  return (
    <Fold label="Rules for ads" mustShow={RULES.some(([name]) => messageOf(errors, name) !== undefined)}>
      {RULES.map(([name, label, hint]) => (
        <Field key={name} label={label} optional hint={hint} error={messageOf(errors, name)}>
          <Textarea rows={3} {...register(name as Path<Values>)} />
        </Field>
      ))}
    </Fold>
  );
}

/** Folds optional fields away. It stays open while `mustShow`, such as for an error in one of them. */
export function Fold({
  label,
  mustShow,
  children,
}: {
  label: string;
  mustShow: boolean;
  children: ReactNode;
}) {
  const [isUnfolded, setUnfolded] = useState(false);
  const isOpen = isUnfolded || mustShow;
  return (
    <div className="grid gap-5">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setUnfolded(!isOpen)}
        className="-mx-1 flex items-center gap-1.5 justify-self-start rounded-tight px-1 text-sm font-medium text-accent"
      >
        <ChevronRight
          aria-hidden="true"
          className={cn('size-4 transition-transform duration-150', isOpen && 'rotate-90')}
        />
        {label}
      </button>
      {/* Hidden, not removed, so that the form keeps the fields' values. */}
      <div hidden={!isOpen} className={cn('gap-5', isOpen && 'grid')}>
        {children}
      </div>
    </div>
  );
}
