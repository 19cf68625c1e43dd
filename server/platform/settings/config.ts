import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import type { PageVersions } from '#domain/pages.ts';
import type { TaxTable } from '#domain/payments/tax.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { ConfigError } from './kinds.ts';
import { ENVIRONMENT, SETTINGS, settings, type Settings } from './environment.ts';
import {
  type DkimSettings,
  dkimSettings,
  isLive,
  requireBankAccount,
  requireForProduction,
  requireForPublicUse,
  type S3Account,
  s3Settings,
  type StripeSettings,
  stripeSettings,
} from './joint.ts';
import {
  MARKETPLACE_SETTINGS,
  type MarketplaceConfig,
  marketplaceConfig,
  marketplaceTexts,
  type SettingTexts,
  parseSettings,
  withFallbacks,
} from './marketplace.ts';
import { findMisspelt } from './misspelt.ts';
import { type Fields, fieldsOf, textsOf } from './row.ts';
import { isLoopback } from '../net/networks.ts';
import { FILE_SETTINGS, readSecretFiles, withoutSecrets } from './secrets.ts';

type LogFormat = 'text' | 'json';

export type PaymentBook = 'stripe-live' | 'stripe-test' | 'sandbox';

/**
 * The settings as the server reads them. Those that stand alone are in the tables of platform/settings/environment.ts and
 * platform/settings/marketplace.ts, by the name of their `field`. Those of the marketplace change while the server runs, so read them at
 * each use.
 */
export type Config = MarketplaceConfig &
  Fields<typeof ENVIRONMENT, FilledSettings> & {
    /** The settings of the marketplace that the environment has. The database cannot have them, too. */
    environment: SettingTexts;
    /** The categories of active websites that cannot be chosen any more. Read with the settings (platform/database/settings.ts). */
    retiredCategories: string[];
    /** The operator's announcement, which follows the database; null if there is none. Read it by `announced`. */
    announcement: { text: string; until: Date | null } | null;
    /** The published pages of the operator. They follow the database, too. */
    pages: PageVersions;
    production: boolean;
    /** Not in production, and `publicUrl` is a loopback address: local pages and addresses count like public ones. */
    developmentMode: boolean;
    /** `json`: the output is one JSON object a line, from the first line to the last. */
    logFormat: LogFormat;
    s3: S3Account | undefined;
    /** Where files of users are in S3. The prefix is empty or ends in '/'. If absent, they are in `dataDir`. */
    uploads: { bucket: string; prefix: string } | undefined;
    /**
     * The daily backups: below `to`, a folder or `s3://BUCKET/PREFIX`, at `at` (`HH:MM` in UTC, by the marketplace's clock),
     * of which the `keep` newest stay. Null without BACKUP_TO.
     */
    backup: { to: string; at: string; keep: number } | null;
    /** If absent, mail is not signed, or the relay signs it. */
    dkim: DkimSettings | undefined;
    /** The key of the pages under `/dev`, which exist only in development. */
    devKey: string;
    /** Undefined while cards run in the sandbox. */
    stripe: StripeSettings | undefined;
    paymentBook: PaymentBook;
    /** Whether the signed roots of the ledger also state the totals that are owed and held. */
    areLedgerTotalsPublic: boolean;
    /** The tax that prices contain. Null: no tax is shown. It follows the database unless a file has it. */
    taxTable: TaxTable | null;
    /** Whether TAX_RATES_FILE has the table. Then that of the database has no effect. */
    hasTaxFile: boolean;
    /** The version of the database's table that is in force; null if it has none, or if a file has it. */
    taxVersion: string | null;
  };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment and the files of secrets, once at start. docs/install.md lists them. An
 * empty value counts as absent. Throws ConfigError with one line for each wrong setting and each misspelt name.
 */
export function readConfig(env: Environment): Config {
  return readSettings(env).config;
}

export type SettingInForce = {
  name: string;
  /** As it is written in the environment; null if there is none. Secrets are `set` or `unset`, and passwords `***`. */
  value: string | null;
  source: 'environment' | 'file' | 'database' | 'default';
};

/**
 * The settings with which a server of this environment runs. `stored` are those of the database. Throws ConfigError as
 * `readConfig` and `refuseBothPlaces` do. [OPS-14]
 */
export function settingsInForce(env: Environment, stored: SettingTexts = {}): SettingInForce[] {
  refuseBothPlaces(marketplaceTexts(env), stored);
  const { files, config, values } = readSettings(env);
  const marketplace = parseSettings({ ...config.environment, ...stored }, config.publicUrl);
  const written = textsOf(SETTINGS, {
    ...values,
    ...marketplace,
    // The server finds out at each use.
    SECURITY_CONTACT: values.SECURITY_CONTACT ?? `mailto:${marketplace.OPERATOR_MAIL}`,
  });
  return Object.entries(written).map(([name, value]) => ({
    name,
    value: withoutSecrets(name, value),
    source: sourceOf(name),
  }));

  function sourceOf(name: string): SettingInForce['source'] {
    if (files[name] !== undefined) return 'file';
    if (env[name]) return 'environment';
    return name in stored ? 'database' : 'default';
  }
}

/** Throws ConfigError with the settings of the marketplace that the environment and the database both have. */
export function refuseBothPlaces(environment: SettingTexts, stored: SettingTexts): void {
  const both = MARKETPLACE_SETTINGS.filter((name) => name in environment && name in stored);
  if (both.length === 0) return;
  throw new ConfigError(
    both
      .map(
        (name) =>
          `${name} is set in the environment and in the database. Remove it from the environment, or run: openslot settings unset ${name}`,
      )
      .join('\n'),
  );
}

const SELLER = ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_TAX_ID'] as const;

/**
 * Documents never change, so those of the live mode must name the marketplace from the first sale on. `texts` are the
 * settings of the marketplace from both places. [OWNS-106]
 */
export function refuseLiveWithoutSeller(config: Config, texts: SettingTexts): void {
  const missing = missingSeller(config, texts);
  if (missing.length === 0) return;
  throw new ConfigError(
    missing
      .map((name) => `${name} is required with a live key of Stripe, because every receipt shows it. Set it.`)
      .join('\n'),
  );
}

/** The settings without which the live mode does not start. */
export function missingSeller({ paymentBook }: Config, texts: SettingTexts): (typeof SELLER)[number][] {
  return paymentBook === 'stripe-live' ? SELLER.filter((name) => !texts[name]?.trim()) : [];
}

/** The files of payouts are SEPA credit transfers, which are in euros. [PAYO-201] */
export function refuseBankWithoutEuro({ payoutMethod }: Config, { currency }: MarketplaceConfig): void {
  if (payoutMethod === 'bank' && currency !== SEPA_CURRENCY)
    throw new ConfigError(
      `PAYOUTS can be bank only with CURRENCY=${SEPA_CURRENCY}, because bank files are SEPA transfers. The currency is ${currency}. Set PAYOUTS=connect.`,
    );
}

function readSettings(env: Environment): {
  files: Record<string, string>;
  config: Config;
  values: FilledSettings;
} {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const files = readSecretFiles(present);
  const parsed = settings.safeParse({ ...present, ...files.values });
  const wrong =
    parsed.error?.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `${files.values[name] === undefined ? name : `${name}_FILE`} ${message}.`;
    }) ?? [];
  const misspelt = findMisspelt(Object.keys(present), [...Object.keys(settings.shape), ...FILE_SETTINGS]);
  const problems = [...misspelt, ...files.wrong, ...new Set(wrong)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems.join('\n'));
  const filled = withAllFallbacks(parsed.data);
  return {
    files: files.values,
    values: filled,
    config: configOf(parsed.data, filled, marketplaceTexts(present)),
  };
}

/** Gives the settings without a value those that follow from others. */
function withAllFallbacks(given: Settings) {
  const production = given.NODE_ENV === 'production';
  const publicUrl = given.PUBLIC_URL ?? `http://localhost:${given.PORT}`;
  return {
    ...withFallbacks(given, publicUrl),
    PUBLIC_URL: publicUrl,
    DELIVERY_URL: given.DELIVERY_URL ?? publicUrl,
    SHUTDOWN_DELAY_MS: given.SHUTDOWN_DELAY_MS ?? (production ? 5000 : 0),
    TRAFFIC_RULES: given.TRAFFIC_RULES ?? (production ? 'production' : 'development'),
    SAMPLE_DATA: given.SAMPLE_DATA ?? !production,
  } as const;
}
type FilledSettings = ReturnType<typeof withAllFallbacks>;

function configOf(given: Settings, values: FilledSettings, environment: SettingTexts): Config {
  const production = given.NODE_ENV === 'production';
  const stripe = stripeSettings(given);
  if (production && given.TRAFFIC_RULES === 'development')
    throw new ConfigError('TRAFFIC_RULES cannot be development in production. Unset it.');
  if (production && given.LOG_FORMAT === 'text')
    throw new ConfigError('LOG_FORMAT cannot be text in production. Unset it.');
  if (given.DATABASE_OWNER_URL !== undefined && given.DATABASE_URL === undefined)
    throw new ConfigError(
      'DATABASE_OWNER_URL must come with DATABASE_URL, the address of the same database with the role of the server.',
    );
  requireBankAccount(given);
  const isLocal = isLoopback(values.PUBLIC_URL);
  if (production) requireForProduction(given, stripe);
  else if (!isLocal) requireForPublicUse(given);

  return {
    ...marketplaceConfig(values),
    ...fieldsOf(ENVIRONMENT, values),
    announcement: null,
    pages: {},
    environment,
    retiredCategories: [],
    production,
    developmentMode: !production && isLocal,
    logFormat: logFormatOf(given),
    s3: s3Settings(given),
    uploads:
      given.S3_BUCKET === undefined ? undefined : { bucket: given.S3_BUCKET, prefix: given.S3_PREFIX ?? '' },
    backup:
      given.BACKUP_TO === undefined
        ? null
        : { to: given.BACKUP_TO, at: given.BACKUP_AT, keep: given.BACKUP_KEEP },
    dkim: dkimSettings(given),
    devKey: given.DEV_KEY ?? randomBytes(24).toString('base64url'),
    stripe,
    paymentBook: stripe ? (isLive(stripe.secretKey) ? 'stripe-live' : 'stripe-test') : 'sandbox',
    areLedgerTotalsPublic: given.LEDGER_TOTALS === 'public',
    taxTable: given.TAX_RATES_FILE === undefined ? null : readTaxTable(given.TAX_RATES_FILE),
    hasTaxFile: given.TAX_RATES_FILE !== undefined,
    taxVersion: null,
  };
}

/** The format of the output. Settings that are refused are reported in it, too. */
export function logFormatOf(given: { NODE_ENV?: string; LOG_FORMAT?: string | undefined }): LogFormat {
  return given.NODE_ENV === 'production' || given.LOG_FORMAT === 'json' ? 'json' : 'text';
}

/** The address of a page under `/dev` with its key, for the terminal. */
export function devAddress({ publicUrl, devKey }: Config, page: string): string {
  return `${publicUrl}${page}?key=${encodeURIComponent(devKey)}`;
}

function readTaxTable(file: string): TaxTable {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as { code?: string };
    throw new ConfigError(`TAX_RATES_FILE must be a file that can be read (${code}): ${file}.`);
  }
  try {
    return parseTaxTable(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError(`TAX_RATES_FILE ${(error as Error).message}.`);
  }
}
