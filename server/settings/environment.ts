/** The form of each setting in the environment. Rules about several settings are in joint.ts. */
import { centsOf } from '#domain/money.ts';
import { emailText } from '#domain/email-address.ts';
import { isPublicHost } from '#domain/public-host.ts';
import { z } from 'zod';
import { MARKETPLACE_SCHEMAS } from './marketplace.ts';
import { isLoopback } from '../net/loopback.ts';

const flag = (fallback: boolean) =>
  z
    .enum(['0', '1'], 'must be 0 or 1')
    .optional()
    .transform((value) => (value === undefined ? fallback : value === '1'));

/** `unit` is a noun in the plural, for the message. */
const wholeNumber = (unit: string, least: number, most: number) => {
  const message = `must be a whole number of ${unit} from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};

const megabytes = (least: number) => {
  const message = `must be a whole number of megabytes, at least ${least}`;
  return z.coerce.number(message).int(message).min(least, message).max(1_000_000_000, message);
};

const webOrigin = z
  .url({
    protocol: /^https?$/,
    error: 'must be a full address such as https://market.example.com',
    abort: true,
  })
  .refine(
    (value) => new URL(value).pathname === '/' && !value.includes('?'),
    'must be an address without a path, such as https://market.example.com',
  )
  .transform((value) => new URL(value).origin);

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

/** systemd makes this of `Weg 1\n10115 Berlin` that is not in quotes. Receipts never change, so that it would stand on them. */
const LOST_BREAK = /[\d.,;:)]n[A-Z\d]|[a-z]n\d{4}/;
const withoutLostBreak = (text: string | undefined) => !LOST_BREAK.test(text ?? '');
const lostBreak = (example: string) =>
  `has an “n” where a line break was: in the file that systemd reads, write the whole in quotes, as in ${example}`;

/** The settings that the environment may have. docs/operations.md lists them. */
export const settings = z.object({
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
  SHUTDOWN_DELAY_MS: wholeNumber('milliseconds', 0, 60_000).optional(),
  LOG_FORMAT: z.enum(['text', 'json'], 'must be text or json').optional(),
  METRICS_TOKEN: text,
  NOTIFY_SOCKET: z
    .string()
    .regex(/^[/@]./, 'must be the path of a socket, or @ and its abstract name')
    .optional(),
  PUBLIC_URL: webOrigin.optional(),
  DELIVERY_URL: webOrigin.optional(),
  HSTS_SUBDOMAINS: flag(false),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresAddress,
  DATABASE_OWNER_URL: postgresAddress,
  DATABASE_POOL_SIZE: wholeNumber('connections', 6, 100).default(10),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  DKIM_DOMAIN: z.string().regex(DOMAIN, 'must be a domain such as market.example.com').optional(),
  DKIM_SELECTOR: z.string().regex(DOMAIN, 'must be the name below _domainkey, such as openslot').optional(),
  DKIM_KEY: text,
  BOUNCE_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, 'must have at least 16 characters, all of ASCII and none a space')
    .optional(),
  BOUNCE_ADDRESS: emailText('must be an email address')
    .refine(
      (address) => /^[^+]{1,20}@/.test(address),
      'must have at most 20 characters before the @, and no plus sign',
    )
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
  SELLER_ADDRESS: MARKETPLACE_SCHEMAS.SELLER_ADDRESS.refine(
    withoutLostBreak,
    lostBreak('SELLER_ADDRESS="Main Street 1\\n10115 Berlin"'),
  ),
  SELLER_LEGAL: MARKETPLACE_SCHEMAS.SELLER_LEGAL.refine(
    withoutLostBreak,
    lostBreak('SELLER_LEGAL="HRB 4711\\nAmtsgericht Berlin"'),
  ),
  PAYOUT_CHANGE_HOLD_DAYS: wholeNumber('days', 0, 30).default(3),
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
  BACKUP_TO: placeAddress('s3://openslot-backups/daily'),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day in UTC, such as 03:00')
    .default('03:00'),
  BACKUP_KEEP: wholeNumber('backups', 1, 1000).default(7),
  EVENT_LOG_URL: natsAddresses.optional(),
  EVENT_LOG_MONITOR_URL: z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .pipe(z.array(webOrigin))
    .optional(),
  EVENT_LOG_BYTES: wholeNumber('bytes', 1024 ** 2, 1024 ** 5).optional(),
  EVENT_PARTITIONS: wholeNumber('partitions', 1, 256).default(16),
  ROLE: z.enum(['all', 'marketplace', 'cell'], 'must be all, marketplace or cell').default('all'),
  CELL_KEY: z
    .string()
    .regex(/^cell_[\w-]{43}$/, 'must be a key that `openslot cell add` printed')
    .optional(),
  MARKETPLACE_URL: webOrigin
    .refine(isEncryptedOrPrivate, 'must be an https:// address, except for a server in a private network')
    .optional(),
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
  EVENTS_KEPT_DAYS: wholeNumber('days', 3, 3650).default(35),
  ARCHIVE_TO: placeAddress('s3://openslot-archive/events'),
  SESSION_IDLE_DAYS: wholeNumber('days', 1, 365).default(3),
  SAMPLE_DATA: flag(true).optional(),
});
export type Settings = z.output<typeof settings>;
