/** A tax table while the operator edits it: what is typed, what is wrong with it, and the text that is saved. */
import type { ShownTaxRule, ShownTaxTable } from '#domain/operator/console/tax-contract.ts';
import { HUNDRED_PERCENT, rateOfText, type TaxRules, type TaxTable } from '#domain/payments/tax.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';

/**
 * A rule as it is typed. `from` of the first rule is null, of a later one '' until a day is chosen. `key` tells it from the
 * other rules of the page, because everything else of it changes.
 */
export type DraftRule = Omit<ShownTaxRule, 'sentence'> & { sentence: string; key: number };
export type DraftCountry = { country: string; rules: DraftRule[] };
export type Draft = { seller: string; countries: DraftCountry[]; others: DraftRule[] | null };

let keys = 0;
const draftRules = (rules: readonly ShownTaxRule[]): DraftRule[] =>
  rules.map((rule) => ({ ...rule, sentence: rule.sentence ?? '', key: ++keys }));

export const firstRule = (): DraftRule => ({
  from: null,
  rate: '',
  business: 'charge',
  reason: null,
  sentence: '',
  key: ++keys,
});

/** A rule after this one, which keeps its terms until they are changed. */
export const laterRule = (before: DraftRule): DraftRule => ({ ...before, from: '', key: ++keys });

/** The table that the server has read. */
export function tableOf({ seller, countries, others }: ShownTaxTable): TaxTable {
  const rulesOf = (rules: readonly ShownTaxRule[]) =>
    rules.map(({ rate, ...rule }) => ({ ...rule, rate: rateOfText(rate) ?? 0 })) as unknown as TaxRules;
  return {
    seller,
    countries: Object.fromEntries(countries.map(({ country, rules }) => [country, rulesOf(rules)])),
    default: others && rulesOf(others),
  };
}

/** The table in force as a draft. Without a table, one of the seller without other countries. */
export function draftOf(table: ShownTaxTable | null, sellerCountry: string | null): Draft {
  if (table === null) return { seller: sellerCountry ?? '', countries: [], others: null };
  return {
    seller: table.seller ?? '',
    countries: table.countries.map(({ country, rules }) => ({ country, rules: draftRules(rules) })),
    others: table.others && draftRules(table.others),
  };
}

/** How a rule treats advertisers, which is one choice for the operator. */
export type Treatment = 'charge' | 'reverse_charge' | 'not_taxed';
export const treatmentOf = ({ business, reason }: DraftRule): Treatment =>
  reason === 'not_taxed' ? 'not_taxed' : business;

export function treated(rule: DraftRule, treatment: Treatment): DraftRule {
  return treatment === 'not_taxed'
    ? { ...rule, business: 'charge', reason: 'not_taxed', rate: '0.00' }
    : { ...rule, business: treatment, reason: null };
}

export type RuleProblems = Partial<Record<'rate' | 'from' | 'sentence', string>>;

/** What is wrong with the fields of a rule. The parser of the whole table says the rest. */
export function problemsOf(rule: DraftRule, before: DraftRule | undefined): RuleProblems {
  const rate = rateOfText(normalized(rule.rate));
  const { from } = rule;
  return {
    ...((rate === null || rate === HUNDRED_PERCENT) && { rate: 'Enter a rate from 0 to 99.99.' }),
    ...(from === '' && { from: 'Choose the first day of this rate.' }),
    ...(from && (before?.from ?? '') >= from && { from: 'Choose a day after the rate before.' }),
    ...(rule.business === 'reverse_charge' &&
      rule.sentence.trim() === '' && { sentence: 'Receipts need a sentence about the reverse charge.' }),
  };
}

const normalized = (rate: string): string => rate.trim().replace(',', '.');

export const hasProblem = (draft: Draft): boolean =>
  [...draft.countries.map(({ rules }) => rules), draft.others ?? []].some((rules) =>
    rules.some((rule, at) => Object.keys(problemsOf(rule, rules[at - 1])).length > 0),
  );

const written = (rules: readonly DraftRule[]) =>
  rules.map(({ from, rate, business, reason, sentence }) => ({
    ...(from !== null && { from }),
    rate: normalized(rate),
    business,
    reason,
    sentence: sentence.trim() === '' ? null : sentence.trim(),
  }));

/** The table as a file of TAX_RATES_FILE has it. */
export function textOf({ seller, countries, others }: Draft): string {
  return JSON.stringify({
    version: 2,
    seller,
    countries: Object.fromEntries(countries.map(({ country, rules }) => [country, written(rules)])),
    ...(others !== null && { default: written(others) }),
  });
}

/** The table, or the sentence of the parser about it. */
export function read(text: string): { table: TaxTable } | { problem: string } {
  try {
    return { table: parseTaxTable(text) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: `The table ${error.message}.` };
    throw error;
  }
}
