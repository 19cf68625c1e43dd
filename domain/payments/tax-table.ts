/** The table of TAX_RATES_FILE: how it is read, and how two of them differ. */
import { COUNTRY_CODES } from '../countries.ts';
import { isDay } from './periods.ts';
import { HUNDRED_PERCENT, percentOf, rateOfText, type TaxRule, type TaxRules, type TaxTable } from './tax.ts';

const EXAMPLE = '{"default": "0.00", "DE": "19.00"}';

/**
 * Reads the table of TAX_RATES_FILE: version 2, or a list of rates such as `{"default": "0.00", "DE": "19.00"}`, by which
 * everybody is charged. In place of one rate or rule, both take a list of them with their days. Throws RangeError with a
 * message that begins with 'must', because the caller puts the name of the setting before it. [OWNS-64, OWNS-131]
 */
export function parseTaxTable(text: string): TaxTable {
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    throw new RangeError(`must name a file of JSON, such as ${EXAMPLE}`);
  }
  if (!isObject(table)) throw new RangeError(`must name a file with one JSON object, such as ${EXAMPLE}`);
  requireEachOnce(text);
  return 'version' in table ? tableOf(table) : listOf(table);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON.parse keeps the last of two entries of one country, so the text itself is read. */
function requireEachOnce(text: string): void {
  const seen = new Set<string>();
  for (const [, name = ''] of text.matchAll(/(?<!\\)"([A-Z]{2}|default|countries|version|seller)"\s*:/g)) {
    if (seen.has(name)) throw new RangeError(`must name “${name}” only once`);
    seen.add(name);
  }
}

function listOf(table: Record<string, unknown>): TaxTable {
  const all = Object.entries(table).map(([country, given]): [string, TaxRules] => {
    if (country !== 'default') requireCountry(country);
    const [first, ...dated] = Array.isArray(given) ? (given as unknown[]) : [given];
    return [country, rulesOf(country, [isObject(first) ? first : { rate: first }, ...dated], shortRule)];
  });
  const { default: fallback = null, ...countries } = Object.fromEntries<TaxRules>(all);
  return { seller: null, countries, default: fallback };
}

function tableOf({
  version,
  seller,
  countries,
  default: fallback,
  ...more
}: Record<string, unknown>): TaxTable {
  if (version !== 2) throw new RangeError('must have "version": 2, or be a list of rates without a version');
  const [foreign] = Object.keys(more);
  if (foreign !== undefined)
    throw new RangeError(`must have only version, seller, countries and default instead of “${foreign}”`);
  if (typeof seller !== 'string') throw new RangeError('must name your own country as "seller"');
  requireCountry(seller);
  if (!isObject(countries))
    throw new RangeError('must have an object "countries" with a rule for each country');
  const rules = (country: string, given: unknown) =>
    rulesOf(country, Array.isArray(given) ? given : [given], ruleOf);
  return {
    seller,
    countries: Object.fromEntries(
      Object.entries(countries).map(([country, given]) => {
        requireCountry(country);
        return [country, rules(country, given)];
      }),
    ),
    default: fallback === undefined ? null : rules('default', fallback),
  };
}

type Terms = Omit<TaxRule, 'from'>;

/** Checks the days of the rules of a country. A later rule keeps what it does not name of the one before. */
function rulesOf(
  country: string,
  given: readonly unknown[],
  termsOf: (country: string, given: Record<string, unknown>) => Terms,
): TaxRules {
  let inForce: Record<string, unknown> = {};
  const rules = given.map((each, at): TaxRule => {
    if (!isObject(each))
      throw new RangeError(
        at === 0
          ? `must give “${country}” an object, such as {"rate": "19.00"}`
          : `must give “${country}” later rates as {"from": "2027-07-01", "rate": "16.00"}`,
      );
    const { from, ...terms } = each;
    inForce = { ...inForce, ...terms };
    return { from: at === 0 ? noDayOf(country, from) : dayOf(country, from), ...termsOf(country, inForce) };
  });
  const [first, ...later] = rules;
  if (first === undefined) throw new RangeError(`must give “${country}” a rate`);
  requireOrder(country, later);
  return [first, ...later];
}

function noDayOf(country: string, from: unknown): null {
  if (from === undefined) return null;
  throw new RangeError(
    `must give “${country}” a first rate without "from", because no rate is in force before ${JSON.stringify(from)}`,
  );
}

function dayOf(country: string, from: unknown): string {
  if (typeof from === 'string' && isDay(from)) return from;
  throw new RangeError(
    `must give each later rate of “${country}” a day that exists as "from", such as "2027-07-01"${from === undefined ? '' : `, instead of ${JSON.stringify(from)}`}`,
  );
}

/** Throws unless each day is after the one before. */
function requireOrder(country: string, rules: readonly TaxRule[]): void {
  for (const [at, { from }] of rules.entries()) {
    const before = rules[at - 1]?.from ?? '';
    if (from === before) throw new RangeError(`must give “${country}” only one rate from ${from}`);
    if (from! < before)
      throw new RangeError(`must list the rates of “${country}” by their days: ${from} is after ${before}`);
  }
}

function shortRule(country: string, { rate: percent, ...more }: Record<string, unknown>): Terms {
  const rate = typeof percent === 'string' ? rateOfText(percent) : null;
  // A JSON number would be a float, and rates are exact.
  if (rate === null)
    throw new RangeError(`must give “${country}” a percentage from "0.00" to "100.00", in quotes`);
  const [foreign] = Object.keys(more);
  if (foreign !== undefined)
    throw new RangeError(`must give “${country}” only rates and their days instead of “${foreign}”`);
  return { rate, business: 'charge', reason: null, sentence: null };
}

function ruleOf(country: string, rule: Record<string, unknown>): Terms {
  const { rate: percent, business = 'charge', reason = null, sentence = null, ...more } = rule;
  const [foreign] = Object.keys(more);
  if (foreign !== undefined)
    throw new RangeError(
      `must give “${country}” only rate, business, reason, sentence and from instead of “${foreign}”`,
    );
  const rate = typeof percent === 'string' ? rateOfText(percent) : null;
  if (rate === null || rate === HUNDRED_PERCENT)
    throw new RangeError(`must give “${country}” a rate from "0.00" to "99.99", in quotes`);
  if (business !== 'charge' && business !== 'reverse_charge')
    throw new RangeError(`must give “${country}” the business "charge" or "reverse_charge"`);
  if (reason !== null && (reason !== 'not_taxed' || rate !== 0))
    throw new RangeError(`must give “${country}” the reason "not_taxed" with the rate "0.00", or null`);
  // PostgreSQL cannot store U+0000.
  const isSentence =
    typeof sentence === 'string' &&
    sentence.trim() !== '' &&
    sentence.length <= 300 &&
    !sentence.includes('\0');
  if (sentence !== null && !isSentence)
    throw new RangeError(`must give “${country}” a sentence of 1 to 300 characters`);
  if (business === 'reverse_charge' && sentence === null)
    throw new RangeError(`must give “${country}” a sentence about the reverse charge`);
  return { rate, business, reason, sentence };
}

function requireCountry(country: string): void {
  if (!COUNTRY_CODES.includes(country))
    throw new RangeError(`must name countries by two capital letters (ISO 3166-1) instead of “${country}”`);
}

/** The table as a file has it: version 2, or a list of rates if it names no country of the marketplace. */
export function taxTableFile({ seller, countries, default: others }: TaxTable): object {
  if (seller === null)
    return Object.fromEntries(
      Object.entries({ ...countries, ...(others && { default: others }) }).map(([country, rules]) => [
        country,
        rules.map(({ from, rate }) => ({ ...(from !== null && { from }), rate: percentOf(rate) })),
      ]),
    );
  const written = (rules: TaxRules) =>
    rules.map(({ from, rate, ...terms }) => ({
      ...(from !== null && { from }),
      rate: percentOf(rate),
      ...terms,
    }));
  return {
    version: 2,
    seller,
    countries: Object.fromEntries(
      Object.entries(countries).map(([country, rules]) => [country, written(rules)]),
    ),
    ...(others && { default: written(others) }),
  };
}

/** '19.00, 16.00 from 2027-07-01'. Leaves the sentences out. */
function rulesText(rules: TaxRules | null): string {
  if (rules === null) return 'none';
  return rules
    .map(({ rate, business, reason, from }) =>
      [
        percentOf(rate),
        ...(business === 'reverse_charge' ? ['reverse charge'] : []),
        ...(reason === null ? [] : ['not taxed']),
        ...(from === null ? [] : [`from ${from}`]),
      ].join(' '),
    )
    .join(', ');
}

/**
 * How a table differs from the one before, such as ['DE 19.00 → 19.00, 16.00 from 2027-07-01'], in the order of the
 * countries. Null: no tax was shown. [OWNS-133]
 */
export function taxTableChanges(before: TaxTable | null, after: TaxTable | null): string[] {
  const names = Object.keys({ ...before?.countries, ...after?.countries });
  const rows: [string, TaxRules | null, TaxRules | null][] = [
    ...names
      .toSorted()
      .map((country): (typeof rows)[number] => [
        country,
        before?.countries[country] ?? null,
        after?.countries[country] ?? null,
      ]),
    ['default', before?.default ?? null, after?.default ?? null],
  ];
  const sellers = [before, after].map((table) => table?.seller ?? 'none') as [string, string];
  return [
    ...(sellers[0] === sellers[1] ? [] : [`seller ${sellers.join(' → ')}`]),
    ...rows.flatMap(([country, from, to]) => {
      const [was, is] = [rulesText(from), rulesText(to)];
      if (was !== is) return [`${country} ${was} → ${is}`];
      return isSameRules(from, to) ? [] : [`${country} another sentence`];
    }),
  ];
}

/** The text is the same, so that only sentences can differ. */
const isSameRules = (before: TaxRules | null, after: TaxRules | null): boolean =>
  (before ?? []).every(({ sentence }, at) => sentence === after?.[at]?.sentence);
