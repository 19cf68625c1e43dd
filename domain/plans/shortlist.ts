/** The shortlist of a plan as an address: `/plans/new?zones=…,…`. */
import { MAX_PLACEMENTS } from './limits.ts';

/** An ad zone or website, and what the advertiser has chosen for it. Undefined: the page's own choice. */
export type Entry = {
  /** The public id of an ad zone, or of a website of which the cheapest fitting ad zone is taken. */
  ref: string;
  /** The id of a pricing option. */
  option?: number | undefined;
  quantity?: number | undefined;
  /** The first day, as YYYY-MM-DD. */
  startDate?: string | undefined;
};

const ENTRY =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\.(\d{0,9}))?(?:\.(\d{0,5}))?(?:\.(\d{4}-\d\d-\d\d)?)?$/;

/** Reads `zones=` of an address. Parts that are none are left out, and a second part of the same ad zone, too. */
export function parseShortlist(text: string | null): Entry[] {
  const entries = new Map<string, Entry>();
  for (const part of text?.toLowerCase().split(',') ?? []) {
    const [, ref, option, quantity, startDate] = ENTRY.exec(part) ?? [];
    if (ref === undefined || entries.has(ref)) continue;
    entries.set(ref, { ref, option: numberOf(option), quantity: numberOf(quantity), startDate });
  }
  return [...entries.values()];
}

/** The reverse of parseShortlist(). Choices that were not made are left out. */
export function shortlistText(entries: readonly Entry[]): string {
  return entries
    .map(({ ref, option, quantity, startDate }) =>
      [ref, option, quantity, startDate].join('.').replace(/\.+$/, ''),
    )
    .join(',');
}

/** The address of the page that builds a plan. */
export function newPlanAddress(entries: readonly Entry[]): string {
  return entries.length === 0 ? '/plans/new' : `/plans/new?zones=${shortlistText(entries)}`;
}

/** Adds `more` to `entries`. Those that are already in the list keep their place and take over new choices. */
export function addEntries(entries: readonly Entry[], more: readonly Entry[]): Entry[] {
  const added = new Map(entries.map((entry) => [entry.ref, entry]));
  for (const entry of more) {
    const known = added.get(entry.ref);
    added.set(entry.ref, known && entry.option === undefined ? known : entry);
  }
  return [...added.values()];
}

export const isTooLong = (entries: readonly Entry[]): boolean => entries.length > MAX_PLACEMENTS;

function numberOf(text: string | undefined): number | undefined {
  return text ? Number(text) : undefined;
}
