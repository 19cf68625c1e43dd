/** Which categories a publisher can choose, and how the operator renames them (docs/decisions/088-settings-in-the-database.md). */
import { isSameCategory, type Rename } from '#domain/inventory/categories.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { inForce, storedSettings } from '#server/platform/database/settings.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { lockSettingsForReading, renameOnWebsites } from './store.ts';

/** Throws 400 if a publisher cannot choose it. `from` is the website's own, which it can keep. */
export type RequireCategory = (category: string, from?: string) => void;

/**
 * Reads the categories as they stay until the transaction ends, so that none is renamed or retired while a website gets
 * it. Call it before the transaction locks anything else.
 */
export async function lockCategories(tx: Tx, config: Config): Promise<RequireCategory> {
  await lockSettingsForReading(tx);
  const { CATEGORIES: categories } = inForce(config, await storedSettings(tx));
  return (category, from) => {
    if (category === from || categories.includes(category)) return;
    throw invalid(
      'Please choose a category that is offered now. Reload the page to see the list.',
      'category',
    );
  };
}

/**
 * Renames categories on all websites that have them, in the transaction that stores the new list. `before` are those
 * that were offered, and the retired ones of active websites. One that only changes upper and lower case is renamed,
 * too. Throws 409 for a name that nothing has.
 */
export async function renameCategories(
  tx: Tx,
  { names, renames }: { names: readonly string[]; renames: readonly Rename[] },
  before: readonly string[],
  now: Date,
): Promise<void> {
  const respelt = before.flatMap((from) => {
    const to = names.find((name) => name !== from && isSameCategory(name, from));
    return to === undefined || renames.some((each) => each.from === from) ? [] : [{ from, to }];
  });
  const renamed = await renameOnWebsites(tx, [...renames, ...respelt], now);
  const unknown = renames.find(({ from }) => !before.includes(from) && !renamed.includes(from));
  if (unknown !== undefined)
    throw conflict(`“${unknown.from}” is not a category of this marketplace, so it can’t be renamed.`);
}

/**
 * Those that a search can ask for: the ones that are offered, and the retired ones that websites still have.
 */
export function knownCategories({ categories, retiredCategories }: Config): string[] {
  return [...categories, ...retiredCategories];
}
