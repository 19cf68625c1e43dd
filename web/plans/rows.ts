/** The rows of a plan that is being built: what the shortlist names, with what can be booked of it now. */
import { AD_KINDS, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { daysBetween, firstFree, isStartDay, MAX_DAYS_AHEAD } from '#domain/ads/booking.ts';
import { isUnknown } from '#domain/delivery/forecast-text.ts';
import { planOf, type AdPlan } from '#domain/inventory/pricing.ts';
import { allowsQuantity, timesPlan, totalCentsAt } from '#domain/inventory/quantity.ts';
import { decimalOf } from '#domain/money.ts';
import type { Choice } from '#domain/plans/contract.ts';
import { expectedInAll, expectedOf, type Expected } from '#domain/plans/expected.ts';
import type { Entry } from '#domain/plans/shortlist.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { addDays, utcDay } from '#domain/time.ts';

/** A pricing option in one of the ad zones that a row can be booked in. */
export type Option = { choice: Choice; product: Choice['products'][number] };

export type Row = {
  entry: Entry;
  /** Null if nothing of it can be booked any more. */
  website: Choice['website'] | null;
  /** Those for the ad type of the plan, the cheapest first. */
  options: readonly Option[];
  /** The chosen one, or else the cheapest by the day, or else the cheapest; null without one. */
  chosen: Option | null;
  /** The chosen quantity if the option allows it, or else its smallest one. */
  quantity: number;
  /** The price of the quantity; 0 without an option. */
  cents: number;
  expected: Expected | null;
  /** Null without an option, or if no start is free. */
  start: Start | null;
  problem: 'gone' | 'type' | 'image' | 'full' | null;
};

/** When an ad starts that is booked now. Days are in UTC. */
export type Start = {
  /** Null: when it is paid. */
  day: string | null;
  /** The last day of an ad by the day that has a first one. */
  last: string | null;
  /** Whether the wanted start, or today without one, is not free. */
  isLater: boolean;
};

/** Values that all ads of a plan have in common. */
export type Wanted = {
  adType: AdType;
  /** The images of the plan by shape; none while its ads have none. */
  images: Readonly<Record<string, string>>;
  /** Null: as soon as each ad can start. */
  startDate: string | null;
  /** Null: everybody is shown the ads. */
  targeting: Targeting | null;
};

export function rowsOf(
  entries: readonly Entry[],
  choices: readonly Choice[],
  { adType, images, startDate, targeting }: Wanted,
  now = new Date(),
): Row[] {
  return entries.map((entry) => {
    const own = choicesOf(entry.ref, choices);
    const options = own
      .flatMap((choice) => choice.products.map((product) => ({ choice, product })))
      .filter(({ product }) => product.adType === adType)
      .toSorted((a, b) => smallest(a).cents - smallest(b).cents);
    const chosen =
      options.find(({ product }) => product.id === entry.option) ??
      // The cheapest option of all is often a single click.
      options.find(({ product }) => product.pricingModel === 'per_day') ??
      options[0] ??
      null;
    const quantity = chosen ? quantityOf(entry, chosen) : 1;
    const start = chosen && startOf(chosen, quantity, startDate, utcDay(now));
    return {
      entry,
      website: own[0]?.website ?? null,
      options,
      chosen,
      quantity,
      cents: chosen ? totalCentsAt(chosen.product, quantity) : 0,
      expected: chosen && expectedFor(chosen, quantity, targeting !== null),
      start,
      problem: problemOf(own, chosen, adType, images) ?? (chosen && !start ? 'full' : null),
    };
  });
}

/** The first start that is free from the wanted day, or from today; null if there is none. */
function startOf(
  { choice, product }: Option,
  quantity: number,
  wanted: string | null,
  today: string,
): Start | null {
  if (wanted !== null && !isStartDay(wanted, today)) return null;
  const plan = timesPlan(planOf(product), quantity);
  if (plan.pricingModel !== 'per_day') return { day: wanted, last: null, isLater: false };
  const from = wanted ?? today;
  const { duration } = plan;
  const first = firstFree(closedDaysOf(choice), { from, last: addDays(today, MAX_DAYS_AHEAD), duration });
  if (first === null) return null;
  const isLater = first !== from;
  // Days that nobody holds are those after the payment.
  if (wanted === null && !isLater && !choice.holdsDays) return { day: null, last: null, isLater };
  return { day: first, last: addDays(first, duration - 1), isLater };
}

const closedDaysOf = ({ closed }: Choice): ReadonlySet<string> =>
  new Set(closed.flatMap(({ from, to }) => daysBetween(from, addDays(to, 1))));

function problemOf(
  own: readonly Choice[],
  chosen: Option | null,
  adType: AdType,
  images: Readonly<Record<string, string>>,
): Row['problem'] {
  if (own.length === 0) return 'gone';
  if (chosen === null) return 'type';
  return AD_KINDS[adType].image === 'creative' && !images[shapeOf(chosen.choice.zone)] ? 'image' : null;
}

function quantityOf({ quantity }: Entry, { product }: Option): number {
  return quantity !== undefined && allowsQuantity(product, quantity) ? quantity : product.minQuantity;
}

/** The price and the plan of the smallest quantity of an option. */
export function smallest({ product }: Option): { cents: number; plan: AdPlan } {
  const { minQuantity } = product;
  return { cents: totalCentsAt(product, minQuantity), plan: timesPlan(planOf(product), minQuantity) };
}

/** An estimate without a call for each ad zone: the ads that run there share its views. */
function expectedFor(
  { choice: { zone, within }, product }: Option,
  quantity: number,
  isLimited: boolean,
): Expected {
  const part = isLimited ? within : 1;
  const viewsPerDay =
    isUnknown(zone.forecast) || part === null
      ? null
      : (zone.forecast.viewsPerDay.likely * part) / (zone.liveAds + 1);
  return expectedOf(timesPlan(planOf(product), quantity), viewsPerDay, zone.measured?.clickRate ?? null);
}

/** The ad type that most of the shortlist sells. */
export function commonType(entries: readonly Entry[], choices: readonly Choice[]): AdType {
  const sellers = (type: AdType) =>
    entries.filter(({ ref }) =>
      choicesOf(ref, choices).some(({ products }) => products.some(({ adType }) => adType === type)),
    ).length;
  return AD_TYPES.toSorted((a, b) => sellers(b) - sellers(a))[0] ?? AD_TYPES[0];
}

/** The bookable ad zones that a reference names. */
function choicesOf(ref: string, choices: readonly Choice[]): Choice[] {
  return choices.filter(({ zone, website }) => ref === zone.publicId || ref === website.publicId);
}

export function totalOf(rows: readonly Row[]): string {
  return decimalOf(rows.reduce((sum, { cents }) => sum + cents, 0));
}

export function expectedOfAll(rows: readonly Row[]): Expected {
  return expectedInAll(rows.flatMap(({ expected }) => expected ?? []));
}

type Size = { width: number; height: number };

/** The shape of an ad zone, such as '6:5'. Ad zones of one shape take the same image. */
export function shapeOf({ width, height }: Size): string {
  const divisor = greatestDivisor(width, height);
  return `${width / divisor}:${height / divisor}`;
}

/** The largest size of each shape that the plan needs an image for, the widest shape first. */
export function imageSizes(rows: readonly Row[]): { shape: string; size: Size }[] {
  const largest = new Map<string, Size>();
  for (const { chosen } of rows) {
    if (!chosen) continue;
    const { width, height } = chosen.choice.zone;
    const shape = shapeOf({ width, height });
    if (width > (largest.get(shape)?.width ?? 0)) largest.set(shape, { width, height });
  }
  return [...largest]
    .map(([shape, size]) => ({ shape, size }))
    .toSorted((a, b) => b.size.width / b.size.height - a.size.width / a.size.height);
}

/** Such as '300 × 250'. */
export const sizeText = ({ width, height }: Size): string => `${width} × ${height}`;

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
