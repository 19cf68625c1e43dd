import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { PageVersions } from '#domain/pages.ts';
import { isPublicHost } from '#domain/public-host.ts';
import { parseTaxTable, type TaxTable } from '#domain/payments/tax.ts';
import { z } from 'zod';
import {
  MARKETPLACE_SCHEMAS,
  MARKETPLACE_SETTINGS,
  type MarketplaceConfig,
  marketplaceConfig,
  marketplaceTexts,
  type SettingTexts,
  settingTexts,
} from './marketplace-settings.ts';
import { findMisspelt } from './misspelt-settings.ts';
import { isLoopback } from './net/loopback.ts';
import { FILE_SETTINGS, readSecretFiles, withoutSecrets } from './secret-settings.ts';

/** A setting is missing or wrong. The server prints the message, which names the setting, and does not start. */
export class ConfigError extends Error {}

type LogFormat = 'text' | 'json';

/** Secrets that are all accepted. The first one signs. */
export type Secrets = readonly [string, ...string[]];

export type PaymentBook = 'stripe-live' | 'stripe-test' | 'sandbox';

export type StripeSettings = {
  secretKey: string;
  publishableKey: string;
  /** The secrets of the two webhook endpoints. An endpoint has several while its secret is rotated. */
  webhookSecrets: string[];
  connectWebhookSecrets: string[];
  /** The origin of a stand-in on this machine that takes the place of api.stripe.com. */
  apiBase: string | undefined;
  /** The configuration of the billing portal. If absent, the server finds or creates its own. */
  portalConfiguration: string | undefined;
};

/** Signs mail. `privateKey` is PEM. */
export type DkimSettings = { domainName: string; keySelector: string; privateKey: string };

/** An account at S3 or at a server that speaks its protocol. */
export type S3Account = {
  /** An origin, whose buckets are the first part of the path. If absent: Amazon's, by region. */
  endpoint: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** The settings of the marketplace (marketplace-settings.ts) change while the server runs, so read them at each use. */
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

const flag = (fallback: boolean) =>
  z
    .enum(['0', '1'], 'must be 0 or 1')
    .optional()
    .transform((value) => (value === undefined ? fallback : value === '1'));

const megabytes = (least: number) => {
  const message = `must be a whole number of megabytes, at least ${least}`;
  return z.coerce.number(message).int(message).min(least, message).max(1_000_000_000, message);
};

const webOrigin = z
  .url({
    protocol: /^https?$/,
    error: 'must be a full address such as https://ads.example.com',
    abort: true,
  })
  .refine(
    (value) => new URL(value).pathname === '/' && !value.includes('?'),
    'must be an address without a path, such as https://ads.example.com',
  )
  .transform((value) => new URL(value).origin);

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
    ...Object.fromEntries(
      Object.entries(settingTexts(config)).map(([name, text]) => [name, text ?? undefined]),
    ),
    SECURITY_CONTACT: config.securityContact ?? `mailto:${config.contactEmail}`,
    TRAFFIC_RULES: config.trafficRules,
    SAMPLE_DATA: config.sampleData,
  };
  return Object.keys(settings.shape).map((name) => ({
    name,
    value: withoutSecrets(name, textOf(name, given[name as keyof Settings] ?? defaults[name])),
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
function textOf(name: string, value: Settings[keyof Settings]): string | null {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'number' && AMOUNTS.has(name) ? decimalOf(value) : String(value);
}

/** The settings that are read as cents. */
const AMOUNTS = new Set(['PAYOUT_MINIMUM', 'MINIMUM_PRICE', 'OPERATOR_REFUND_LIMIT']);

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
  const publicUrl = given.PUBLIC_URL ?? `http://localhost:${given.PORT}`;
  if (production) requireForProduction(given, stripe);
  else if (!isLoopback(publicUrl)) requireForPublicUse(given);

  return {
    ...marketplaceConfig(given, publicUrl),
    announcement: null,
    pages: {},
    environment,
    retiredCategories: [],
    production,
    developmentMode: !production && isLoopback(publicUrl),
    logFormat: logFormatOf(given),
    metricsToken: given.METRICS_TOKEN,
    trafficRules: given.TRAFFIC_RULES ?? (production ? 'production' : 'development'),
    port: given.PORT,
    host: given.HOST,
    logLevel: given.LOG_LEVEL,
    shutdownDelayMs: given.SHUTDOWN_DELAY_MS ?? (production ? 5000 : 0),
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
    sessionIdleDays: given.SESSION_IDLE_DAYS,
    sampleData: given.SAMPLE_DATA ?? !production,
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

/** Accepts an address for each NATS server, all with the same protocol. */
const natsAddresses = z.string().refine((list) => {
  const urls = list.split(',').map((each) => URL.parse(each.trim()));
  const kinds = new Set(
    urls.map((url) => (url?.hostname && /^\/?$/.test(url.pathname) ? url.protocol : null)),
  );
  return kinds.size === 1 && (kinds.has('nats:') || kinds.has('tls:'));
}, 'must be a nats:// or tls:// address, or several separated by commas');

const text = z.string().optional();

const postgresAddress = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
  .optional();

/** A secret's value never appears in an error. */
const stripeKey = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^(${prefix})_(test|live)_\\S+$`), `must be ${what} of Stripe`)
    .optional();

const webhookSecrets = z
  .string()
  .transform((list) => list.split(',').map((secret) => secret.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^whsec_\S+$/,
          'must be the signing secret of a webhook endpoint, or several separated by commas',
        ),
    ),
  )
  .optional();

const SECRET = 'must be a secret of at least 32 characters, or several separated by commas';
const sessionSecret = z.string().min(32, SECRET);
const sessionSecrets = z
  .string()
  .transform((list) => list.split(/\s*,\s*/))
  .pipe(z.tuple([sessionSecret], sessionSecret))
  .optional();

const stripeApiBase = webOrigin
  .refine(isLoopback, 'must be an address of this machine, because keys are sent to it')
  .optional();

/** The keys sign each call, but without TLS everybody on the way reads the files. */
function isEncryptedOrPrivate(origin: string): boolean {
  return origin.startsWith('https:') || isLoopback(origin) || !isPublicHost(new URL(origin).hostname);
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

const CHANGE_HOLD_DAYS = 'must be a whole number of days from 0 to 30';

const SHUTDOWN_DELAY = 'must be a whole number of milliseconds from 0 to 60000';

const POOL_SIZE = 'must be a whole number of connections from 6 to 100';

const KEPT_DAYS = 'must be a whole number of days from 3 to 3650';

const IDLE_DAYS = 'must be a whole number of days from 1 to 365';

const BACKUPS_KEPT = 'must be a whole number of backups from 1 to 1000';

const BUCKET = /[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.source;
const S3_PATH = /[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*\/?/.source;
/** A bucket and the path below it, which may end in '/'. */
export const S3_PLACE = new RegExp(`^s3://(?<bucket>${BUCKET})(/(?<path>${S3_PATH})?)?$`);

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

const settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development or production')
    .default('development'),
  PORT: z.coerce
    .number('must be a port number from 0 to 65535')
    .int()
    .min(0, 'must be a port number from 0 to 65535')
    .max(65_535, 'must be a port number from 0 to 65535')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error').default('info'),
  SHUTDOWN_DELAY_MS: z.coerce
    .number(SHUTDOWN_DELAY)
    .int(SHUTDOWN_DELAY)
    .min(0, SHUTDOWN_DELAY)
    .max(60_000, SHUTDOWN_DELAY)
    .optional(),
  LOG_FORMAT: z.enum(['text', 'json'], 'must be text or json').optional(),
  METRICS_TOKEN: text,
  NOTIFY_SOCKET: z
    .string()
    .regex(/^[/@]./, 'must be the path of a socket, or @ and its abstract name')
    .optional(),
  PUBLIC_URL: webOrigin.optional(),
  DELIVERY_URL: webOrigin.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresAddress,
  DATABASE_OWNER_URL: postgresAddress,
  DATABASE_POOL_SIZE: z.coerce
    .number(POOL_SIZE)
    .int(POOL_SIZE)
    .min(6, POOL_SIZE)
    .max(100, POOL_SIZE)
    .default(10),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  DKIM_DOMAIN: z.string().regex(DOMAIN, 'must be a domain such as ads.example.com').optional(),
  DKIM_SELECTOR: z.string().regex(DOMAIN, 'must be the name below _domainkey, such as openslot').optional(),
  DKIM_KEY: text,
  BOUNCE_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, 'must have at least 16 characters, all of ASCII and none a space')
    .optional(),
  BOUNCE_ADDRESS: z
    .email('must be an email address')
    .regex(/^[^+]{1,20}@/, 'must have at most 20 characters before the @, and no plus sign')
    .optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
    .optional(),
  STRIPE_SECRET_KEY: stripeKey('sk|rk', 'a secret key (sk_…) or restricted key (rk_…)'),
  STRIPE_PUBLISHABLE_KEY: stripeKey('pk', 'a publishable key (pk_…)'),
  STRIPE_WEBHOOK_SECRET: webhookSecrets,
  STRIPE_CONNECT_WEBHOOK_SECRET: webhookSecrets,
  STRIPE_API_BASE: stripeApiBase,
  STRIPE_PORTAL_CONFIGURATION: z
    .string()
    .regex(/^bpc_\w+$/, 'must be the id of a billing portal configuration (bpc_…)')
    .optional(),
  ...MARKETPLACE_SCHEMAS,
  PAYOUT_CHANGE_HOLD_DAYS: z.coerce
    .number(CHANGE_HOLD_DAYS)
    .int(CHANGE_HOLD_DAYS)
    .min(0, CHANGE_HOLD_DAYS)
    .max(30, CHANGE_HOLD_DAYS)
    .default(3),
  OPERATOR_REFUND_LIMIT: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,2})?$/, 'must be an amount such as 500.00')
    .default('500.00')
    .transform(centsOf),
  LEDGER_TOTALS: z.enum(['public', 'private'], 'must be public or private').default('private'),
  TAX_RATES_FILE: text,
  PAYMENTS_PROVIDER: z.enum(['auto', 'stripe', 'sandbox'], 'must be auto, stripe or sandbox').default('auto'),
  SANDBOX_CHAOS: flag(false),
  ALLOW_SANDBOX_PAYMENTS: z.literal('yes-no-real-money', 'must be yes-no-real-money or unset').optional(),
  S3_ENDPOINT: webOrigin
    .refine(isEncryptedOrPrivate, 'must be an https:// address, except for a server in a private network')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-central-1')
    .default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(new RegExp(`^${BUCKET}$`), 'must be the name of a bucket, such as openslot-files')
    .optional(),
  S3_PREFIX: z
    .string()
    .regex(new RegExp(`^${S3_PATH}$`), 'must be a path of letters, digits and _.- such as openslot/files')
    .transform((prefix) => `${prefix.replace(/\/$/, '')}/`)
    .optional(),
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  BACKUP_TO: z
    .string()
    .refine(
      (place) => S3_PLACE.test(place) || !/^(s3:|\w+:\/\/)/.test(place),
      'must be a folder, or an address such as s3://openslot-backups/daily',
    )
    .optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day in UTC, such as 03:00')
    .default('03:00'),
  BACKUP_KEEP: z.coerce
    .number(BACKUPS_KEPT)
    .int(BACKUPS_KEPT)
    .min(1, BACKUPS_KEPT)
    .max(1000, BACKUPS_KEPT)
    .default(7),
  EVENT_LOG_URL: natsAddresses.optional(),
  DEV_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  SESSION_SECRET: sessionSecrets,
  DATA_CENTRES_FILE: text,
  COUNTRY_DATABASE_FILE: text,
  PHISHING_HOSTS_FILE: text,
  VIES_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
    .optional(),
  TRAFFIC_RULES: z.enum(['production', 'development'], 'must be production or development').optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((hop) => hop.trim())
        .filter(Boolean),
    )
    .pipe(
      z.array(
        z.union(
          [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
          'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
        ),
      ),
    ),
  RATE_LIMIT_FACTOR: z.coerce
    .number('must be a number above 0')
    .positive('must be a number above 0')
    .default(1),
  // One video must fit.
  UPLOAD_MEMORY_MB: megabytes(50).default(512),
  ACCOUNT_STORAGE_MB: megabytes(1).default(1024),
  TOTAL_STORAGE_MB: megabytes(1).default(51_200),
  EVENTS_KEPT_DAYS: z.coerce
    .number(KEPT_DAYS)
    .int(KEPT_DAYS)
    .min(3, KEPT_DAYS)
    .max(3650, KEPT_DAYS)
    .default(35),
  SESSION_IDLE_DAYS: z.coerce
    .number(IDLE_DAYS)
    .int(IDLE_DAYS)
    .min(1, IDLE_DAYS)
    .max(365, IDLE_DAYS)
    .default(3),
  SAMPLE_DATA: flag(true).optional(),
});
type Settings = z.output<typeof settings>;

/** The account of S3. Half a configuration is refused, because the operator who sets it relies on it. */
function s3Settings(given: Settings): S3Account | undefined {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_PREFIX, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = given;
  if (S3_PREFIX !== undefined && S3_BUCKET === undefined)
    throw new ConfigError('S3_PREFIX needs S3_BUCKET. Set S3_BUCKET, or unset S3_PREFIX.');
  const backups = S3_PLACE.exec(given.BACKUP_TO ?? '')?.groups?.['bucket'];
  for (const [name, bucket] of Object.entries({ S3_BUCKET, BACKUP_TO: backups })) {
    if (bucket?.includes('.') && S3_ENDPOINT === undefined) {
      throw new ConfigError(
        `${name} has a bucket with a dot, which Amazon's certificates do not cover. Set S3_ENDPOINT to https://s3.${S3_REGION}.amazonaws.com.`,
      );
    }
  }
  const keys = { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const others = { S3_ENDPOINT, S3_BUCKET, BACKUP_TO: backups };
  if (Object.values({ ...keys, ...others }).every((value) => value === undefined)) return undefined;
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    const missing = Object.entries(keys).filter(([, value]) => value === undefined);
    const [set = ''] = Object.entries({ ...keys, ...others }).find(([, value]) => value !== undefined) ?? [];
    const instead = backups === undefined ? '' : ', and set BACKUP_TO to a folder';
    throw new ConfigError(
      missing
        .map(([name]) => `${name} is required with ${set}. Set it, or unset the other S3 settings${instead}.`)
        .join('\n'),
    );
  }
  return {
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/** RFC 8301 tells receivers to ignore signatures of shorter keys. */
const MIN_DKIM_BITS = 1024;

/** Nodemailer leaves out the signature if a key does not sign, so a wrong key is refused here. */
function dkimSettings(given: Settings): DkimSettings | undefined {
  const { DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_KEY: key } = given;
  if (domainName === undefined && keySelector === undefined && key === undefined) return undefined;
  if (domainName === undefined || keySelector === undefined || key === undefined) {
    const missing = Object.entries({
      DKIM_DOMAIN: domainName,
      DKIM_SELECTOR: keySelector,
      DKIM_KEY: key,
    }).flatMap(([name, value]) => (value === undefined ? [name] : []));
    throw new ConfigError(
      `${missing.join(' and ')} must be set with the other settings of DKIM. Set all three, or none.`,
    );
  }
  const privateKey = key.replaceAll('\\n', '\n');
  const read = readPrivateKey(privateKey);
  if (read === null)
    throw new ConfigError(
      'DKIM_KEY must be a private key in PEM without a passphrase. Make one with `openssl genrsa 2048`.',
    );
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = read;
  if (type !== 'rsa')
    throw new ConfigError(
      `DKIM_KEY is a key of the type ${type}, but mail is signed with RSA only. Make a key with \`openssl genrsa 2048\`.`,
    );
  if ((details?.modulusLength ?? 0) < MIN_DKIM_BITS)
    throw new ConfigError(
      `DKIM_KEY must have at least ${MIN_DKIM_BITS} bits. Make a key with \`openssl genrsa 2048\`.`,
    );
  return { domainName, keySelector, privateKey };
}

function readPrivateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

const isLive = (key: string) => /^[a-z]+_live_/.test(key);

/**
 * The settings of Stripe, or undefined if cards run in the sandbox. Half a configuration is refused: without the webhook
 * secrets, a payment that ends after the browser has left would never be noticed.
 */
function stripeSettings(given: Settings): StripeSettings | undefined {
  if (given.PAYMENTS_PROVIDER === 'sandbox') return undefined;
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = given;
  const { STRIPE_WEBHOOK_SECRET, STRIPE_CONNECT_WEBHOOK_SECRET } = given;
  const isPresent = Object.entries(given).some(
    ([name, value]) => name.startsWith('STRIPE_') && value !== undefined,
  );
  if (!isPresent && given.PAYMENTS_PROVIDER === 'auto') return undefined;
  if (
    secretKey === undefined ||
    publishableKey === undefined ||
    STRIPE_WEBHOOK_SECRET === undefined ||
    STRIPE_CONNECT_WEBHOOK_SECRET === undefined
  ) {
    const missing = Object.entries({
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET,
      STRIPE_CONNECT_WEBHOOK_SECRET,
    }).filter(([, value]) => value === undefined);
    throw new ConfigError(
      missing
        .map(
          ([name]) =>
            `${name} is required for card payments through Stripe. Set it, or set PAYMENTS_PROVIDER=sandbox.`,
        )
        .join('\n'),
    );
  }
  if (isLive(secretKey) !== isLive(publishableKey)) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be keys of the test mode or both of the live mode.',
    );
  }
  if (isLive(secretKey) && given.NODE_ENV !== 'production') {
    throw new ConfigError(
      'STRIPE_SECRET_KEY is a live key, which only NODE_ENV=production may use. Set a key of the test mode.',
    );
  }
  if (isLive(secretKey) && given.STRIPE_API_BASE !== undefined) {
    throw new ConfigError(
      'STRIPE_API_BASE must not be set with a live key, because no money would move. Unset it.',
    );
  }
  return {
    secretKey,
    publishableKey,
    webhookSecrets: STRIPE_WEBHOOK_SECRET,
    connectWebhookSecrets: STRIPE_CONNECT_WEBHOOK_SECRET,
    apiBase: given.STRIPE_API_BASE,
    portalConfiguration: given.STRIPE_PORTAL_CONFIGURATION,
  };
}

function requireForProduction(given: Settings, stripe: StripeSettings | undefined): void {
  const missing: string[] = [];
  if (!given.SESSION_SECRET)
    missing.push('SESSION_SECRET is required in production. Set it to at least 32 random characters.');
  if (!given.PUBLIC_URL)
    missing.push('PUBLIC_URL is required in production. Set it to the address that people and tags use.');
  if (!given.SMTP_URL)
    missing.push('SMTP_URL is required in production. Set it to the mail relay that sends sign-in codes.');
  if (!stripe && !given.ALLOW_SANDBOX_PAYMENTS) {
    missing.push(
      'No card provider is configured. Set STRIPE_SECRET_KEY and the other Stripe settings. To run production with sandbox cards and no real money, set ALLOW_SANDBOX_PAYMENTS=yes-no-real-money.',
    );
  }
  if (given.SAMPLE_DATA)
    missing.push(
      'SAMPLE_DATA must not be 1 in production, because the passwords of the sample accounts are public. Unset it.',
    );
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
}

/**
 * A reader of kept mail can sign in as any user, and the sample passwords are public. Both are for local servers only.
 * [DOOR-02]
 */
function requireForPublicUse(given: Settings): void {
  const missing: string[] = [];
  if (!given.SMTP_URL)
    missing.push(
      'SMTP_URL is required with a public PUBLIC_URL, because kept mail contains sign-in codes. Set it to a mail relay, or unset PUBLIC_URL.',
    );
  if (given.SAMPLE_DATA !== false)
    missing.push(
      'SAMPLE_DATA must be 0 with a public PUBLIC_URL, because the passwords of the sample accounts are public.',
    );
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
}
