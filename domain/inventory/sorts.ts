/** The orders of the marketplace, the default of its page first. Websites without the figure come last in its order. */
export const SORTS = ['views', 'price', 'ctr', 'newest', 'name'] as const;
export type Sort = (typeof SORTS)[number];
export const DEFAULT_SORT: Sort = SORTS[0];

/** As the interface names them; the figures are in the order in which most advertisers read them. */
export const SORT_NAMES: Record<Sort, string> = {
  views: 'Most views a day',
  price: 'Lowest price per 1,000 views',
  ctr: 'Highest CTR',
  newest: 'Newest',
  name: 'Name',
};

/**
 * The orders of the public catalogue, the default first. Its price is the lowest one that it shows, not that of 1,000
 * views, which many websites don't have.
 */
export const CATALOGUE_SORTS = ['views', 'price', 'newest', 'name'] as const;
export type CatalogueSort = (typeof CATALOGUE_SORTS)[number];

export const CATALOGUE_SORT_NAMES: Record<CatalogueSort, string> = {
  views: 'Most views a day',
  price: 'Lowest price',
  newest: 'Newest',
  name: 'Name',
};
