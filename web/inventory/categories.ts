/** The categories of the marketplace. */
import { SETTINGS } from '#web/ui/format/settings.ts';

/** Those that a publisher can choose for a website. */
export const CATEGORIES = SETTINGS?.categories ?? [];

/** Those of the marketplace's filter. [OP-076] */
export const FILTER_CATEGORIES = SETTINGS?.filterCategories ?? [];
