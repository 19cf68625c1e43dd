import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decimalOf } from '#domain/money.ts';
import type { PageVersions } from '#domain/pages.ts';
import { parseTaxTable, type TaxTable } from '#domain/payments/tax.ts';
import { ConfigError } from './config-error.ts';
import { settings, type Settings } from './settings/environment.ts';
import {
  type CellSettings,
  cellSettings,
  type DkimSettings,
  dkimSettings,
  isLive,
  requireForProduction,
  requireForPublicUse,
  requireSecretOfCell,
  type S3Account,
  s3Settings,
  type StripeSettings,
  stripeSettings,
} from './settings/joint.ts';
import {
  MARKETPLACE_SETTINGS,
  type MarketplaceConfig,
  marketplaceConfig,
  marketplaceTexts,
  type SettingTexts,
  settingTexts,
} from './settings/marketplace.ts';
import { findMisspelt } from './settings/misspelt.ts';
import { isLoopback } from './net/loopback.ts';
import { FILE_SETTINGS, readSecretFiles, withoutSecrets } from './settings/secrets.ts';

/** Room for about five million events, enough for hours without a database. */
export const DEFAULT_EVENT_LOG_BYTES = 1024 ** 3;

type LogFormat = 'text' | 'json';

/** Secrets that are all accepted. The first one signs. */
export type Secrets = readonly [string, ...string[]];

export type PaymentBook = 'stripe-live' | 'stripe-test' | 'sandbox';

/** The settings of the marketplace (settings/marketplace.ts) change while the server runs, so read them at each use. */
export type Config = MarketplaceConfig & {
  /** The settings of the marketplace that the environment has. The database cannot have them, too. */
  environment: SettingTexts;
  /** The categories of active websites that cannot be chosen any more. Read with the settings (db/settings.ts). */
  retiredCategories: string[];
  /** The operator's announcement, which follows the database; null if there is none. Read it by `announced`. */
  announcement: { text: string; until: Date | null } | null;
  /** The published pages of the operator. They follow the database, too. */
  pages: PageVersions;
  production: boolean;
  /** `cell`: serves the ads of some publishers for a marketplace. `marketplace`: leaves all ads to cells. */
  role: 'all' | 'marketplace' | 'cell';
  /** Null unless `role` is `cell`. */
  cell: CellSettings | null;
  /** Not in production, and `publicUrl` is a loopback address: local pages and addresses count like public ones. */
  developmentMode: boolean;
  /** `json`: the output is one JSON object a line, from the first line to the last. */
  logFormat: LogFormat;
  /** A scrape of `/metrics` must present it. If absent, there is no `/metrics`. */
  metricsToken: string | undefined;
  /** The rules against invalid traffic. Those of development let a developer's tools and local pages count. */
  trafficRules: 'production' | 'development';
  port: number;
  host: string;
  /** The least important lines that the log has. */
  logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** How long everything goes on after SIGTERM, while health already says that the server stops. */
  shutdownDelayMs: number;
  /** Browsers shall use https for the subdomains of `publicUrl`, too. */
  hasHstsForSubdomains: boolean;
  /** Where a service manager such as systemd hears about ready and stop: a path, or `@` and an abstract name. */
  notifySocket: string | undefined;
  /** All connections of this server to the database, whatever they are for. */
  databasePoolSize: number;
  /** No trailing slash. */
  publicUrl: string;
  /** The origin of the tag, the decisions and the creatives. No trailing slash. */
  deliveryUrl: string;
  dataDir: string;
  /** If absent, the server runs the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** The role that owns the tables, if `databaseUrl` names another one. Only the migrations at the start use it. */
  databaseOwnerUrl: string | undefined;
  s3: S3Account | undefined;
  /** Where files of users are in S3. The prefix is empty or ends in '/'. If absent, they are in `dataDir`. */
  uploads: { bucket: string; prefix: string } | undefined;
  /**
   * The daily backups: below `to`, a folder or `s3://BUCKET/PREFIX`, at `at` (`HH:MM` in UTC, by the marketplace's clock),
   * of which the `keep` newest stay. Null without BACKUP_TO.
   */
  backup: { to: string; at: string; keep: number } | null;
  smtpUrl: string | undefined;
  /** The NATS servers of the event log. If absent, events are written directly to PostgreSQL. */
  eventLogUrl: string | undefined;
  /** The monitoring addresses of these servers. */
  eventLogMonitorUrls: string[];
  /** The size of their stream of events. If absent, a stream that exists keeps its size. */
  eventLogBytes: number | undefined;
  /** Into how many partitions publishers are sorted. One server counts the events of a partition at a time. */
  eventPartitions: number;
  /** If absent, mail is not signed, or the relay signs it. */
  dkim: DkimSettings | undefined;
  /** The secret of `POST /api/webhooks/bounces`, which exists only with it. */
  bounceToken: string | undefined;
  /** `bounce@host`: each mail has a return path `bounce+…@host` of its own. If absent, it is the sender's address. */
  bounceAddress: string | undefined;
  /** Where to report a vulnerability of this server, for security.txt. If absent: `contactEmail`. */
  securityContact: string | undefined;
  /** The key of the pages under `/dev`, which exist only in development. */
  devKey: string;
  /** If absent, a secret is generated and stored in `dataDir`. */
  sessionSecrets: Secrets | undefined;
  /** A list of data-center networks. If absent: `data-centres.txt` in `dataDir`, or else the list in the repository. */
  dataCentresFile: string | undefined;
  /** A file in the format MMDB that tells the countries of addresses. If absent, the one of Openslot. */
  countryDatabaseFile: string | undefined;
  phishingHostsFile: string | undefined;
  /** Another address of VIES than that of the EU, such as a proxy. */
  viesUrl: string | undefined;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` header is trusted. */
  trustedProxies: string[];
  rateLimitFactor: number;
  /** Uploads that are arriving at this instance may use this much memory together. */
  uploadMemoryBytes: number;
  /** The files that one account, and all accounts together, may store. */
  accountStorageBytes: number;
  totalStorageBytes: number;
  /** The days for which single events are kept. Their figures by the hour are kept for good. */
  eventsKeptDays: number;
  /** Where a day of events is archived before it is dropped: a folder or `s3://BUCKET/PREFIX`. If absent, nowhere. */
  archiveTo: string | undefined;
  /** A session ends after this many days without a call. */
  sessionIdleDays: number;
  sampleData: boolean;
  /** Undefined while cards run in the sandbox. */
  stripe: StripeSettings | undefined;
  paymentBook: PaymentBook;
  /** For tests: events of the sandbox arrive twice and in any order. */
  sandboxChaos: boolean;
  /** From two operators on, larger refunds of one ad need the second. */
  operatorRefundLimitCents: number;
  /** Whether the signed roots of the ledger also state the totals that are owed and held. */
  areLedgerTotalsPublic: boolean;
  /** The tax that prices contain. Null: no tax is shown. */
  taxTable: TaxTable | null;
  /** How long all payouts of a publisher wait after a change of the payout account. */
  payoutChangeHoldDays: number;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings from the environment and the files of secrets, once at start. docs/operations.md lists them. An
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
  const { given, files, config } = readSettings({ ...env, ...stored });
  const defaults: Partial<Record<string, Settings[keyof Settings]>> = {
    SHUTDOWN_DELAY_MS: config.shutdownDelayMs,
    PUBLIC_URL: config.publicUrl,
    DELIVERY_URL: config.deliveryUrl,
    EVENT_LOG_BYTES: DEFAULT_EVENT_LOG_BYTES,
    SECURITY_CONTACT: config.securityContact ?? `mailto:${config.contactEmail}`,
    TRAFFIC_RULES: config.trafficRules,
    SAMPLE_DATA: config.sampleData,
  };
  const written: Partial<Record<string, string | null>> = {
    ...settingTexts(config),
    OPERATOR_REFUND_LIMIT: decimalOf(config.operatorRefundLimitCents),
  };
  return Object.keys(settings.shape).map((name) => ({
    name,
    value: withoutSecrets(
      name,
      name in written ? (written[name] ?? null) : textOf(given[name as keyof Settings] ?? defaults[name]),
    ),
    source: sourceOf(name),
  }));

  function sourceOf(name: string): SettingInForce['source'] {
    if (files[name] !== undefined) return 'file';
    if (env[name]) return 'environment';
    return name in stored ? 'database' : 'default';
  }
}

/** Throws ConfigError with the settings of the marketplace that the environment and the database both have. [OWNS-03] */
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
export function refuseLiveWithoutSeller({ paymentBook }: Config, texts: SettingTexts): void {
  if (paymentBook !== 'stripe-live') return;
  const missing = SELLER.filter((name) => !texts[name]?.trim());
  if (missing.length === 0) return;
  throw new ConfigError(
    missing
      .map((name) => `${name} is required with a live key of Stripe, because every receipt shows it. Set it.`)
      .join('\n'),
  );
}

/** A setting as it is written in the environment. */
function textOf(value: Settings[keyof Settings]): string | null {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}

function readSettings(env: Environment): {
  given: Settings;
  files: Record<string, string>;
  config: Config;
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
  return {
    given: parsed.data,
    files: files.values,
    config: configOf(parsed.data, marketplaceTexts(present)),
  };
}

function configOf(given: Settings, environment: SettingTexts): Config {
  const production = given.NODE_ENV === 'production';
  const s3 = s3Settings(given);
  const stripe = stripeSettings(given);
  if (production && given.TRAFFIC_RULES === 'development')
    throw new ConfigError('TRAFFIC_RULES cannot be development in production. Unset it.');
  if (production && given.LOG_FORMAT === 'text')
    throw new ConfigError('LOG_FORMAT cannot be text in production. Unset it.');
  if (given.DATABASE_OWNER_URL !== undefined && given.DATABASE_URL === undefined)
    throw new ConfigError(
      'DATABASE_OWNER_URL must come with DATABASE_URL, the address of the same database with the role of the server.',
    );
  const cell = cellSettings(given);
  // The pages that a cell's ads lead to are those of its marketplace.
  const publicUrl = given.PUBLIC_URL ?? cell?.marketplaceUrl ?? `http://localhost:${given.PORT}`;
  if (cell) requireSecretOfCell(given);
  else if (production) requireForProduction(given, stripe);
  else if (!isLoopback(publicUrl)) requireForPublicUse(given);

  return {
    ...marketplaceConfig(given, publicUrl),
    announcement: null,
    pages: {},
    environment,
    retiredCategories: [],
    production,
    role: given.ROLE,
    cell,
    developmentMode: !production && isLoopback(publicUrl),
    logFormat: logFormatOf(given),
    metricsToken: given.METRICS_TOKEN,
    trafficRules: given.TRAFFIC_RULES ?? (production ? 'production' : 'development'),
    port: given.PORT,
    host: given.HOST,
    logLevel: given.LOG_LEVEL,
    shutdownDelayMs: given.SHUTDOWN_DELAY_MS ?? (production ? 5000 : 0),
    hasHstsForSubdomains: given.HSTS_SUBDOMAINS,
    notifySocket: given.NOTIFY_SOCKET,
    databasePoolSize: given.DATABASE_POOL_SIZE,
    publicUrl,
    deliveryUrl: given.DELIVERY_URL ?? publicUrl,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databaseOwnerUrl: given.DATABASE_OWNER_URL,
    s3,
    uploads:
      given.S3_BUCKET === undefined ? undefined : { bucket: given.S3_BUCKET, prefix: given.S3_PREFIX ?? '' },
    backup:
      given.BACKUP_TO === undefined
        ? null
        : { to: given.BACKUP_TO, at: given.BACKUP_AT, keep: given.BACKUP_KEEP },
    smtpUrl: given.SMTP_URL,
    eventLogUrl: given.EVENT_LOG_URL,
    eventLogMonitorUrls: given.EVENT_LOG_MONITOR_URL ?? [],
    eventLogBytes: given.EVENT_LOG_BYTES,
    eventPartitions: given.EVENT_PARTITIONS,
    dkim: dkimSettings(given),
    bounceToken: given.BOUNCE_TOKEN,
    bounceAddress: given.BOUNCE_ADDRESS,
    securityContact: given.SECURITY_CONTACT,
    devKey: given.DEV_KEY ?? randomBytes(24).toString('base64url'),
    sessionSecrets: given.SESSION_SECRET,
    dataCentresFile: given.DATA_CENTRES_FILE,
    countryDatabaseFile: given.COUNTRY_DATABASE_FILE,
    phishingHostsFile: given.PHISHING_HOSTS_FILE,
    viesUrl: given.VIES_URL,
    trustedProxies: given.TRUSTED_PROXIES,
    rateLimitFactor: given.RATE_LIMIT_FACTOR,
    uploadMemoryBytes: given.UPLOAD_MEMORY_MB * 1024 ** 2,
    accountStorageBytes: given.ACCOUNT_STORAGE_MB * 1024 ** 2,
    totalStorageBytes: given.TOTAL_STORAGE_MB * 1024 ** 2,
    eventsKeptDays: given.EVENTS_KEPT_DAYS,
    archiveTo: given.ARCHIVE_TO,
    sessionIdleDays: given.SESSION_IDLE_DAYS,
    sampleData: given.SAMPLE_DATA ?? (!production && cell === null),
    stripe,
    paymentBook: stripe ? (isLive(stripe.secretKey) ? 'stripe-live' : 'stripe-test') : 'sandbox',
    sandboxChaos: given.SANDBOX_CHAOS,
    operatorRefundLimitCents: given.OPERATOR_REFUND_LIMIT,
    areLedgerTotalsPublic: given.LEDGER_TOTALS === 'public',
    taxTable: given.TAX_RATES_FILE === undefined ? null : readTaxTable(given.TAX_RATES_FILE),
    payoutChangeHoldDays: given.PAYOUT_CHANGE_HOLD_DAYS,
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
