import type { Currency } from './money.ts';
import type { PageKey } from './pages.ts';

/** The marketplace, as its pages name it until the operator chooses a name. */
export const DEFAULT_NAME = 'Openslot';
export const DEFAULT_TAGLINE =
  'The modern marketplace for buying and selling ad space, connecting publishers and advertisers worldwide.';

/**
 * The facts of the marketplace that the web application knows before its first call. The server writes them into each
 * document as JSON, and writes those that a page rendered by the build shows into its markup, too.
 */
export type DocumentSettings = {
  name: string;
  tagline: string;
  /** The operator's logo, or what stands beside the name, as HTML of the server. */
  mark: string;
  currency: Currency;
  /** The categories that a publisher can choose for a website. */
  categories: readonly string[];
  /** The categories of the marketplace's filter. [OP-076] */
  filterCategories: readonly string[];
  /** The marketplace's share of each sale in percent, such as 7.5. An ad, and a publisher with another one, have their own. */
  commissionPercent: number;
  /** The publisher's share of each sale in percent. */
  earnedPercent: number;
  /** The lowest price of a new pricing option. [OWNS-63] */
  minimumPriceCents: number;
  /** The pages of the operator that are published. */
  pages: readonly PageKey[];
  /** Whether anybody has an account yet. */
  hasAccounts: boolean;
};
