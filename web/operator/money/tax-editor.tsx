import { useState } from 'react';
import { Plus, Trash2 } from 'lucide-react';
import type { Reply } from '#domain/endpoint.ts';
import { countryName } from '#domain/countries.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import type { getTaxRates } from '#domain/operator/console/tax-contract.ts';
import { taxTableChanges } from '#domain/payments/tax-table.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { ActSheet } from '../parts/act-sheet.tsx';
import {
  type Draft,
  draftOf,
  type DraftRule,
  firstRule,
  hasProblem,
  laterRule,
  problemsOf,
  read,
  tableOf,
  textOf,
  treated,
  type Treatment,
  treatmentOf,
} from './tax-draft.ts';
import { CountrySelect, TaxTester } from './tax-tester.tsx';

type TaxEditorProps = { rates: Reply<typeof getTaxRates>; onClose: () => void };

/** Changes the table as a whole: it is tried and checked here, and saved by one act. [BOOK-260] */
export function TaxEditor({ rates: { table, sellerCountry, today, acts }, onClose }: TaxEditorProps) {
  const [draft, setDraft] = useState(() => draftOf(table, sellerCountry));
  const [isChecked, setChecked] = useState(false);
  const [sheet, setSheet] = useState<OfferedAct>();
  const text = textOf(draft);
  const parsed = read(text);
  const isWrong = hasProblem(draft) || 'problem' in parsed;
  const changes = 'table' in parsed ? taxTableChanges(table && tableOf(table), parsed.table) : [];
  const [save] = acts;

  function review() {
    setChecked(true);
    if (!save || isWrong || changes.length === 0) return;
    setSheet({
      ...save,
      consequence: `${changes.join('; ')}. ${save.consequence ?? ''}`.slice(0, 2000),
      hidden: { ...save.hidden, table: text },
    });
  }

  return (
    <>
      <DraftCards draft={draft} isChecked={isChecked} onChange={setDraft} />
      <TaxTester today={today} seller={draft.seller || null} table={isWrong ? null : text} />
      <div className="sticky bottom-0 z-10 -mx-4 border-t border-line bg-canvas/95 px-4 py-3 backdrop-blur sm:-mx-6 sm:px-6">
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <div
            role="status"
            className="min-w-0 flex-1 basis-full text-sm sm:basis-60 wrap-anywhere text-ink-soft"
          >
            {isChecked && isWrong ? (
              <span className="text-bad">
                {hasProblem(draft)
                  ? 'Some fields are not complete. See the sentences below them.'
                  : 'problem' in parsed && parsed.problem}
              </span>
            ) : (
              <span>{changes.length === 0 ? 'Nothing has changed yet.' : changes.join('; ')}</span>
            )}
          </div>
          <Button variant="secondary" onClick={onClose}>
            Discard
          </Button>
          <Button onClick={review} why={!isWrong && changes.length === 0 && 'Nothing has changed yet.'}>
            Save the table
          </Button>
        </div>
      </div>
      {sheet && (
        <ActSheet act={sheet} about={undefined} onClose={() => setSheet(undefined)} onDone={onClose} />
      )}
    </>
  );
}

type DraftCardsProps = { draft: Draft; isChecked: boolean; onChange: (draft: Draft) => void };

function DraftCards({ draft, isChecked, onChange }: DraftCardsProps) {
  const [added, setAdded] = useState('');
  const { seller, countries, others } = draft;
  const named = countries.map(({ country }) => country);
  const set = (members: Partial<Draft>) => onChange({ ...draft, ...members });
  return (
    <>
      <Card className="grid gap-4">
        <Field
          label="Your own country"
          hint="Publishers of this country charge you its tax."
          error={isChecked && seller === '' ? 'Choose your own country.' : undefined}
          className="max-w-sm"
        >
          <CountrySelect value={seller} onChange={(country) => set({ seller: country })} />
        </Field>
        {countries.length === 0 && others === null && (
          <Banner>Add the countries whose advertisers pay tax. All others pay none until you say so.</Banner>
        )}
      </Card>
      {countries.map(({ country, rules }, at) => (
        <RulesCard
          key={country}
          name={countryName(country)}
          rules={rules}
          isChecked={isChecked}
          onChange={(changed) => set({ countries: countries.with(at, { country, rules: changed }) })}
          onRemove={() => set({ countries: countries.toSpliced(at, 1) })}
        />
      ))}
      {others !== null && (
        <RulesCard
          name="All other countries"
          rules={others}
          isChecked={isChecked}
          onChange={(changed) => set({ others: changed })}
          onRemove={() => set({ others: null })}
        />
      )}
      <Card className="flex flex-wrap items-end gap-3">
        <Field label="Another country" className="min-w-0 flex-1 basis-60 sm:max-w-sm">
          <CountrySelect value={added} onChange={setAdded} without={named} />
        </Field>
        <Button
          variant="secondary"
          why={added === '' && 'Choose a country first.'}
          onClick={() => {
            set({ countries: [...countries, { country: added, rules: [firstRule()] }] });
            setAdded('');
          }}
        >
          <Plus aria-hidden="true" />
          <span>Add the country</span>
        </Button>
        {others === null && (
          <Button variant="secondary" onClick={() => set({ others: [firstRule()] })}>
            <Plus aria-hidden="true" />
            <span>Add all other countries</span>
          </Button>
        )}
      </Card>
    </>
  );
}

type RulesCardProps = {
  name: string;
  rules: DraftRule[];
  isChecked: boolean;
  onChange: (rules: DraftRule[]) => void;
  onRemove: () => void;
};

/** The rates of a country, the later ones with the day from which they are in force. */
function RulesCard({ name, rules, isChecked, onChange, onRemove }: RulesCardProps) {
  return (
    <Card aria-label={name} className="grid gap-4">
      <CardHeader
        title={name}
        actions={
          <>
            <Button
              variant="secondary"
              size="sm"
              aria-label={`Add a later rate: ${name}`}
              onClick={() => onChange([...rules, laterRule(rules.at(-1) ?? firstRule())])}
            >
              Add a later rate
            </Button>
            <Button variant="quiet" size="sm" aria-label={`Remove ${name}`} onClick={onRemove}>
              <Trash2 aria-hidden="true" />
              <span>Remove</span>
            </Button>
          </>
        }
      />
      {rules.map((rule, at) => (
        <RuleFields
          key={rule.key}
          rule={rule}
          before={rules[at - 1]}
          isChecked={isChecked}
          onChange={(changed) => onChange(rules.with(at, changed))}
          {...(at > 0 && { onRemove: () => onChange(rules.toSpliced(at, 1)) })}
        />
      ))}
    </Card>
  );
}

const TREATMENTS: readonly { value: Treatment; label: string }[] = [
  { value: 'charge', label: 'Everybody' },
  { value: 'reverse_charge', label: 'Not companies with a tax number' },
  { value: 'not_taxed', label: 'Nobody: sales are not taxed' },
];

type RuleFieldsProps = {
  rule: DraftRule;
  before: DraftRule | undefined;
  isChecked: boolean;
  onChange: (rule: DraftRule) => void;
  onRemove?: () => void;
};

function RuleFields({ rule, before, isChecked, onChange, onRemove }: RuleFieldsProps) {
  const { rate, from, sentence } = rule;
  const problems = isChecked ? problemsOf(rule, before) : {};
  return (
    <div className="grid items-start gap-4 border-t border-line pt-4 sm:grid-cols-2 lg:grid-cols-[11rem_7rem_minmax(0,1fr)_minmax(0,1.2fr)_2.5rem]">
      {from === null ? (
        <div className="grid gap-1.5 text-sm">
          <span className="font-medium">From</span>
          <span className="flex h-10 items-center text-ink-soft">The beginning</span>
        </div>
      ) : (
        <Field label="From" error={problems.from}>
          <Input
            type="date"
            value={from}
            onChange={({ target }) => onChange({ ...rule, from: target.value })}
          />
        </Field>
      )}
      <Field label="Rate, %" error={problems.rate}>
        <Input
          inputMode="decimal"
          maxLength={7}
          value={rate}
          disabled={treatmentOf(rule) === 'not_taxed'}
          onChange={({ target }) => onChange({ ...rule, rate: target.value })}
        />
      </Field>
      <Field
        label="Who pays it"
        hint={rule.business === 'reverse_charge' && 'Reverse charge: companies account for it.'}
      >
        <Select
          options={TREATMENTS}
          value={treatmentOf(rule)}
          onChange={({ target }) => onChange(treated(rule, target.value as Treatment))}
        />
      </Field>
      <Field
        label="Sentence on receipts"
        optional={rule.business !== 'reverse_charge'}
        error={problems.sentence}
      >
        <Textarea
          rows={2}
          maxLength={300}
          value={sentence}
          onChange={({ target }) => onChange({ ...rule, sentence: target.value })}
        />
      </Field>
      {onRemove && (
        <Button
          variant="quiet"
          size="icon"
          aria-label={`Remove the rate from ${from || 'a day'}`}
          className="lg:mt-6.5"
          onClick={onRemove}
        >
          <Trash2 aria-hidden="true" />
        </Button>
      )}
    </div>
  );
}
