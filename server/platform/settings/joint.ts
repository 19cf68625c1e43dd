/** Settings that mean something only together, and what production requires. Throws ConfigError where they do not fit. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ConfigError, linesIn } from './kinds.ts';
import { S3_PLACE, type Settings } from './environment.ts';

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

/** The account of S3. Half a configuration is refused, because the operator who sets it relies on it. */
export function s3Settings(given: Settings): S3Account | undefined {
  const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_PREFIX, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = given;
  if (S3_PREFIX !== undefined && S3_BUCKET === undefined)
    throw new ConfigError('S3_PREFIX needs S3_BUCKET. Set S3_BUCKET, or unset S3_PREFIX.');
  const bucketOf = (place = '') => S3_PLACE.exec(place)?.groups?.['bucket'];
  const places = { BACKUP_TO: bucketOf(given.BACKUP_TO), ARCHIVE_TO: bucketOf(given.ARCHIVE_TO) };
  for (const [name, bucket] of Object.entries({ S3_BUCKET, ...places })) {
    if (bucket?.includes('.') && S3_ENDPOINT === undefined) {
      throw new ConfigError(
        `${name} has a bucket with a dot, which Amazon's certificates do not cover. Set S3_ENDPOINT to https://s3.${S3_REGION}.amazonaws.com.`,
      );
    }
  }
  const keys = { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const others = { S3_ENDPOINT, S3_BUCKET, ...places };
  if (Object.values({ ...keys, ...others }).every((value) => value === undefined)) return undefined;
  if (S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    const missing = Object.entries(keys).filter(([, value]) => value === undefined);
    const [set = ''] = Object.entries({ ...keys, ...others }).find(([, value]) => value !== undefined) ?? [];
    const inBuckets = Object.entries(places).flatMap(([name, bucket]) =>
      bucket === undefined ? [] : [name],
    );
    const instead = inBuckets.length === 0 ? '' : `, and set ${inBuckets.join(' and ')} to a folder`;
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

/** Payouts by bank leave from an account of the operator. [PAYO-201] */
export function requireBankAccount(given: Settings): void {
  if (given.PAYOUTS === 'bank' && given.BANK_IBAN === undefined)
    throw new ConfigError(
      'BANK_IBAN is required with PAYOUTS=bank. Set it to the IBAN of the account that pays the publishers.',
    );
}

/** RFC 8301 tells receivers to ignore signatures of shorter keys. */
const MIN_DKIM_BITS = 1024;

/** Nodemailer leaves out the signature if a key does not sign, so a wrong key is refused here. */
export function dkimSettings(given: Settings): DkimSettings | undefined {
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
  const privateKey = linesIn(key);
  const read = readPrivateKey(privateKey);
  // systemd makes this of a key that is not in quotes.
  if (read === null && /KEY-----n/.test(key))
    throw new ConfigError(
      'DKIM_KEY has lost its line breaks. In the file that systemd reads, write it in quotes: DKIM_KEY="-----BEGIN PRIVATE KEY-----\\n…", or name its file in DKIM_KEY_FILE.',
    );
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

export const isLive = (key: string) => /^[a-z]+_live_/.test(key);

/**
 * The settings of Stripe, or undefined if cards run in the sandbox. Half a configuration is refused: without the webhook
 * secrets, a payment that ends after the browser has left would never be noticed.
 */
export function stripeSettings(given: Settings): StripeSettings | undefined {
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

export function requireForProduction(given: Settings, stripe: StripeSettings | undefined): void {
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
export function requireForPublicUse(given: Settings): void {
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
