/** The calls of the console's search. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { pageQuery } from '../../fields.ts';
import { MAX_SEARCH } from '../limits.ts';

/** The kinds of things that are found, in the order in which they are shown. */
export const FOUND_KINDS = ['person', 'website', 'zone', 'ad', 'document', 'payment', 'act'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

/** The kinds whose hits can be listed page by page. */
export const LISTED_KINDS = ['person', 'website', 'zone', 'ad', 'document'] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

/** The most hits of a kind on the page of all kinds. */
export const MAX_HITS = 8;

const words = z.string().trim().max(MAX_SEARCH, `Search for at most ${MAX_SEARCH} characters.`);

export const foundItem = z.object({
  path: z.string(),
  name: z.string(),
  /** The rest of the line, '' for nothing. */
  about: z.string(),
  isSuspended: z.boolean(),
  /** The number of the thing, which comes last. */
  number: z.string(),
});
export type FoundItem = z.output<typeof foundItem>;

export const findAnything = endpoint({
  method: 'GET',
  path: '/api/operator/find',
  summary:
    'Finds people, websites, ad zones, ads, documents, payments and acts by words, numbers and ids, at most 8 of each',
  query: z.object({ q: words.default('') }),
  reply: z.object({
    /** Those with a hit. */
    groups: z.array(z.object({ kind: z.enum(FOUND_KINDS), items: z.array(foundItem), hasMore: z.boolean() })),
    /** Whether the search can be the reference of an error, which only the log of the server has. */
    isReference: z.boolean(),
  }),
});

export const findOfKind = endpoint({
  method: 'GET',
  path: '/api/operator/find/:kind',
  summary: 'Finds things of one kind, the newest first',
  params: z.object({ kind: z.enum(LISTED_KINDS) }),
  query: pageQuery.extend({ q: words.default('') }),
  reply: z.array(foundItem),
  paged: true,
});
