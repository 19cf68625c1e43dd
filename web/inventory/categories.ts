/**
 * The categories of the marketplace, as the server writes them into the document. None has a comma in its name.
 */
import { setting } from '#web/ui/format/setting.ts';

const listOf = (name: string): readonly string[] => setting(name)?.split(',') ?? [];

/** Those that a publisher can choose for a website. */
export const CATEGORIES = listOf('categories');

/** Those of the marketplace's filter. [OP-076] */
export const FILTER_CATEGORIES = listOf('filterCategories');
