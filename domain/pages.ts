/** The pages that the operator writes, by the keys of their addresses. */
/**
 * Each key with its title, in the order of the footer. The imprint is the only one without a link there by the
 * specification.
 */
export const PAGE_TITLES = {
  'how-it-works': 'How It Works',
  pricing: 'Pricing',
  'success-stories': 'Success Stories',
  api: 'API Documentation',
  help: 'Help Center',
  contact: 'Contact Us',
  status: 'System Status',
  'report-issue': 'Report Issue',
  privacy: 'Privacy Policy',
  terms: 'Terms of Service',
  cookies: 'Cookie Policy',
  'advertiser-terms': 'Advertiser Terms',
  imprint: 'Imprint',
} as const;

export type PageKey = keyof typeof PAGE_TITLES;
export const PAGE_KEYS = Object.keys(PAGE_TITLES) as PageKey[];

/** The version of each published page. A page that is not published is absent. */
export type PageVersions = Partial<Record<PageKey, number>>;

/** The longest text of a page, in characters. */
export const MAX_PAGE_TEXT = 40_000;

/** A mark of a starter text, where the operator or their lawyer has to add something. */
export const TO_FILL_IN = /\[TO FILL IN[^\]]*\]/g;

/** The published pages, in the order of the footer. */
export function publishedKeys(pages: PageVersions): PageKey[] {
  return PAGE_KEYS.filter((key) => key in pages);
}

export function pagePath(key: PageKey): string {
  return `/pages/${key}`;
}

export function pageKey(word: string | undefined): PageKey | null {
  return PAGE_KEYS.find((key) => key === word) ?? null;
}
