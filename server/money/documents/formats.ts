import type { Currency } from '#domain/money.ts';

/** How a document writes dates, amounts and rates. */
export type Formats = {
  money: (cents: number) => string;
  /** `day` is YYYY-MM-DD. */
  day: (day: string) => string;
  /** `month` is YYYY-MM. */
  month: (month: string) => string;
  /** In thousandths of a percent. */
  rate: (rate: number) => string;
};

/** The interface is in English. */
const DEFAULT = 'en-US';

/** Digits and calendar are those of the amounts and days in the books, whatever is usual with the reader. */
const PLAIN = { numberingSystem: 'latn', calendar: 'gregory' } as const;

/**
 * The formats of a reader by their `Accept-Language`, of which the first language that is known counts: '119,00 €' and
 * '10.01.2026' in Germany. Words stay in English.
 */
export function formatsFor(acceptLanguage: string | undefined, currency: Currency): Formats {
  const locale = preferredLocale(acceptLanguage ?? '');
  const money = new Intl.NumberFormat(locale, { ...PLAIN, style: 'currency', currency });
  const day = new Intl.DateTimeFormat(locale, { ...PLAIN, dateStyle: 'medium', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, {
    ...PLAIN,
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const rate = new Intl.NumberFormat(locale, { ...PLAIN, style: 'percent', maximumFractionDigits: 3 });
  return {
    money: (cents) => money.format(cents / 100),
    day: (text) => day.format(new Date(text)),
    month: (text) => month.format(new Date(`${text}-01T00:00:00Z`)),
    rate: (thousandths) => rate.format(thousandths / 100_000),
  };
}

/** `*` and languages that are unknown or misspelt are passed over. (RFC 9110, 12.5.4) */
function preferredLocale(acceptLanguage: string): string {
  const wanted = acceptLanguage
    .split(',')
    .map((part) => {
      const [language = '', quality] = part.trim().split(/\s*;\s*q=/);
      return { language, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(language) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return wanted.map(({ language }) => supported(language)).find((language) => language !== null) ?? DEFAULT;
}

function supported(language: string): string | null {
  try {
    return Intl.NumberFormat.supportedLocalesOf([language])[0] ?? null;
  } catch {
    // A tag such as 'de-de-de' is no language.
    return null;
  }
}
