/** The pages that the operator writes (docs/decisions/088-settings-in-the-database.md). */
import type { PageKey } from '#domain/pages.ts';
import { SETTINGS } from './format/settings.ts';

/** Whether the page was published when the document was made. */
export function hasPage(key: PageKey): boolean {
  return SETTINGS?.pages.includes(key) ?? false;
}

/**
 * The address of the page; '#' until it is published. In the pages that the build renders, the server replaces it.
 */
export function pageAddress(key: PageKey): string {
  if (!SETTINGS) return `%PAGE_${key}%`;
  return hasPage(key) ? `/pages/${key}` : '#';
}
