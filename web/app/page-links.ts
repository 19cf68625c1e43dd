import type { PageKey } from '#domain/pages.ts';
import { setting } from '#web/ui/format/setting.ts';

const published = setting('pages')?.split(' ');

/**
 * The address of a page that the operator writes; '#' until it is published. In the pages that the build renders, the
 * server replaces it. [OWNS-42]
 */
export function pageAddress(key: PageKey): string {
  if (!published) return `%PAGE_${key}%`;
  return published.includes(key) ? `/pages/${key}` : '#';
}
