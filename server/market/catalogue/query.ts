import { z } from 'zod';
import { AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { CATALOGUE_SORTS, type CatalogueSort } from '#domain/inventory/sorts.ts';
import { TRAFFIC_LEVELS, type TrafficLevel } from '#domain/inventory/traffic.ts';
import { MAX_ZONE_PIXELS } from '#domain/inventory/zones.ts';
import { centsOf } from '#domain/money.ts';

/** The search of a visitor in the catalogue. */
export type CatalogueQuery = {
  q?: string | undefined;
  category?: string | undefined;
  traffic?: TrafficLevel | undefined;
  adType?: AdType | undefined;
  size?: { width: number; height: number } | undefined;
  maxPrice?: string | undefined;
  from?: string | undefined;
  sort: CatalogueSort;
  cursor?: string | undefined;
};

/** The names of the query's parameters, in the order in which the page's own links have them. */
export const PARAMETERS = [
  'q',
  'category',
  'traffic',
  'adType',
  'size',
  'maxPrice',
  'from',
  'sort',
  'cursor',
] as const;

const oneOf = (what: string, values: readonly string[]) => `Choose ${what}: ${values.join(', ')}.`;

const SIZE = 'Enter a size such as 300x250.';

const size = z.string(SIZE).transform((text, context) => {
  const [, width = 0, height = 0] = (/^(\d{1,4})[x×](\d{1,4})$/i.exec(text.replaceAll(' ', '')) ?? []).map(
    Number,
  );
  if (Math.min(width, height) > 0 && Math.max(width, height) <= MAX_ZONE_PIXELS) return { width, height };
  context.addIssue({ code: 'custom', message: SIZE });
  return z.NEVER;
});

const schemaOn = (today: string, categories: readonly string[]) =>
  z
    .object({
      // PostgreSQL's text cannot hold U+0000.
      q: z
        .string('Enter the words once.')
        .transform((text) => text.replaceAll('\0', '').trim().slice(0, 200) || undefined),
      category: z.enum(categories, oneOf('a category', categories)),
      traffic: z.enum(TRAFFIC_LEVELS, oneOf('a traffic level', TRAFFIC_LEVELS)),
      adType: z.enum(AD_TYPES, oneOf('an ad type', AD_TYPES)),
      size,
      maxPrice: z
        .string('Enter one amount.')
        .regex(/^\d{1,8}(\.\d{1,2})?$/, 'Enter an amount such as 50 or 12.50, without a symbol.'),
      from: z.iso
        .date('Enter a day such as 2027-03-31.')
        .refine((day) => day >= today, 'Choose today or a later day.'),
      sort: z.enum(CATALOGUE_SORTS, oneOf('an order', CATALOGUE_SORTS)),
      cursor: z.string('Start again from the first page.'),
    })
    .partial();

/** A parameter that cannot be used, and what the visitor can do. */
export type QueryProblem = { name: string; value: string; message: string };

/**
 * Reads the query of `/sites`. What can be used is in `query`, so that the form keeps it. `today` is the UTC day, and
 * `categories` are those that can be asked for.
 */
export function readQuery(
  raw: Record<string, unknown>,
  { today, categories }: { today: string; categories: readonly string[] },
): { query: CatalogueQuery; problems: QueryProblem[] } {
  // A form sends the fields that the visitor left empty, too.
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ''));
  const schema = schemaOn(today, categories);
  const problems = new Map<string, QueryProblem>();
  for (const { path, message } of schema.safeParse(given).error?.issues ?? []) {
    const name = String(path[0]);
    if (!problems.has(name)) problems.set(name, { name, value: String(given[name]), message });
  }
  for (const name of problems.keys()) delete given[name];
  return { query: { sort: 'views', ...defined(schema.parse(given)) }, problems: [...problems.values()] };
}

function defined<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>;
  };
}

/** The address of the catalogue with this query, without what is usual. Two queries of one meaning have one address. */
export function catalogueAddress({ size: wanted, sort, ...rest }: CatalogueQuery): string {
  const texts: Record<string, string | undefined> = {
    ...rest,
    size: wanted && `${wanted.width}x${wanted.height}`,
    sort: sort === 'views' ? undefined : sort,
  };
  const query = new URLSearchParams();
  for (const name of PARAMETERS) {
    const text = texts[name];
    if (text !== undefined) query.set(name, text);
  }
  return query.size === 0 ? '/sites' : `/sites?${query.toString()}`;
}

export function maxPriceCents({ maxPrice }: CatalogueQuery): number | undefined {
  return maxPrice === undefined ? undefined : centsOf(maxPrice);
}
