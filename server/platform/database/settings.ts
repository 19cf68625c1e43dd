/** The settings that the database holds, and how a process follows them (docs/decisions/088-settings-in-the-database.md). */
import { ConfigError } from '../settings/kinds.ts';
import {
  type Config,
  refuseBankWithoutEuro,
  refuseBothPlaces,
  refuseLiveWithoutSeller,
} from '../settings/config.ts';
import {
  MARKETPLACE_SETTINGS,
  marketplaceConfig,
  type MarketplaceSetting,
  type MarketplaceValues,
  parseSettings,
  type SettingTexts,
} from '../settings/marketplace.ts';
import type { Database, Tx } from './database.ts';
import { STORED_TAX_TABLE } from '#domain/operator/acts.ts';
import { PAGE_KEYS, type PageVersions } from '#domain/pages.ts';
import type { TaxTable } from '#domain/payments/tax.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { sql } from 'kysely';

/** Well below the two seconds in which every server follows a change. */
const POLL_MS = 1000;

export type StoredSetting = { name: MarketplaceSetting; value: string; changedAt: Date };

/** Leaves out the settings of a newer release. */
export async function storedSettings(tx: Tx): Promise<StoredSetting[]> {
  const rows = await tx
    .selectFrom('settings')
    .select(['name', 'value', 'changedAt'])
    .where('name', 'in', MARKETPLACE_SETTINGS)
    .orderBy('name')
    .execute();
  return rows as StoredSetting[];
}

export function textsOf(stored: readonly StoredSetting[]): SettingTexts {
  return Object.fromEntries(stored.map(({ name, value }) => [name, value]));
}

/** The settings of the marketplace that follow. Throws ConfigError if SQL has stored a value that does not fit. */
export function inForce(
  { environment, publicUrl }: Config,
  stored: readonly StoredSetting[],
): MarketplaceValues {
  return parseSettings({ ...textsOf(stored), ...environment }, publicUrl);
}

let reads = 0;
/** The number of the read that is in force, by the settings that it was read for. */
const readInForce = new WeakMap<Config, number>();

/**
 * Puts the settings of the database in force in this process, with what pages need of the database besides. Reads may
 * overlap, and a slow one never puts back what a later one has replaced.
 */
export async function readSettings(tx: Tx, config: Config): Promise<void> {
  const read = ++reads;
  const settings = await settingsAndPages(tx, config, await storedSettings(tx));
  if (read < (readInForce.get(config) ?? 0)) return;
  readInForce.set(config, read);
  Object.assign(config, settings);
}

async function settingsAndPages(tx: Tx, config: Config, stored: readonly StoredSetting[]) {
  const settings = marketplaceConfig(inForce(config, stored));
  return {
    ...settings,
    retiredCategories: await retiredCategories(tx, settings.categories),
    pages: await publishedPages(tx),
    announcement: await storedAnnouncement(tx),
    ...(await changedTaxTable(tx, config)),
  };
}

/** The tax table that the database holds, as it was written, with its version; null without one. */
export async function storedTaxTable(tx: Tx): Promise<{ text: string; version: string } | null> {
  const row = await tx
    .selectFrom('settings')
    .select(['value', 'changedAt'])
    .where('name', '=', STORED_TAX_TABLE)
    .executeTakeFirst();
  return row ? { text: row.value, version: row.changedAt.toISOString() } : null;
}

/** The table of the database, if it is another one than that which is in force. A file wins over it. */
async function changedTaxTable(
  tx: Tx,
  { hasTaxFile, taxVersion }: Config,
): Promise<Partial<Pick<Config, 'taxTable' | 'taxVersion'>>> {
  if (hasTaxFile) return {};
  const stored = await storedTaxTable(tx);
  const version = stored?.version ?? null;
  return version === taxVersion ? {} : { taxTable: stored && tableOf(stored.text), taxVersion: version };
}

function tableOf(text: string): TaxTable {
  try {
    return parseTaxTable(text);
  } catch (error) {
    throw new ConfigError(`The tax table of the database ${(error as Error).message}.`);
  }
}

/**
 * For the start of a server. Throws ConfigError if the environment has one of them, too, or if a setting is missing that
 * the live mode or payouts by bank need. [OWNS-106, PAYO-201]
 */
export async function startWithSettings(tx: Tx, config: Config): Promise<void> {
  const stored = await storedSettings(tx);
  refuseBothPlaces(config.environment, textsOf(stored));
  refuseLiveWithoutSeller(config, { ...textsOf(stored), ...config.environment });
  const settings = await settingsAndPages(tx, config, stored);
  refuseBankWithoutEuro(config, settings);
  Object.assign(config, settings);
}

/** Keeps `config` up to date until `stop`, because other processes change the settings. */
export function followSettings(
  db: Database,
  config: Config,
  warn: (error: unknown) => void,
): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();
  let stopped = false;
  let failing = false;

  function readLater(): void {
    timer = setTimeout(() => {
      reading = readSettings(db, config)
        .then(() => void (failing = false))
        .catch((error: unknown) => {
          // Log only the first failure. The last known settings stay in force.
          if (!failing && !stopped) warn(error);
          failing = true;
        })
        .finally(() => {
          if (!stopped) readLater();
        });
    }, POLL_MS);
    timer.unref();
  }
  readLater();

  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await reading;
    },
  };
}

/** A text that every page shows above its content, until `until`. */
export type Announcement = { text: string; until: Date | null };

/** The announcement that nobody has ended; null if there is none. Its time may be over. */
export async function storedAnnouncement(tx: Tx): Promise<Announcement | null> {
  const row = await tx
    .selectFrom('announcements')
    .select(['text', 'until'])
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** The text that pages show at this time. */
export function announced(announcement: Announcement | null, now: Date): string | null {
  if (announcement === null) return null;
  return announcement.until === null || announcement.until > now ? announcement.text : null;
}

/** The versions of the operator's pages that everybody can read now. Leaves out the pages of a newer release. */
export async function publishedPages(tx: Tx): Promise<PageVersions> {
  const rows = await tx
    .selectFrom('publishedPages')
    .select(['key', 'version'])
    .where('key', 'in', PAGE_KEYS)
    .execute();
  return Object.fromEntries(rows.map(({ key, version }) => [key, version]));
}

/**
 * The categories of active websites that are none of these. Steps from one category to the next in the index
 * websites_by_category, because a large marketplace has many websites of each.
 */
export async function retiredCategories(tx: Tx, categories: readonly string[]): Promise<string[]> {
  const next = (after: ReturnType<typeof sql>) =>
    sql`(select category from websites where is_active ${after} order by category limit 1)`;
  const { rows } = await sql<{ category: string }>`
    with recursive used as (
      ${next(sql``)}
      union all
      select ${next(sql`and category > used.category`)} from used where used.category is not null)
    select category from used where category is not null and category <> all(${categories}::text[])`.execute(
    tx,
  );
  return rows.map(({ category }) => category);
}
