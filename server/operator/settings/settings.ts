/** The settings of the marketplace, for the operator. */
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { categoriesIn } from '#domain/inventory/categories.ts';
import type { Act } from '#domain/operator/acts.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { serversWithSetting } from '#server/platform/database/servers/servers.ts';
import {
  inForce,
  readSettings,
  type StoredSetting,
  storedSettings,
  retiredCategories,
} from '#server/platform/database/settings.ts';
import { requirePrintableText } from '#server/platform/http/printed-fields.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { renameCategories } from '#server/market/inventory/categories/categories.ts';
import {
  aboutSetting,
  MARKETPLACE,
  MARKETPLACE_SETTINGS,
  type MarketplaceSetting,
} from '#server/platform/settings/marketplace.ts';
import { textsOf } from '#server/platform/settings/row.ts';
import { requireOpenCurrency } from '#server/money/books/currency.ts';
import { type Operator, perform, record } from '../act.ts';
import { isPictureSetting, makePicture } from './pictures.ts';
import { deleteSetting, insertBrandFiles, lockSettings, upsertSetting } from './store.ts';

export type Setting = {
  name: MarketplaceSetting;
  /** As it is written; null if it has none. */
  value: string | null;
  source: 'environment' | 'database' | 'default';
};
/** `version` is that of the database; '' if it does not have the setting. */
export type ShownSetting = Setting & { version: string };
export type ChangedSetting = Setting & { before: string | null };

/** All settings of the marketplace as the database has them now. */
export async function listSettings({ db, config }: Context): Promise<ShownSetting[]> {
  const stored = await storedSettings(db);
  const texts = textsOf(MARKETPLACE, inForce(config, stored));
  return MARKETPLACE_SETTINGS.map((name) => ({
    name,
    value: texts[name],
    source: sourceOf(config, stored, name),
    version: versionOf(stored, name),
  }));
}

const versionOf = (stored: readonly StoredSetting[], name: MarketplaceSetting): string =>
  stored.find((each) => each.name === name)?.changedAt.toISOString() ?? '';

function sourceOf(
  { environment }: Config,
  stored: readonly StoredSetting[],
  name: MarketplaceSetting,
): Setting['source'] {
  if (name in environment) return 'environment';
  return versionOf(stored, name) === '' ? 'default' : 'database';
}

type Change = {
  name: MarketplaceSetting;
  reason: string;
  /** The version that the operator's page showed; undefined for a command. */
  version?: string | undefined;
};

/**
 * Stores a value that fits (`fitSetting`), or a picture of these bytes. Every server follows within two seconds. Throws
 * 409 if an environment has the setting, if it changed since `version`, or if a payment fixes the currency. [BOOK-06]
 */
export async function setSetting(
  ctx: Context,
  operator: Operator,
  { value, ...change }: Change & { value: string | Buffer },
): Promise<ChangedSetting> {
  const made =
    typeof value !== 'string' && isPictureSetting(change.name)
      ? await makePicture(ctx.decoders, change.name, value)
      : null;
  const written = made?.picture.file ?? String(value);
  if (aboutSetting(change.name).isPrinted) await requirePrintableText(ctx.decoders, written);
  return await changeSetting(
    ctx,
    operator,
    { act: 'set-setting', ...change, written },
    async (tx, { environment }) => {
      const { name } = change;
      if (name in environment)
        throw conflict(`${name} is set in the environment. Remove it there and restart the server first.`);
      const [server] = await serversWithSetting(tx, name);
      if (server !== undefined)
        throw conflict(
          `${name} is set in the environment of the running server ${server}. Remove it there and restart that server first.`,
        );
      if (made !== null) await insertBrandFiles(tx, made.files, ctx.now());
      const text = name === 'CATEGORIES' ? await writeCategories(ctx, tx, written) : written;
      await upsertSetting(tx, { name, value: text, changedAt: ctx.now(), changedBy: operator.id });
    },
  );
}

/** Renames what `Old=New` names, and returns the list without the renames. */
async function writeCategories(ctx: Context, tx: Tx, value: string): Promise<string> {
  const list = categoriesIn(value);
  if ('problem' in list) throw invalid(`CATEGORIES ${list.problem}.`);
  const { CATEGORIES: categories } = inForce(ctx.config, await storedSettings(tx));
  const before = [...categories, ...(await retiredCategories(tx, categories))];
  await renameCategories(tx, list, before, ctx.now());
  return list.names.join(', ');
}

/** Removes the value of the database, so that the default is in force. Throws 409 as `setSetting` does. */
export async function unsetSetting(
  ctx: Context,
  operator: Operator,
  change: Change,
): Promise<ChangedSetting> {
  return await changeSetting(
    ctx,
    operator,
    { act: 'unset-setting', ...change },
    async (tx, { environment }) => {
      const { name } = change;
      if (await deleteSetting(tx, name)) return;
      throw conflict(
        name in environment
          ? `${name} is set in the environment. Remove it there and restart the server.`
          : `${name} has its default already.`,
      );
    },
  );
}

/** One change after another, with its act. `write` changes the row. */
async function changeSetting(
  ctx: Context,
  operator: Operator,
  { act, name, reason, version, written }: Change & { act: Act; written?: string },
  write: (tx: Tx, config: Config) => Promise<void>,
): Promise<ChangedSetting> {
  const changed = await perform(ctx, operator, async (tx) => {
    await lockSettings(tx);
    const stored = await storedSettings(tx);
    const before = textsOf(MARKETPLACE, inForce(ctx.config, stored))[name];
    if (version !== undefined && version !== versionOf(stored, name))
      throw conflict(
        `${name} was changed while this page was open. It is ${quoted(before)} now. Check it, then save again.`,
      );
    await write(tx, ctx.config);
    const now = await storedSettings(tx);
    const values = inForce(ctx.config, now);
    if (values.CURRENCY !== inForce(ctx.config, stored).CURRENCY) {
      if (ctx.config.payoutMethod === 'bank' && values.CURRENCY !== SEPA_CURRENCY)
        throw conflict(
          `CURRENCY must be ${SEPA_CURRENCY} with PAYOUTS=bank, because bank files are SEPA transfers.`,
        );
      await requireOpenCurrency(tx, values.CURRENCY);
    }
    const value = textsOf(MARKETPLACE, values)[name];
    await record(ctx, tx, operator, {
      act,
      subject: 'setting',
      subjectId: 0,
      subjectName: name,
      affectedId: null,
      reason: `From ${quoted(before)} to ${quoted(written ?? value)}. ${reason}`.trim(),
    });
    return { name, value, source: sourceOf(ctx.config, now, name), before };
  });
  await readSettings(ctx.db, ctx.config);
  return changed;
}

/** Short enough that two values and a reason fit into an act. */
function quoted(value: string | null): string {
  if (value === null) return 'nothing';
  const line = value.replaceAll('\n', ', ');
  return `“${line.length > 100 ? `${line.slice(0, 99)}…` : line}”`;
}
