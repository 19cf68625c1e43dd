import { z } from 'zod';
import { isLoopback } from './net/loopback.ts';

/** A setting is missing or wrong. The message names it and says why; the start stops with it. */
export class ConfigError extends Error {}

export type PaymentBook = 'stripe-live' | 'stripe-test' | 'sandbox';

export type Config = {
  production: boolean;
  /** It runs on its developer's machine, where local pages and addresses are as good as real ones (design 6.9). */
  developmentMode: boolean;
  port: number;
  host: string;
  /** No trailing slash. */
  publicUrl: string;
  /** The address of tag, decisions and creatives; no trailing slash. */
  deliveryUrl: string;
  dataDir: string;
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  smtpUrl: string | undefined;
  /** The NATS servers of the event log. Absent: events go to PostgreSQL at once. */
  eventLogUrl: string | undefined;
  mailFrom: string;
  /** The bare address of `mailFrom`: where people and machines are told to write. */
  contactEmail: string;
  /** Absent: generated and kept in `dataDir`. */
  sessionSecret: string | undefined;
  /** A list of the addresses of data centres. Absent: `data-centres.txt` in `dataDir`, else the list that came along. */
  dataCentresFile: string | undefined;
  /** Hops whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  rateLimitFactor: number;
  sampleData: boolean;
  paymentBook: PaymentBook;
};

const flag = (fallback: boolean) =>
  z
    .enum(['0', '1'], 'must be 0 or 1')
    .optional()
    .transform((value) => (value === undefined ? fallback : value === '1'));

const webOrigin = z
  .url({
    protocol: /^https?$/,
    error: 'must be a whole address such as https://ads.example.com',
    abort: true,
  })
  .refine(
    (value) => new URL(value).pathname === '/' && !value.includes('?'),
    'must be an address without a path',
  )
  .transform((value) => new URL(value).origin);

/**
 * Reads the environment once, at start (the settings' table stands in docs/operations.md). Empty values count as
 * absent. Throws ConfigError with one sentence for each wrong setting.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settings.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}.`).join('\n'),
    );
  }
  const given = parsed.data;
  const production = given.NODE_ENV === 'production';
  refuseWhatIsNotHereYet(given);
  if (production) requireForProduction(given);

  const publicUrl = given.PUBLIC_URL ?? `http://localhost:${given.PORT}`;
  const mailFrom = given.MAIL_FROM ?? `Openslot <no-reply@${new URL(publicUrl).hostname}>`;
  return {
    production,
    developmentMode: !production && isLoopback(publicUrl),
    port: given.PORT,
    host: given.HOST,
    publicUrl,
    deliveryUrl: given.DELIVERY_URL ?? publicUrl,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    smtpUrl: given.SMTP_URL,
    eventLogUrl: given.EVENT_LOG_URL,
    mailFrom,
    contactEmail: /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim(),
    sessionSecret: given.SESSION_SECRET,
    dataCentresFile: given.DATA_CENTRES_FILE,
    trustedProxies: given.TRUSTED_PROXIES,
    rateLimitFactor: given.RATE_LIMIT_FACTOR,
    sampleData: given.SAMPLE_DATA ?? !production,
    paymentBook: 'sandbox',
  };
}

/** One address for each server, all of one kind. */
const natsAddresses = z.string().refine((list) => {
  const urls = list.split(',').map((each) => URL.parse(each.trim()));
  const kinds = new Set(
    urls.map((url) => (url?.hostname && /^\/?$/.test(url.pathname) ? url.protocol : null)),
  );
  return kinds.size === 1 && (kinds.has('nats:') || kinds.has('tls:'));
}, 'must be a nats:// or tls:// address, or several separated by commas');

const text = z.string().optional();

const settings = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'], 'must be development or production')
    .default('development'),
  PORT: z.coerce
    .number('must be a port number')
    .int()
    .min(0, 'must be a port number')
    .max(65_535, 'must be a port number')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webOrigin.optional(),
  DELIVERY_URL: webOrigin.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.string().regex(/@/, 'must hold a mail address').optional(),
  STRIPE_SECRET_KEY: text,
  STRIPE_PUBLISHABLE_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_CONNECT_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: text,
  PAYMENTS_PROVIDER: z.enum(['auto', 'stripe', 'sandbox'], 'must be auto, stripe or sandbox').default('auto'),
  ALLOW_SANDBOX_PAYMENTS: z.literal('yes-no-real-money', 'must be yes-no-real-money or absent').optional(),
  S3_ENDPOINT: text,
  S3_BUCKET: text,
  S3_REGION: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  EVENT_LOG_URL: natsAddresses.optional(),
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  DATA_CENTRES_FILE: text,
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
          'must list addresses or networks, separated by commas',
        ),
      ),
    ),
  RATE_LIMIT_FACTOR: z.coerce
    .number('must be a number above 0')
    .positive('must be a number above 0')
    .default(1),
  SAMPLE_DATA: flag(true).optional(),
});
type Settings = z.output<typeof settings>;

// Named by the design, not in this version. A start that ignored them would lose money or files.
function refuseWhatIsNotHereYet(given: Settings): void {
  const set = (prefix: string) =>
    Object.keys(given).filter(
      (name) => name.startsWith(prefix) && given[name as keyof Settings] !== undefined,
    );
  const unavailable = [
    {
      names: [...set('STRIPE_'), ...(given.PAYMENTS_PROVIDER === 'stripe' ? ['PAYMENTS_PROVIDER'] : [])],
      why: 'card payments by Stripe',
    },
    { names: set('S3_'), why: 'uploads in S3' },
  ].filter(({ names }) => names.length > 0);
  if (unavailable.length > 0) {
    throw new ConfigError(
      unavailable
        .map(
          ({ names, why }) => `${names.join(', ')}: this version of Openslot does not have ${why}; unset it.`,
        )
        .join('\n'),
    );
  }
}

function requireForProduction(given: Settings): void {
  const missing: string[] = [];
  if (!given.SESSION_SECRET)
    missing.push('SESSION_SECRET is required in production: at least 32 random characters.');
  if (!given.PUBLIC_URL)
    missing.push('PUBLIC_URL is required in production: the address people and tags use.');
  if (!given.SMTP_URL) missing.push('SMTP_URL is required in production: without it nobody receives a code.');
  if (!given.ALLOW_SANDBOX_PAYMENTS) {
    missing.push(
      'No card provider is set. To run production on sandbox cards, with no real money, set ALLOW_SANDBOX_PAYMENTS=yes-no-real-money.',
    );
  }
  if (missing.length > 0) throw new ConfigError(missing.join('\n'));
}
