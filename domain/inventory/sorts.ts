/** The orders of the marketplace. Websites without the figure come last in its order. [BROW-03] */
export const SORTS = ['newest', 'views', 'ctr', 'price', 'name'] as const;
export type Sort = (typeof SORTS)[number];

/** As the interface names them; the figures are in the order in which most advertisers read them. */
export const SORT_NAMES: Record<Sort, string> = {
  newest: 'Newest',
  views: 'Most views a day',
  ctr: 'Highest CTR',
  price: 'Lowest price per 1,000 views',
  name: 'Name',
};
