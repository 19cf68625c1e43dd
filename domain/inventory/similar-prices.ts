/** The prices that similar ad zones of other publishers ask and get, for a publisher who sets a price. */

export const SIMILARITIES = ['size_and_category', 'size', 'type_and_category'] as const;
export type Similarity = (typeof SIMILARITIES)[number];

/** The models whose prices can be compared: the price of a day, and of 1,000 views. */
export const COMPARED_MODELS = ['per_day', 'per_impression'] as const;
export type ComparedModel = (typeof COMPARED_MODELS)[number];

/** With fewer zones or publishers, a figure would say what a single publisher asks. */
const MIN_ZONES = 5;
const MIN_PUBLISHERS = 3;

/** Prices in cents: of a day, or of 1,000 views. Null if the zone has none. */
type Prices = Readonly<Record<ComparedModel, number | null>>;

export type SimilarZone = {
  publisherId: number;
  isSameSize: boolean;
  isSameType: boolean;
  isSameCategory: boolean;
  asked: Prices;
  /** Of the zone's last sale. */
  paid: Prices;
};

export type SimilarPrices = {
  model: ComparedModel;
  similarity: Similarity;
  zones: number;
  publishers: number;
  /** In cents: half of the publishers ask between these two. */
  low: number;
  high: number;
  median: number;
  /** In cents: the median of the last sales. Null with too few sales. */
  paid: number | null;
};

const IS_SIMILAR: Readonly<Record<Similarity, (zone: SimilarZone) => boolean>> = {
  size_and_category: ({ isSameSize, isSameCategory }) => isSameSize && isSameCategory,
  size: ({ isSameSize }) => isSameSize,
  type_and_category: ({ isSameType, isSameCategory }) => isSameType && isSameCategory,
};

/** The figures of each model from its most similar zones that are enough. A model without enough zones is left out. */
export function similarPrices(zones: readonly SimilarZone[]): SimilarPrices[] {
  return COMPARED_MODELS.flatMap((model) => {
    for (const similarity of SIMILARITIES) {
      const figures = figuresOf(
        zones.filter((zone) => IS_SIMILAR[similarity](zone)),
        model,
      );
      if (figures) return [{ model, similarity, ...figures }];
    }
    return [];
  });
}

function figuresOf(zones: readonly SimilarZone[], model: ComparedModel) {
  const asking = zones.filter(({ asked }) => asked[model] !== null);
  const asked = pricesByPublisher(asking, (zone) => zone.asked[model]);
  if (asked === null) return null;
  const paid = pricesByPublisher(zones, (zone) => zone.paid[model]);
  return {
    zones: asking.length,
    publishers: asked.length,
    low: rounded(quantile(asked, 0.25)),
    high: rounded(quantile(asked, 0.75)),
    median: rounded(quantile(asked, 0.5)),
    paid: paid && rounded(quantile(paid, 0.5)),
  };
}

/**
 * The median price of each publisher, sorted; null if there are too few zones or publishers. Each publisher counts once,
 * so that nobody's prices become the figure because of many zones.
 */
function pricesByPublisher(
  zones: readonly SimilarZone[],
  priceOf: (zone: SimilarZone) => number | null,
): number[] | null {
  const priced = zones.flatMap((zone) => {
    const price = priceOf(zone);
    return price === null ? [] : [{ publisherId: zone.publisherId, price }];
  });
  const publishers = [...Map.groupBy(priced, ({ publisherId }) => publisherId).values()];
  if (priced.length < MIN_ZONES || publishers.length < MIN_PUBLISHERS) return null;
  const medians = publishers.map((own) => quantile(own.map(({ price }) => price).toSorted(byValue), 0.5));
  return medians.toSorted(byValue);
}

const byValue = (a: number, b: number) => a - b;

/** `sorted` is not empty. Interpolates between the two neighbors. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const before = sorted[Math.floor(place)] as number;
  const after = sorted[Math.ceil(place)] as number;
  return before + (after - before) * (place - Math.floor(place));
}

/** Two digits are enough to choose a price, and do not repeat the exact price of one publisher. */
function rounded(cents: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(cents, 1))) - 1);
  return Math.max(1, Math.round(cents / step) * step);
}
