import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Reply } from '#domain/endpoint.ts';
import { countryName } from '#domain/countries.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { getTaxRates, ShownTaxRule, ShownTaxTable } from '#domain/operator/console/tax-contract.ts';
import { read } from '#web/http/query.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatDay } from '#web/ui/format/format.ts';
import { type Column, Table } from '#web/ui/table.tsx';
import { ActButton } from '../parts/act-button.tsx';
import { ConsolePage } from '../parts/console-page.tsx';
import { Section } from './rows.tsx';
import { TaxEditor } from './tax-editor.tsx';
import { TaxTester } from './tax-tester.tsx';

type TaxRates = Reply<typeof getTaxRates>;

/** The tax rates of today, those that come, and what they do to a sale. [BOOK-242] */
export default function TaxPage() {
  const query = useQuery(read(calls.getTaxRates));
  // As they were when the editor opened, so that a change by another operator takes nothing from the draft.
  const [edited, setEdited] = useState<TaxRates>();
  return (
    <ConsolePage
      title="Tax rates"
      what="the tax rates"
      query={query}
      description="The tax that prices contain, by the advertiser’s country. An option keeps its price whatever the tax is."
    >
      {(rates) =>
        edited ? (
          <TaxEditor rates={edited} onClose={() => setEdited(undefined)} />
        ) : (
          <>
            {rates.source === 'file' && (
              <Banner title="The table is in a file">
                The server reads it from TAX_RATES_FILE, so it can’t be changed here. Edit the file and
                restart the server, or unset TAX_RATES_FILE and save the table here. The audit trail has each
                change.
              </Banner>
            )}
            <Rates rates={rates} onEdit={() => setEdited(rates)} />
            <TaxTester today={rates.today} seller={rates.table?.seller ?? null} />
          </>
        )
      }
    </ConsolePage>
  );
}

type Row = { name: string; rules: readonly ShownTaxRule[] };

/** By the countries' names, all others last. */
function rowsOf({ countries, others }: ShownTaxTable): Row[] {
  return [
    ...countries
      .map(({ country, rules }) => ({ name: countryName(country), rules }))
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en')),
    ...(others === null ? [] : [{ name: 'All other countries', rules: others }]),
  ];
}

/** The rule that is in force today, and those after it. */
function split(rules: readonly ShownTaxRule[], today: string) {
  const present = rules.findLast(({ from }) => from === null || from <= today) ?? rules[0];
  return { present, coming: rules.slice(present ? rules.indexOf(present) + 1 : 0) };
}

const BUSINESSES = { charge: 'Pay the tax', reverse_charge: 'No tax: reverse charge' } as const;

function columnsOf(today: string): Column<Row>[] {
  return [
    { header: 'Country', card: 'start', cell: ({ name }) => <span className="font-medium">{name}</span> },
    {
      header: 'Rate',
      align: 'right',
      card: 'end',
      cell: ({ rules }) => `${split(rules, today).present?.rate}%`,
    },
    {
      header: 'Companies with a tax number',
      cell: ({ rules }) => {
        const { present } = split(rules, today);
        return (
          present && (
            <Terms
              rule={present}
              words={present.reason === 'not_taxed' ? 'Not taxed' : BUSINESSES[present.business]}
            />
          )
        );
      },
    },
    {
      header: 'What comes',
      cell: ({ rules }) => {
        const { coming } = split(rules, today);
        return coming.length === 0 ? (
          <span className="text-ink-faint">No change</span>
        ) : (
          <ul className="grid gap-1">
            {coming.map((rule) => (
              <li key={rule.from}>
                <Terms
                  rule={rule}
                  words={`${formatDay(rule.from ?? '')}: ${rule.rate}%${
                    rule.reason === 'not_taxed'
                      ? ', not taxed'
                      : rule.business === 'reverse_charge'
                        ? ', reverse charge'
                        : ''
                  }`}
                />
              </li>
            ))}
          </ul>
        );
      },
    },
  ];
}

function Terms({ rule: { sentence }, words }: { rule: ShownTaxRule; words: string }) {
  return (
    <>
      <span>{words}</span>
      {sentence !== null && (
        <span className="block text-xs wrap-anywhere text-ink-soft">
          Receipts say: <bdi>{sentence}</bdi>
        </span>
      )}
    </>
  );
}

function Rates({ rates, onEdit }: { rates: TaxRates; onEdit: () => void }) {
  const { table, today, timeZone, acts } = rates;
  const [save, remove] = acts;
  const rows = table === null ? [] : rowsOf(table);
  if (table === null)
    return (
      <EmptyState title="No tax is shown" action={save && <Button onClick={onEdit}>Make a tax table</Button>}>
        Prices and documents have no tax. If your sales owe tax, name the rate of each country.
        {save === undefined && ' An operator with the role Owner can do that.'}
      </EmptyState>
    );
  return (
    <Section
      title="Rates"
      description={`${
        table.seller === null
          ? 'The table doesn’t name your own country.'
          : `Your own country is ${countryName(table.seller)}.`
      } New rates begin at midnight, ${timeZone}.${table.others === null ? ' Other countries have no tax.' : ''}`}
      actions={
        <>
          {remove && <ActButton act={remove} />}
          {save && (
            <Button size="sm" onClick={onEdit}>
              Edit the table
            </Button>
          )}
        </>
      }
    >
      <Table label="Tax rates" cards columns={columnsOf(today)} rows={rows} rowKey={({ name }) => name} />
    </Section>
  );
}
