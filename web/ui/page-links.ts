/** The pages that the operator writes (docs/decisions/088-settings-in-the-database.md). */
import type { PageKey } from '#domain/pages.ts';
import { setting } from './format/setting.ts';

const published = setting('pages')?.split(' ');

/** Whether the page was published when the document was made. */
export function hasPage(key: PageKey): boolean {
  return published?.includes(key) ?? false;
}

/**
 * The address of the page; '#' until it is published. In the pages that the build renders, the server replaces it.
 */
export function pageAddress(key: PageKey): string {
  if (!published) return `%PAGE_${key}%`;
  return hasPage(key) ? `/pages/${key}` : '#';
}
