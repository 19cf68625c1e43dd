/**
 * The settings of a server, which are in its environment. A new one is one row here: Config, `openslot config` and the guide
 * follow. Rules about several settings are in joint.ts.
 */
import { z } from 'zod';
import { emailText } from '#domain/email-address.ts';
import { iban } from '#domain/payments/bank-account.ts';
import { PAYOUT_METHODS } from '#domain/payments/payout-contract.ts';
import { isPublicHost } from '#domain/public-host.ts';
import { EXTENSION_SETTINGS } from '../extensions.ts';
import { isLoopback } from '../net/networks.ts';
import { amount, flag, listOf, megabytes, oneOf, optionalFlag, webOrigin, wholeNumber } from './kinds.ts';
import { MARKETPLACE } from './marketplace.ts';
import { type Row, schemasOf, type Values } from './row.ts';

const postgresAddress = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' })
  .optional();

/** A secret's value never appears in an error. */
const stripeKey = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^(${prefix})_(test|live)_\\S+$`), `must be ${what} of Stripe`)
    .optional();

const webhookSecrets = listOf(
  z
    .string()
    .regex(/^whsec_\S+$/, 'must be the signing secret of a webhook endpoint, or several separated by commas'),
).optional();

/** Secrets that are all accepted. The first one signs. */
export type Secrets = readonly [string, ...string[]];

const SECRET = 'must be a secret of at least 32 characters, or several separated by commas';
const sessionSecret = z.string().min(32, SECRET);
const sessionSecrets = z
  .string()
  .transform((list) => list.split(/\s*,\s*/))
  .pipe(z.tuple([sessionSecret], sessionSecret))
  .optional();

/** The keys sign each call, but without TLS everybody on the way reads the files. */
function isEncryptedOrPrivate(origin: string): boolean {
  return origin.startsWith('https:') || isLoopback(origin) || !isPublicHost(new URL(origin).hostname);
}

const BUCKET = /[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/.source;
const S3_PATH = /[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*\/?/.source;
/** A bucket and the path below it, which may end in '/'. */
export const S3_PLACE = new RegExp(`^s3://(?<bucket>${BUCKET})(/(?<path>${S3_PATH})?)?$`);

/** A folder, or a bucket with a path. */
const placeAddress = (example: string) =>
  z
    .string()
    .refine(
      (place) => S3_PLACE.test(place) || !/^(s3:|\w+:\/\/)/.test(place),
      `must be a folder, or an address such as ${example}`,
    )
    .optional();

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;

const PORT_SAYS = 'must be a port number from 0 to 65535';

/** Checks the rows, and keeps the type of each. */
const rowsOf = <const Of extends Record<string, Row>>(rows: Of): Of => rows;

/** The rows, in the order of the lists. */
export const ENVIRONMENT = rowsOf({
  NODE_ENV: {
    ...oneOf(['development', 'production', 'test'], 'development', 'must be development or production'),
    guide:
      '`production` refuses the stand-ins, logs every call except those of the ad server, and applies the complete traffic filter to loopback addresses too.',
  },
  PORT: {
    field: 'port',
    schema: z.coerce.number(PORT_SAYS).int().min(0, PORT_SAYS).max(65_535, PORT_SAYS).default(3000),
    guide:
      'Where the server listens. With `0` the system chooses the port. `openslot` finds the port of a running server by its database.',
  },
  HOST: {
    field: 'host',
    schema: z.string().default('127.0.0.1'),
    guide: 'The address on which it listens.',
  },
  /** The least important lines that the log has. */
  LOG_LEVEL: {
    field: 'logLevel',
    ...oneOf(['debug', 'info', 'warn', 'error'], 'info'),
    guide: 'The least important lines that the log has: `debug`, `info`, `warn` or `error`.',
  },
  /** How long everything goes on after SIGTERM, while health already says that the server stops. */
  SHUTDOWN_DELAY_MS: {
    field: 'shutdownDelayMs',
    schema: wholeNumber('milliseconds', 0, 60_000).optional(),
    default: '`0`, in production `5000`',
    guide:
      'How long the server goes on after SIGTERM while `/api/health/ready` and `/api/health/delivery` already say 503, so that a load balancer looks elsewhere first. `0` to `60000`. A second signal ends the process at once.',
  },
  LOG_FORMAT: {
    schema: z.enum(['text', 'json'], 'must be text or json').optional(),
    default: '`text`, in production always `json`',
    guide:
      'With `json`, the output is a log with one JSON object a line (see [Log](run.md#log)). With `text`, it is for a person at a terminal, without the lines of requests.',
  },
  /** A scrape of `/metrics` must present it. If absent, there is no `/metrics`. */
  METRICS_TOKEN: {
    field: 'metricsToken',
    schema: z.string().optional(),
    secret: 'value',
    default: 'none: `/metrics` is 404',
    guide:
      'The bearer token of a scrape by Prometheus (see [Metrics](run.md#metrics)). Choose at least 32 random characters.',
  },
  /** Where a service manager such as systemd hears about ready and stop: a path, or `@` and an abstract name. */
  NOTIFY_SOCKET: {
    field: 'notifySocket',
    schema: z
      .string()
      .regex(/^[/@]./, 'must be the path of a socket, or @ and its abstract name')
      .optional(),
    default: 'set by systemd',
    guide:
      'The socket of a service manager, a path or `@` and an abstract name. It hears `READY=1` when `/api/health/ready` is 200, and `STOPPING=1` at SIGTERM. The program `/usr/bin/systemd-notify` sends both.',
  },
  /** No trailing slash. */
  PUBLIC_URL: {
    field: 'publicUrl',
    schema: webOrigin.optional(),
    default: '`http://localhost:PORT`',
    guide: 'The address that users and tags use; required in production.',
  },
  /** The origin of the tag, the decisions and the creatives. No trailing slash. */
  DELIVERY_URL: {
    field: 'deliveryUrl',
    schema: webOrigin.optional(),
    default: '`PUBLIC_URL`',
    guide:
      'A host without cookies for the tag, ad requests and creatives. Choose neutral names for both hosts: ad blockers remove everything from `ads.…`, `adserver.…`, `banner.…`, `promo.…` and the like, and the start and `openslot doctor` say so.',
  },
  HSTS_SUBDOMAINS: {
    field: 'hasHstsForSubdomains',
    ...flag(false),
    guide:
      'With an `https://` address in `PUBLIC_URL`, browsers use only https for its host during a year (HSTS). `1` adds all subdomains of that host. Set it only if every one of them has https, because browsers then open none of them without.',
  },
  DATA_DIR: {
    field: 'dataDir',
    schema: z.string().default('./data'),
    guide:
      'Embedded PostgreSQL, uploads, generated secret. Several instances need one folder of uploads that all of them can see, or `S3_BUCKET`.',
  },
  /** If absent, the server runs the embedded PostgreSQL in `dataDir`. */
  DATABASE_URL: {
    field: 'databaseUrl',
    schema: postgresAddress,
    secret: 'address',
    default: 'none: embedded',
    guide:
      'The direct address of a PostgreSQL server, version 15 or newer. The address of a transaction pooler such as PgBouncer is refused at the start.',
  },
  /** The role that owns the tables, if `databaseUrl` names another one. Only the migrations at the start use it. */
  DATABASE_OWNER_URL: {
    field: 'databaseOwnerUrl',
    schema: postgresAddress,
    secret: 'address',
    default: '`DATABASE_URL`',
    guide:
      'The direct address of the same database with the role that owns the tables, for the migrations at the start. See [The roles of the database](#the-roles-of-the-database).',
  },
  DATABASE_POOL_SIZE: {
    field: 'databasePoolSize',
    schema: wholeNumber('connections', 6, 100).default(10),
    guide:
      'All connections of one server to the database, `6` to `100`. Three or four are for changes, counting, limits and health, up to five for jobs; searches of websites have at most a quarter of the rest. Eight servers fit into the hundred of a Debian PostgreSQL.',
  },
  SMTP_URL: {
    field: 'smtpUrl',
    schema: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
    secret: 'address',
    guide:
      'The mail relay. It is required in production and with a public `PUBLIC_URL`. Without it, mail is kept and can be read at `/dev/mail`, from this machine only and with the key that the terminal shows.',
  },
  DKIM_DOMAIN: {
    schema: z.string().regex(DOMAIN, 'must be a domain such as market.example.com').optional(),
    default: 'none: not signed',
    guide: 'Signs each mail, with the next two: all three or none. See [Mail](#mail).',
  },
  DKIM_SELECTOR: {
    schema: z.string().regex(DOMAIN, 'must be the name below _domainkey, such as openslot').optional(),
    guide: 'The name of the key below `_domainkey`.',
  },
  DKIM_KEY: {
    schema: z.string().optional(),
    secret: 'value',
    guide: 'An RSA key in PEM, in one line with `\\n`, in quotes as `SELLER_ADDRESS`, or in several.',
  },
  /** The secret of `POST /api/webhooks/bounces`, which exists only with it. */
  BOUNCE_TOKEN: {
    field: 'bounceToken',
    schema: z
      .string()
      .regex(/^[!-~]{16,}$/, 'must have at least 16 characters, all of ASCII and none a space')
      .optional(),
    secret: 'value',
    default: 'none: no webhook',
    guide: 'At least 16 characters. The mail relay reports bounces with it. See [Bounces](#bounces).',
  },
  /** `bounce@host`: each mail has a return path `bounce+…@host` of its own. If absent, it is the sender's address. */
  BOUNCE_ADDRESS: {
    field: 'bounceAddress',
    schema: emailText('must be an email address')
      .refine(
        (address) => /^[^+]{1,20}@/.test(address),
        'must have at most 20 characters before the @, and no plus sign',
      )
      .optional(),
    default: 'none: the sender’s address',
    guide: '`bounce@mail.example.com`: each mail gets a return path `bounce+…@mail.example.com` of its own.',
  },
  /** Where to report a vulnerability of this server, for security.txt. If absent: `contactEmail`. */
  SECURITY_CONTACT: {
    field: 'securityContact',
    schema: z
      .string()
      .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, 'must be a mailto: or https: address')
      .optional(),
    default: '`mailto:` of `OPERATOR_MAIL`',
    guide:
      'Where to report a vulnerability of this installation: a `mailto:` or `https:` address, for `/.well-known/security.txt`.',
  },
  STRIPE_SECRET_KEY: {
    schema: stripeKey('sk|rk', 'a secret key (sk_…) or restricted key (rk_…)'),
    secret: 'value',
    guide:
      'A key of your Stripe account. This and the publishable one are both of the test mode or both of the live mode. A live key needs `NODE_ENV=production`.',
  },
  STRIPE_PUBLISHABLE_KEY: {
    schema: stripeKey('pk', 'a publishable key (pk_…)'),
    guide: 'The publishable key of the same account.',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: webhookSecrets,
    secret: 'value',
    guide:
      'The signing secret of the first webhook endpoint; several separated by commas while you rotate one.',
  },
  STRIPE_CONNECT_WEBHOOK_SECRET: {
    schema: webhookSecrets,
    secret: 'value',
    guide: 'The same of the second one, for connected accounts.',
  },
  STRIPE_API_BASE: {
    schema: webOrigin
      .refine(isLoopback, 'must be an address of this machine, because keys are sent to it')
      .optional(),
    default: 'none: api.stripe.com',
    guide: 'For tests: the address of a stand-in for Stripe on this machine. Refused with a live key.',
  },
  STRIPE_PORTAL_CONFIGURATION: {
    schema: z
      .string()
      .regex(/^bpc_\w+$/, 'must be the id of a billing portal configuration (bpc_…)')
      .optional(),
    default: 'created at the first start',
    guide: 'The id of a configuration of the billing portal (`bpc_…`), if you prefer your own.',
  },
  /** How long all payouts of a publisher wait after a change of the payout account. */
  PAYOUT_CHANGE_HOLD_DAYS: {
    field: 'payoutChangeHoldDays',
    schema: wholeNumber('days', 0, 30).default(3),
    guide:
      'Days for which the payouts of a publisher wait after a change of their payout account, not after the first set-up. The publisher is e-mailed. `0` to `30`; `0` turns the hold off. You can end a hold in the console.',
  },
  PAYOUTS: {
    field: 'payoutMethod',
    ...oneOf(PAYOUT_METHODS, 'connect'),
    guide:
      '`connect`: the card provider pays publishers. `bank`: you do, with files for your bank ([payouts by bank](run.md#money)), in euros.',
  },
  BANK_IBAN: {
    field: 'bankIban',
    schema: z
      .string()
      .refine((text) => iban.safeParse(text).success, 'must be the IBAN of an account in the SEPA area')
      .transform((text) => iban.parse(text))
      .optional(),
    default: 'none',
    guide: 'The IBAN that pays the publishers.',
  },
  /** From two operators on, larger refunds of one ad need the second. In cents. */
  OPERATOR_REFUND_LIMIT: {
    field: 'operatorRefundLimitCents',
    ...amount('500.00', /^\d{1,9}(\.\d{1,2})?$/, 'must be an amount such as 500.00'),
    guide:
      'With two operators or more: how much one operator alone can refund for one ad in the console, in the currency of `CURRENCY`.',
  },
  LEDGER_TOTALS: {
    ...oneOf(['public', 'private'], 'private'),
    guide:
      'With `public`, the signed root of the ledger also states the totals that the marketplace owes and holds.',
  },
  TAX_RATES_FILE: {
    schema: z.string().optional(),
    default: 'none: the table of the console',
    guide:
      'A file with the tax that prices contain, by the advertiser’s country. It wins over the table of the console.',
  },
  PAYMENTS_PROVIDER: {
    ...oneOf(['auto', 'stripe', 'sandbox'], 'auto'),
    guide:
      '`auto` takes Stripe if its settings are present, and the sandbox otherwise. `stripe` and `sandbox` choose one in any case.',
  },
  /** For tests: events of the sandbox arrive twice and in any order. */
  SANDBOX_CHAOS: {
    field: 'sandboxChaos',
    ...flag(false),
    guide: 'For tests: with `1`, each event of the sandbox arrives twice and in any order.',
  },
  ALLOW_SANDBOX_PAYMENTS: {
    schema: z.literal('yes-no-real-money', 'must be yes-no-real-money or unset').optional(),
    guide: 'Production with sandbox cards needs `yes-no-real-money`.',
  },
  S3_ENDPOINT: {
    schema: webOrigin
      .refine(isEncryptedOrPrivate, 'must be an https:// address, except for a server in a private network')
      .optional(),
    default: 'Amazon’s',
    guide:
      'The address of another server that speaks the protocol of S3, such as `https://s3.example.com`. Buckets are then the first part of the path. `http://` only for this machine, a private address or a name without a public domain.',
  },
  S3_REGION: {
    schema: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'must be a region such as eu-central-1')
      .default('us-east-1'),
    guide: 'The region of the buckets.',
  },
  S3_BUCKET: {
    schema: z
      .string()
      .regex(new RegExp(`^${BUCKET}$`), 'must be the name of a bucket, such as openslot-files')
      .optional(),
    default: 'none: `DATA_DIR`',
    guide:
      'The bucket of the uploads. Use the same value on every instance. See [Files in S3](#files-in-s3).',
  },
  S3_PREFIX: {
    schema: z
      .string()
      .regex(new RegExp(`^${S3_PATH}$`), 'must be a path of letters, digits and _.- such as openslot/files')
      .transform((prefix) => `${prefix.replace(/\/$/, '')}/`)
      .optional(),
    guide: 'A path below the bucket, such as `openslot/files`. Use the same value on every instance.',
  },
  S3_ACCESS_KEY_ID: {
    schema: z.string().optional(),
    guide: 'The key, required with the other settings of S3.',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string().optional(),
    secret: 'value',
    guide: 'Its secret, required with it.',
  },
  BACKUP_TO: {
    schema: placeAddress('s3://openslot-backups/daily'),
    default: 'none: no daily backup',
    guide:
      'Where the server makes a backup each day: a folder, or `s3://BUCKET/PREFIX` with the keys of S3. See [Backup](run.md#backup).',
  },
  BACKUP_AT: {
    schema: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day in UTC, such as 03:00')
      .default('03:00'),
    guide: 'The time of the daily backup, in UTC and as `HH:MM`. Ignored without `BACKUP_TO`.',
  },
  BACKUP_KEEP: {
    schema: wholeNumber('backups', 1, 1000).default(7),
    guide: 'How many backups stay, `1` to `1000`, beside the newest one that was restored as a proof.',
  },
  ...EXTENSION_SETTINGS,
  EVENT_PARTITIONS: {
    field: 'eventPartitions',
    schema: wholeNumber('partitions', 1, 256).default(16),
    guide:
      'Into how many partitions publishers are sorted: `1` to `256`. One server counts a partition at a time, so at most as many servers count. The first start stores the number. It can only grow: stop all servers, when no event waits, and start them with the higher number. Use the same value on every instance.',
  },
  DEV_KEY: {
    schema: z.string().min(16, 'must have at least 16 characters').optional(),
    secret: 'value',
    default: 'made at each start',
    guide:
      'The key of the pages under `/dev`, at least 16 characters. Production has no such pages and ignores it (decision 022).',
  },
  /** Several are all accepted. The first one signs. If absent, a secret is generated and stored in `dataDir`. */
  SESSION_SECRET: {
    field: 'sessionSecrets',
    schema: sessionSecrets,
    secret: 'value',
    default: 'generated, kept in `DATA_DIR`',
    guide:
      'At least 32 characters; required in production. Use the same value on every instance. Several secrets, separated by commas: the first one signs, and each is accepted. See [Another secret](run.md#another-secret).',
  },
  DATA_CENTRES_FILE: {
    field: 'dataCentresFile',
    schema: z.string().optional(),
    default: '`data-centres.txt` in `DATA_DIR`, else the shipped list',
    guide:
      'Networks of data centers, whose views and clicks are filtered (see [lists](#lists-of-networks-hosts-and-countries)).',
  },
  COUNTRY_DATABASE_FILE: {
    field: 'countryDatabaseFile',
    schema: z.string().optional(),
    default: 'the shipped file',
    guide:
      'Another file in the format MMDB, which tells countries and possibly regions of visitors (see [lists](#lists-of-networks-hosts-and-countries)).',
  },
  PHISHING_HOSTS_FILE: {
    field: 'phishingHostsFile',
    schema: z.string().optional(),
    default: '`phishing-hosts.txt` in `DATA_DIR`, else none',
    guide: 'Hosts that no ad may lead to (see [lists](#lists-of-networks-hosts-and-countries)).',
  },
  VIES_URL: {
    field: 'viesUrl',
    schema: z
      .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
      .optional(),
    default: 'none: the EU’s address',
    guide: 'Another address of VIES, such as a proxy.',
  },
  UPDATE_FEED: {
    field: 'updateFeed',
    schema: z
      .string()
      .refine((address) => {
        const url = URL.parse(address);
        return (
          url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.origin)))
        );
      }, 'must be an address that starts with https://')
      .optional(),
    default: 'none: nothing is asked',
    guide:
      'A file that names the newest release, as JSON: `{ "version": "0.4.0", "url": "https://…" }`. It is read once a day. The console and `openslot doctor` then say when a newer release is out ([upgrades](run.md#upgrades)).',
  },
  /** The rules against invalid traffic. Those of development let a developer's tools and local pages count. */
  TRAFFIC_RULES: {
    field: 'trafficRules',
    schema: z.enum(['production', 'development'], 'must be production or development').optional(),
    default: '`production` in production, else `development`',
    guide:
      'The rules against invalid traffic ([measurement](measurement.md)). `production` turns them on for a test; production refuses `development`.',
  },
  /** Addresses and networks of the proxies whose `X-Forwarded-For` header is trusted. */
  TRUSTED_PROXIES: {
    field: 'trustedProxies',
    schema: z
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
    default: 'none',
    guide: 'Addresses or networks whose `X-Forwarded-For` is believed, separated by commas.',
  },
  RATE_LIMIT_FACTOR: {
    field: 'rateLimitFactor',
    schema: z.coerce.number('must be a number above 0').positive('must be a number above 0').default(1),
    guide:
      'Multiplies all limits: searches of websites, sign-in, codes and address checks, declined cards, uploads, exports, started payments, new websites, ad zones, pricing options and ads, how many of these an owner can have, reports, and mails to one address.',
  },
  /** Uploads that are arriving at this instance may use this much memory together. One video must fit. */
  UPLOAD_MEMORY_MB: {
    field: 'uploadMemoryBytes',
    ...megabytes(512, { least: 50 }),
    guide: 'Memory of one instance for files that are arriving. Beyond it, uploads are answered with 429.',
  },
  ACCOUNT_STORAGE_MB: {
    field: 'accountStorageBytes',
    ...megabytes(1024, { least: 1 }),
    guide:
      'The maximum size of the uploaded files of one account. Files that no ad and no library uses are removed after a week.',
  },
  TOTAL_STORAGE_MB: {
    field: 'totalStorageBytes',
    ...megabytes(51_200, { least: 1 }),
    guide: 'The same of all accounts together.',
  },
  /** The days for which single events are kept. Their figures by the hour are kept for good. */
  EVENTS_KEPT_DAYS: {
    field: 'eventsKeptDays',
    schema: wholeNumber('days', 3, 3650).default(35),
    guide:
      'Days before today (UTC) for which each view and click is kept, to answer questions about it, in the view `kept_events`. `3` to `3650`. The counts are kept for good: by the hour for 60 days, then by the day ([decision 117](decisions/117-days-of-hours.md)). Use the same value on every instance, because the smallest one decides.',
  },
  /** Where a day of events is archived before it is dropped: a folder or `s3://BUCKET/PREFIX`. If absent, nowhere. */
  ARCHIVE_TO: {
    field: 'archiveTo',
    schema: placeAddress('s3://openslot-archive/events'),
    default: 'none: no archive',
    guide:
      'Where each day of events is written before it is dropped: a folder, or `s3://BUCKET/PREFIX` with the keys of S3. Use the same value on every instance. See [The archive of events](run.md#the-archive-of-events).',
  },
  /** A session ends after this many days without a call. */
  SESSION_IDLE_DAYS: {
    field: 'sessionIdleDays',
    schema: wholeNumber('days', 1, 365).default(3),
    guide: 'A session ends after this many days without a call, and after seven days in any case.',
  },
  SAMPLE_DATA: {
    field: 'sampleData',
    ...optionalFlag,
    default: '`1` in development',
    guide:
      '`0` leaves an empty database empty; production refuses `1`, and a public `PUBLIC_URL` needs `0`, because the sample passwords are public.',
  },
});

/** All settings that the environment may have. */
export const SETTINGS = { ...ENVIRONMENT, ...MARKETPLACE };

/** The settings with their rules in the environment, which is stricter about some of the marketplace. */
export const settings = z.object({
  ...schemasOf(SETTINGS),
  ACCENT: MARKETPLACE.ACCENT.inEnvironment,
  SELLER_ADDRESS: MARKETPLACE.SELLER_ADDRESS.inEnvironment,
  SELLER_LEGAL: MARKETPLACE.SELLER_LEGAL.inEnvironment,
});
export type Settings = Values<typeof SETTINGS>;
