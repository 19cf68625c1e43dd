/** The settings of the marketplace, for the operator. */
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { categoriesIn } from '#domain/inventory/categories.ts';
import type { Currency } from '#domain/money.ts';
import { type Config, missingSeller } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { serversWithSetting } from '#server/platform/database/servers/servers.ts';
import {
  inForce,
  readSettings,
  type StoredSetting,
  storedSettings,
  textsOf as storedTexts,
  retiredCategories,
} from '#server/platform/database/settings.ts';
import { requirePrintableText } from '#server/platform/http/printed-fields.ts';
import { conflict, HttpError, invalid } from '#server/platform/http/errors.ts';
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
import {
  type BrandFile,
  filesOfPicture,
  isPictureSetting,
  makePicture,
  type PictureSetting,
} from './pictures.ts';
import { deleteSetting, hasBrandFiles, insertBrandFiles, lockSettings, upsertSetting } from './store.ts';

export type Setting = {
  name: MarketplaceSetting;
  /** As it is written; null if it has none. */
  value: string | null;
  source: 'environment' | 'database' | 'default';
};
/** `version` is that of the database; '' if it does not have the setting. `fallback` is the value without it. */
export type ShownSetting = Setting & { version: string; fallback: string | null };
export type ChangedSetting = Setting & { before: string | null };

/** All settings of the marketplace as the database has them now. */
export async function listSettings({ db, config }: Context): Promise<ShownSetting[]> {
  const stored = await storedSettings(db);
  const texts = textsOf(MARKETPLACE, inForce(config, stored));
  return MARKETPLACE_SETTINGS.map((name) => ({
    name,
    value: texts[name],
    fallback: textsOf(MARKETPLACE, inForce(config, without(stored, name)))[name],
    source: sourceOf(config, stored, name),
    version: versionOf(stored, name),
  }));
}

const without = (stored: readonly StoredSetting[], name: MarketplaceSetting) =>
  stored.filter((each) => each.name !== name);

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

export type SettingChange = {
  name: MarketplaceSetting;
  /** A text that fits (`fitSetting`), the bytes of a picture or the name of its stored file, or null for the default. */
  value: string | Buffer | null;
  /** The version that the operator's page showed; undefined for a command. */
  version?: string | undefined;
};

/** A change with what its value is stored as. */
type Made = SettingChange & { text: string | null; files: BrandFile[] };

/**
 * Changes settings in one transaction, all or none, each with its act. Every server follows within two seconds. Throws 400
 * for a text that documents can't print or a wrong picture, and 409 if an environment has a setting, if one changed since
 * `version`, if the live mode needs it, or if a payment fixes the currency, with the names of the settings. [BOOK-06]
 */
export async function changeSettings(
  ctx: Context,
  operator: Operator,
  { changes, reason }: { changes: readonly SettingChange[]; reason: string },
): Promise<ChangedSetting[]> {
  const made = await makeAll(ctx, changes);
  const changed = await perform(ctx, operator, async (tx) => {
    await lockSettings(tx);
    const stored = await storedSettings(tx);
    const before = textsOf(MARKETPLACE, inForce(ctx.config, stored));
    refuseStale(changes, stored, before);
    for (const change of made)
      await namedRefusal(change.name, async () => await writeSetting(ctx, tx, operator, change));
    const now = await storedSettings(tx);
    refuseWithoutSeller(ctx.config, made, now);
    const values = inForce(ctx.config, now);
    if (values.CURRENCY !== before.CURRENCY)
      await namedRefusal('CURRENCY', async () => await requireCurrency(ctx, tx, values.CURRENCY));
    const texts = textsOf(MARKETPLACE, values);
    for (const { name, text } of made)
      await record(ctx, tx, operator, {
        act: text === null ? 'unset-setting' : 'set-setting',
        subject: 'setting',
        subjectId: 0,
        subjectName: name,
        affectedId: null,
        reason: `From ${quoted(before[name])} to ${quoted(text ?? texts[name])}. ${reason}`.trim(),
      });
    return made.map(({ name }) => ({
      name,
      value: texts[name],
      source: sourceOf(ctx.config, now, name),
      before: before[name],
    }));
  });
  await readSettings(ctx.db, ctx.config);
  return changed;
}

/** What is made and checked before the transaction. Throws 400 that names each setting with a wrong value. */
async function makeAll(ctx: Context, changes: readonly SettingChange[]): Promise<Made[]> {
  const made: Made[] = [];
  const problems: Problem[] = [];
  for (const change of changes) {
    const { name } = change;
    if (made.some((each) => each.name === name))
      problems.push({ name, sentence: `${name} is in the list twice.` });
    try {
      made.push(await make(ctx, change));
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 400) throw error;
      problems.push({ name, sentence: error.message });
    }
  }
  refuseSettings(400, problems);
  return made;
}

async function make({ decoders }: Context, change: SettingChange): Promise<Made> {
  const { name, value } = change;
  if (value === null) return { ...change, text: null, files: [] };
  if (typeof value !== 'string' && isPictureSetting(name)) {
    const { picture, files } = await makePicture(decoders, name, value);
    return { ...change, text: picture.file, files };
  }
  const text = String(value);
  if (aboutSetting(name).isPrinted) await requirePrintableText(decoders, text);
  return { ...change, text, files: [] };
}

function refuseStale(
  changes: readonly SettingChange[],
  stored: readonly StoredSetting[],
  before: Record<MarketplaceSetting, string | null>,
): void {
  const stale = changes.filter(
    ({ name, version }) => version !== undefined && version !== versionOf(stored, name),
  );
  refuseSettings(
    409,
    stale.map(({ name }) => ({
      name,
      sentence: `${name} was changed while this page was open. It is ${quoted(before[name])} now. Check it, then save again.`,
    })),
  );
}

async function writeSetting(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { name, text, files }: Made,
): Promise<void> {
  const isHere = name in ctx.config.environment;
  if (text === null) {
    if (await deleteSetting(tx, name)) return;
    throw conflict(
      isHere
        ? `${name} is set in the environment. Remove it there and restart the server.`
        : `${name} has its default already.`,
    );
  }
  if (isHere)
    throw conflict(`${name} is set in the environment. Remove it there and restart the server first.`);
  const [server] = await serversWithSetting(tx, name);
  if (server !== undefined)
    throw conflict(
      `${name} is set in the environment of the running server ${server}. Remove it there and restart that server first.`,
    );
  if (files.length > 0) await insertBrandFiles(tx, files, ctx.now());
  else if (isPictureSetting(name)) await requireStoredPicture(tx, name, text);
  const value = name === 'CATEGORIES' ? await writeCategories(ctx, tx, text) : text;
  await upsertSetting(tx, { name, value, changedAt: ctx.now(), changedBy: operator.id });
}

/** Without them, no server of the live mode would start again. [OWNS-106] */
function refuseWithoutSeller(
  config: Config,
  changes: readonly SettingChange[],
  now: readonly StoredSetting[],
): void {
  const missing = missingSeller(config, { ...storedTexts(now), ...config.environment });
  refuseSettings(
    409,
    missing
      .filter((name) => changes.some((change) => change.name === name))
      .map((name) => ({
        name,
        sentence: `${name} is required with a live key of Stripe, because every receipt shows it. Set another value instead.`,
      })),
  );
}

/** A file that was made for another setting lacks the renditions of this one. */
async function requireStoredPicture(tx: Tx, name: PictureSetting, file: string): Promise<void> {
  const names = filesOfPicture(name, file);
  if (names === null || !(await hasBrandFiles(tx, names)))
    throw invalid(`${name}: This picture is not stored. Choose a file.`);
}

async function requireCurrency({ config }: Context, tx: Tx, currency: Currency): Promise<void> {
  if (config.payoutMethod === 'bank' && currency !== SEPA_CURRENCY)
    throw conflict(
      `CURRENCY must be ${SEPA_CURRENCY} with PAYOUTS=bank, because bank files are SEPA transfers.`,
    );
  await requireOpenCurrency(tx, currency);
}

/** A sentence that begins with the name of a setting. */
type Problem = { name: MarketplaceSetting; sentence: string };

/** Throws if there are problems. A field shows its sentence without the name, because it has a title. */
export function refuseSettings(status: 400 | 409, problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const issues = problems.map(({ name, sentence }) => {
    const rest = sentence.startsWith(name) ? sentence.slice(name.length).replace(/^:? /, '') : sentence;
    return { path: name, message: rest.charAt(0).toUpperCase() + rest.slice(1) };
  });
  throw new HttpError(status, first.sentence, { issues });
}

/** Adds the name of the setting to a refusal, so that the page shows it at the field. */
async function namedRefusal(name: MarketplaceSetting, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof HttpError && (error.status === 400 || error.status === 409))
      refuseSettings(error.status, [{ name, sentence: error.message }]);
    throw error;
  }
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

/** Short enough that two values and a reason fit into an act. */
function quoted(value: string | null): string {
  if (value === null) return 'nothing';
  const line = value.replaceAll('\n', ', ');
  return `“${line.length > 100 ? `${line.slice(0, 99)}…` : line}”`;
}
