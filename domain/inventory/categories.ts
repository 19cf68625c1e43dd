/** The categories of a marketplace whose operator has not set CATEGORIES. */
export const DEFAULT_CATEGORIES = [
  'Technology',
  'Business',
  'Health',
  'Lifestyle',
  'Finance',
  'Education',
  'Entertainment',
  'Sports',
  'Travel',
  'Food',
] as const;

/** The marketplace's filter offers these of the default categories. The other websites appear under All. [OP-076] */
export const FILTER_CATEGORIES = ['Technology', 'Business', 'Lifestyle', 'Health', 'Finance'] as const;

export const MAX_CATEGORY = 40;
const MAX_CATEGORIES = 50;

export type Rename = { from: string; to: string };

/**
 * Reads a list such as `Health, Tech=Technology`, whose `=` renames a category. The problem ends a sentence that begins
 * with the name of the setting.
 */
export function categoriesIn(text: string): { names: string[]; renames: Rename[] } | { problem: string } {
  const entries = text
    .normalize('NFC')
    .split(',')
    .map((entry) => entry.split('=').map((name) => name.trim().replaceAll(/\s+/gu, ' ')))
    // A comma at the end is no category.
    .filter((entry) => entry.join('') !== '');
  const names = entries.map((entry) => entry.at(-1) ?? '');
  if (names.length === 0) return { problem: 'must have at least one category' };
  if (names.length > MAX_CATEGORIES) return { problem: `must have at most ${MAX_CATEGORIES} categories` };
  if (entries.some((entry) => entry.length > 2 || entry.includes('')))
    return { problem: 'must have names such as “Health”, or “Tech=Technology” to rename one' };
  for (const name of entries.flat()) {
    // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
    if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return { problem: 'must not contain control characters' };
    if (name.length > MAX_CATEGORY)
      return { problem: `must have names of at most ${MAX_CATEGORY} characters. “${name}” is longer` };
  }
  const twice = names.find((name, at) => names.findIndex((each) => isSameCategory(each, name)) < at);
  if (twice !== undefined) return { problem: `must have each category once. “${twice}” stands twice` };
  const renames = entries.flatMap(([from = '', to]) => (to === undefined ? [] : [{ from, to }]));
  const renamedTwice = renames.find(({ from }, at) => renames.findIndex((each) => each.from === from) < at);
  if (renamedTwice !== undefined) return { problem: `must rename “${renamedTwice.from}” once` };
  return { names, renames };
}

/** Two categories that differ only in upper and lower case would be one for a reader. */
export function isSameCategory(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The choices of the marketplace's filter. `retired` are the categories that only websites still have. */
export function filterCategories(categories: readonly string[], retired: readonly string[]): string[] {
  const isDefault = categories.join() === DEFAULT_CATEGORIES.join();
  return [...(isDefault ? FILTER_CATEGORIES : categories), ...retired];
}
