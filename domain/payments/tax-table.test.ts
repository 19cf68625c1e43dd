import { describe, expect, it } from 'vitest';
import { percentOf, rateText, taxFor, taxOfSupply, type TaxTable } from './tax.ts';
import { parseTaxTable, taxTableChanges, taxTableFile } from './tax-table.ts';

/** A day on which the tables without days are read. */
const day = '2026-03-02';

describe('a table of tax rates', () => {
  // Proves OWNS-64
  it.each([
    'no JSON',
    '[]',
    'null',
    '{"XX": "19.00"}',
    '{"de": "19.00"}',
    '{"Default": "0"}',
    '{"DE": 19}',
    '{"DE": "-1"}',
    '{"DE": "100.001"}',
    '{"DE": "101"}',
    '{"DE": "19,00"}',
    '{"DE": "19.0000"}',
    '{"DE": ""}',
    '{"DE": null}',
    '{"DE": "19.00", "DE": "7.00"}',
  ])('is refused with a reason: %s', (text) => {
    expect(() => parseTaxTable(text)).toThrow(/^must .+/);
  });

  // Proves DOCU-04
  it('has a rate for a country, and the default for all others', () => {
    const rateOf = (table: TaxTable | null, country: string) =>
      taxFor(table, { country, isBusiness: true, day })?.rate ?? null;
    const rates = parseTaxTable(
      '{"default": "0.00", "DE": "19.00", "CH": "8.1", "CA": "14.975", "US": "100"}',
    );
    expect(['DE', 'CH', 'CA', 'US', 'FR'].map((country) => rateOf(rates, country))).toEqual([
      19_000, 8100, 14_975, 100_000, 0,
    ]);
    expect(rateOf(parseTaxTable('{"DE": "19.00"}'), 'FR')).toBeNull();
    expect(rateOf(parseTaxTable('{"DE": "19.00"}'), 'constructor')).toBeNull();
    expect(rateOf(null, 'DE')).toBeNull();
    expect([19_000, 8100, 14_975, 0].map(rateText)).toEqual(['19%', '8.1%', '14.975%', '0%']);
  });
});

const V2 = (countries: string, more = '') =>
  `{"version": 2, "seller": "DE", "countries": {${countries}}${more}}`;
const DE = '"DE": {"rate": "19.00", "business": "charge"}';

describe('a table of version 2', () => {
  // Proves OWNS-64
  it.each([
    [V2(`${DE}, ${DE}`), '“DE” only once'],
    [V2('"DE": {"rate": "100"}'), '“DE” a rate from "0.00" to "99.99"'],
    [V2('"DE": {"rate": "-1"}'), '“DE” a rate from'],
    [V2('"DE": {"rate": 19}'), '“DE” a rate from'],
    [V2('"DE": {}'), '“DE” a rate from'],
    [V2('"DE": "19.00"'), '“DE” an object'],
    [V2('"XX": {"rate": "1.00"}'), 'instead of “XX”'],
    [V2('"DE": {"rate": "19.00", "rates": "1"}'), 'instead of “rates”'],
    [V2(DE, ', "currency": "EUR"'), 'instead of “currency”'],
    [V2('"IT": {"rate": "22.00", "business": "reverse_charge"}'), '“IT” a sentence about the reverse charge'],
    [V2('"IT": {"rate": "22.00", "business": "reverse_charge", "sentence": " "}'), '“IT” a sentence'],
    [V2('"IT": {"rate": "22.00", "business": "exempt"}'), '“IT” the business'],
    [
      V2('"IT": {"rate": "22.00", "reason": "not_taxed"}'),
      '“IT” the reason "not_taxed" with the rate "0.00"',
    ],
    [`{"version": 3, "seller": "DE", "countries": {}}`, '"version": 2'],
    [`{"version": 2, "countries": {}}`, '"seller"'],
    [`{"version": 2, "seller": "DE"}`, '"countries"'],
    [`{"version": 2, "seller": "de", "countries": {}}`, 'instead of “de”'],
  ])('is refused: %s', (text, says) => {
    expect(() => parseTaxTable(text)).toThrow(/^must /);
    expect(() => parseTaxTable(text)).toThrow(says);
  });

  // Proves OWNS-64
  it('charges by the country, and a business with a tax number where the country says so', () => {
    const table = parseTaxTable(
      V2(
        `${DE}, "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge: \\"DE\\": you owe it."}`,
        ', "default": {"rate": "0.00", "reason": "not_taxed", "sentence": "Not taxable."}',
      ),
    );
    const of = (country: string, isBusiness: boolean) => taxFor(table, { country, isBusiness, day });
    expect(of('DE', true)).toEqual({ country: 'DE', rate: 19_000, reason: null, sentence: null });
    expect(of('IT', false)).toEqual({ country: 'IT', rate: 22_000, reason: null, sentence: null });
    expect(of('IT', true)).toEqual({
      country: 'IT',
      rate: 0,
      reason: 'reverse_charge',
      sentence: 'Reverse charge: "DE": you owe it.',
    });
    expect(of('US', false)).toEqual({
      country: 'US',
      rate: 0,
      reason: 'not_taxed',
      sentence: 'Not taxable.',
    });
    expect(of('constructor', false)?.reason).toBe('not_taxed');
    expect(taxFor(null, { country: 'DE', isBusiness: false, day })).toBeNull();
    expect([19_000, 8100, 0, 14_975].map(percentOf)).toEqual(['19.00', '8.10', '0.00', '14.975']);
  });
});

describe('a table with days', () => {
  const rateOn = (table: TaxTable, at: string, country = 'DE') =>
    taxFor(table, { country, isBusiness: false, day: at })?.rate;

  // Proves OWNS-131
  it.each([
    ['a country of the short form', '{"DE": ["19.00", {"from": "2027-07-01", "rate": "16.00"}]}'],
    ['the default', '{"default": ["19.00", {"from": "2027-07-01", "rate": "16.00"}]}'],
    ['version 2', V2('"DE": [{"rate": "19.00"}, {"from": "2027-07-01", "rate": "16.00"}]')],
  ])('has the new rate from its day on: %s', (_what, text) => {
    const table = parseTaxTable(text);
    expect(['2026-01-01', '2027-06-30', '2027-07-01', '2031-01-01'].map((at) => rateOn(table, at))).toEqual([
      19_000, 19_000, 16_000, 16_000,
    ]);
  });

  // Proves OWNS-131
  it('keeps what a later rule does not name', () => {
    const table = parseTaxTable(
      V2(
        '"IT": [{"rate": "22.00", "business": "reverse_charge", "sentence": "You owe it."}, {"from": "2027-07-01", "rate": "23.00"}]',
        ', "default": [{"rate": "0.00", "reason": "not_taxed", "sentence": "No."}, {"from": "2028-02-29", "rate": "5.00", "reason": null}]',
      ),
    );
    const business = { country: 'IT', isBusiness: true, day: '2027-07-01' };
    expect(taxFor(table, business)).toMatchObject({ reason: 'reverse_charge', sentence: 'You owe it.' });
    expect(rateOn(table, '2027-07-01', 'IT')).toBe(23_000);
    expect(taxFor(table, { ...business, country: 'US', day: '2028-02-29' })).toMatchObject({
      rate: 5000,
      reason: null,
      sentence: 'No.',
    });
    const supply = { country: 'DE', chargesTax: true, isBusiness: true };
    const german = parseTaxTable(V2('"DE": [{"rate": "19.00"}, {"from": "2027-07-01", "rate": "16.00"}]'));
    expect(taxOfSupply(german, { ...supply, day: '2027-06-30' }).tax?.rate).toBe(19_000);
    expect(taxOfSupply(german, { ...supply, day: '2027-07-01' }).tax?.rate).toBe(16_000);
  });

  const later = (text: string) => [
    `{"DE": ["19.00", ${text}]}`,
    V2(`"DE": [{"rate": "19.00"}, ${text}]`),
    V2('', `, "default": [{"rate": "19.00"}, ${text}]`),
  ];
  // Proves OWNS-131
  it.each([
    [
      'two rates of a day',
      '{"from": "2027-07-01", "rate": "16.00"}, {"from": "2027-07-01", "rate": "17.00"}',
      'only one rate from 2027-07-01',
    ],
    [
      'days out of order',
      '{"from": "2027-07-01", "rate": "16.00"}, {"from": "2027-01-01", "rate": "19.00"}',
      '2027-01-01 is after 2027-07-01',
    ],
    [
      'a day that does not exist',
      '{"from": "2027-02-30", "rate": "16.00"}',
      'a day that exists as "from", such as "2027-07-01", instead of "2027-02-30"',
    ],
    ['a day of another form', '{"from": "1.7.2027", "rate": "16.00"}', 'a day that exists'],
    ['no day', '{"rate": "16.00"}', 'a day that exists'],
    ['a second rate without a day', '"16.00"', 'later rates as {"from"'],
    [
      'a word that is none',
      '{"from": "2027-07-01", "rate": "16.00", "until": "2028-01-01"}',
      'instead of “until”',
    ],
    ['a rate that is none', '{"from": "2027-07-01", "rate": 16}', '“DE” a'],
  ])('is refused with the name of its country: %s', (_what, text, says) => {
    for (const table of later(text)) {
      const country = table.includes('"default"') ? '“default”' : '“DE”';
      expect(() => parseTaxTable(table)).toThrow(/^must /);
      expect(() => parseTaxTable(table)).toThrow(says.replace('“DE”', country));
      expect(() => parseTaxTable(table)).toThrow(country);
    }
  });

  // Proves OWNS-131
  it.each([
    '{"DE": [{"from": "2027-07-01", "rate": "16.00"}]}',
    V2('"DE": {"from": "2027-07-01", "rate": "16.00"}'),
    V2('"DE": [{"from": "2027-07-01", "rate": "16.00"}, {"from": "2028-01-01", "rate": "19.00"}]'),
  ])('is refused if no rate is in force before its first day: %s', (text) => {
    expect(() => parseTaxTable(text)).toThrow(
      'must give “DE” a first rate without "from", because no rate is in force before "2027-07-01"',
    );
  });
  it.each(['{"DE": []}', V2('"DE": []')])('is refused if it is empty: %s', (text) => {
    expect(() => parseTaxTable(text)).toThrow(/^must give “DE” /);
  });
});

describe('two tables', () => {
  const changes = (before: string | null, after: string | null) =>
    taxTableChanges(
      before === null ? null : parseTaxTable(before),
      after === null ? null : parseTaxTable(after),
    );
  const italian = (sentence: string) =>
    V2(`"IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "${sentence}"}`);

  // Proves OWNS-133
  it('differ by what people can read', () => {
    const dated =
      '{"DE": ["19.00", {"from": "2027-07-01", "rate": "16.00"}], "CH": "8.1", "default": "0.00"}';
    expect(changes('{"DE": "19.00", "AT": "20.00", "default": "0.00"}', dated)).toEqual([
      'AT 20.00 → none',
      'CH none → 8.10',
      'DE 19.00 → 19.00, 16.00 from 2027-07-01',
    ]);
    expect(changes(dated, dated)).toEqual([]);
    expect(changes(null, '{"default": "0.00"}')).toEqual(['default none → 0.00']);
    expect(changes(V2(DE), null)).toEqual(['seller DE → none', 'DE 19.00 → none']);
    expect(changes(italian('A.'), italian('B.'))).toEqual(['IT another sentence']);
    expect(changes(V2('"IT": {"rate": "22.00"}'), italian('A.'))).toEqual([
      'IT 22.00 → 22.00 reverse charge',
    ]);
  });
});

// Proves BOOK-260
it.each([
  '{"DE": ["19.00", {"from": "2027-07-01", "rate": "16.00"}], "default": "0.00"}',
  `{"version": 2, "seller": "DE", "countries": {
    "IT": [{"rate": "22.00"}, {"from": "2027-03-01", "business": "reverse_charge", "sentence": "Reverse charge."}],
    "DE": {"rate": "8.1"}}, "default": {"rate": "0.00", "reason": "not_taxed"}}`,
  '{"version": 2, "seller": "NZ", "countries": {}}',
])('writes a table as a file that says the same: %s', (text) => {
  const table = parseTaxTable(text);
  expect(parseTaxTable(JSON.stringify(taxTableFile(table)))).toEqual(table);
});
