import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

/** The message with which the server refuses to start with these settings. */
function refusal(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error(`Not refused: ${JSON.stringify(env)}`);
}

const PRODUCTION = {
  NODE_ENV: 'production',
  SESSION_SECRET: 'a secret that has 32 characters or more',
  PUBLIC_URL: 'https://ads.example.com',
  SMTP_URL: 'smtp://mail.example.com',
  ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
};

describe('settings', () => {
  // Proves RUN-05
  it('have defaults in development', () => {
    expect(readConfig({})).toEqual({
      production: false,
      developmentMode: true,
      contactEmail: 'no-reply@localhost',
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      deliveryUrl: 'http://localhost:3000',
      dataDir: './data',
      databaseUrl: undefined,
      smtpUrl: undefined,
      eventLogUrl: undefined,
      mailFrom: 'Openslot <no-reply@localhost>',
      sessionSecret: undefined,
      dataCentresFile: undefined,
      trustedProxies: [],
      rateLimitFactor: 1,
      sessionIdleDays: 3,
      sampleData: true,
      paymentBook: 'sandbox',
    });
  });

  // Proves RUN-05
  it('are read from the environment', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://Ads.Example.com/',
      DELIVERY_URL: 'https://cdn.example.com',
      DATA_DIR: '/var/lib/openslot',
      DATABASE_URL: 'postgresql://user:pass@db:5432/openslot',
      SMTP_URL: 'smtps://user:pass@mail.example.com:465',
      EVENT_LOG_URL: 'nats://user:pass@one:4222, nats://two',
      MAIL_FROM: 'Ads <ads@example.com>',
      SESSION_SECRET: 'x'.repeat(32),
      DATA_CENTRES_FILE: '/etc/openslot/data-centres.txt',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      RATE_LIMIT_FACTOR: '2.5',
      SESSION_IDLE_DAYS: '5',
      SAMPLE_DATA: '0',
      HOME: '/root',
    });
    expect(config).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      publicUrl: 'https://ads.example.com',
      deliveryUrl: 'https://cdn.example.com',
      dataDir: '/var/lib/openslot',
      databaseUrl: 'postgresql://user:pass@db:5432/openslot',
      smtpUrl: 'smtps://user:pass@mail.example.com:465',
      eventLogUrl: 'nats://user:pass@one:4222, nats://two',
      mailFrom: 'Ads <ads@example.com>',
      dataCentresFile: '/etc/openslot/data-centres.txt',
      trustedProxies: ['10.0.0.0/8', '::1'],
      rateLimitFactor: 2.5,
      sessionIdleDays: 5,
      sampleData: false,
    });
  });

  // Proves RUN-05
  it('count as absent when they are empty', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '', SMTP_URL: '' })).toEqual(readConfig({}));
    expect(readConfig({ PORT: '4000' }).publicUrl).toBe('http://localhost:4000');
  });

  const wrong: [string, string][] = [
    ['PORT', 'eighty'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', 'ads.example.com'],
    ['PUBLIC_URL', 'ftp://ads.example.com'],
    ['PUBLIC_URL', 'https://ads.example.com/shop'],
    ['PUBLIC_URL', 'https://ads.example.com?x=1'],
    ['DELIVERY_URL', 'cdn'],
    ['DATABASE_URL', 'mysql://db/openslot'],
    ['DATABASE_URL', 'openslot'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['EVENT_LOG_URL', 'redis://log'],
    ['EVENT_LOG_URL', 'log:4222'],
    ['EVENT_LOG_URL', 'nats://'],
    ['EVENT_LOG_URL', 'nats://log/stream'],
    ['EVENT_LOG_URL', 'nats://one,tls://two'],
    ['EVENT_LOG_URL', 'nats://one,'],
    ['MAIL_FROM', 'nobody'],
    ['SESSION_SECRET', 'short'],
    ['TRUSTED_PROXIES', 'everybody'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy.example.com'],
    ['RATE_LIMIT_FACTOR', '0'],
    ['RATE_LIMIT_FACTOR', '-1'],
    ['RATE_LIMIT_FACTOR', 'many'],
    ['SESSION_IDLE_DAYS', '0'],
    ['SESSION_IDLE_DAYS', '1.5'],
    ['SESSION_IDLE_DAYS', 'never'],
    ['SAMPLE_DATA', 'yes'],
    ['NODE_ENV', 'staging'],
    ['PAYMENTS_PROVIDER', 'paypal'],
    ['ALLOW_SANDBOX_PAYMENTS', 'yes'],
  ];
  // Proves RUN-05
  it.each(wrong)('stop the start with a sentence that names %s when it is %j', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(name);
    // The message is a sentence that gives the reason, not a stack trace.
    expect(message).toMatch(/^[A-Z_]+ (must|has) .+\.$/m);
  });

  // Proves RUN-05
  it('are all named in one message when several are wrong', () => {
    const message = refusal({ PORT: 'x', SMTP_URL: 'y', SESSION_SECRET: 'z' });
    expect(message.split('\n')).toHaveLength(3);
  });

  // Proves RUN-05
  it('stop the start when they belong to services that this version does not support', () => {
    expect(refusal({ STRIPE_SECRET_KEY: 'sk_test_1' })).toContain('STRIPE_SECRET_KEY');
    expect(refusal({ PAYMENTS_PROVIDER: 'stripe' })).toContain('PAYMENTS_PROVIDER');
    expect(refusal({ S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'b' })).toContain(
      'S3_ENDPOINT, S3_BUCKET',
    );
  });
});

describe('production', () => {
  // Proves RUN-06
  it('starts with its required settings, and adds sample data only on request', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ production: true, sampleData: false });
    expect(readConfig({ ...PRODUCTION, SAMPLE_DATA: '1' }).sampleData).toBe(true);
  });

  const needed = [['SESSION_SECRET'], ['PUBLIC_URL'], ['SMTP_URL'], ['ALLOW_SANDBOX_PAYMENTS']] as const;
  // Proves RUN-06
  it.each(needed)('does not start without %s', (name) => {
    expect(refusal({ ...PRODUCTION, [name]: '' })).toContain(name);
  });
});
