import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import { chartIn } from '#domain/payments/charts.ts';
import { DEFAULT_TAGLINE } from '#domain/marketplace.ts';
import { ConfigError } from './kinds.ts';
import { readConfig, settingsInForce } from './config.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';

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
  it('have defaults in development', () => {
    expect(readConfig({})).toEqual({
      logFormat: 'text',
      metricsToken: undefined,
      devKey: expect.stringMatching(/^[\w-]{32}$/) as string,
      production: false,
      developmentMode: true,
      trafficRules: 'development',
      approvalDays: 5,
      logLevel: 'info',
      shutdownDelayMs: 0,
      hasHstsForSubdomains: false,
      contactEmail: 'no-reply@localhost',
      environment: {},
      retiredCategories: [],
      pages: {},
      announcement: null,
      categories: DEFAULT_CATEGORIES,
      supportAddress: null,
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      deliveryUrl: 'http://localhost:3000',
      dataDir: './data',
      databaseUrl: undefined,
      databaseOwnerUrl: undefined,
      databasePoolSize: 10,
      smtpUrl: undefined,
      eventLogUrl: undefined,
      eventPartitions: 16,
      mailFrom: 'Openslot <no-reply@localhost>',
      sessionSecrets: undefined,
      dataCentresFile: undefined,
      countryDatabaseFile: undefined,
      phishingHostsFile: undefined,
      trustedProxies: [],
      rateLimitFactor: 1,
      backup: null,
      uploadMemoryBytes: 512 * 1024 ** 2,
      accountStorageBytes: 1024 ** 3,
      totalStorageBytes: 50 * 1024 ** 3,
      eventsKeptDays: 35,
      archiveTo: undefined,
      eventLogMonitorUrls: undefined,
      eventLogBytes: undefined,
      sessionIdleDays: 3,
      sampleData: true,
      stripe: undefined,
      sandboxChaos: false,
      paymentBook: 'sandbox',
      currency: 'USD',
      brand: { name: 'Openslot', tagline: DEFAULT_TAGLINE, logo: null, icon: null, accent: null },
      cancels: { fee: 'operator', perDay: 5, reviewAboveCents: 100_000 },
      commissionPercent: 15,
      minimumPriceCents: 50,
      hasCatalogue: true,
      reviewsWebsites: false,
      operatorRefundLimitCents: 500_00,
      areLedgerTotalsPublic: false,
      vies: false,
      publisherReports: 'off',
      selfBilling: {
        isOffered: false,
        publisherTax: 'on_top',
        text: expect.stringContaining('Self-billing') as string,
      },
      seller: { name: 'Openslot', address: null, country: null, taxId: null, legal: null },
      businessTimeZone: 'UTC',
      documentYears: 10,
      datevChart: chartIn('SKR03'),
      taxTable: null,
      hasTaxFile: false,
      taxVersion: null,
      taxSplit: 'net',
      payouts: { firstHoldDays: 30, holdDays: 7, minimumCents: 2500 },
      payoutChangeHoldDays: 3,
      payoutMethod: 'connect',
      bankIban: undefined,
    });
  });

  it('are read from the environment', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://Ads.Example.com/',
      DELIVERY_URL: 'https://cdn.example.com',
      DATA_DIR: '/var/lib/openslot',
      DATABASE_URL: 'postgresql://user:pass@db:5432/openslot',
      DATABASE_OWNER_URL: 'postgresql://owner:pass@db:5432/openslot',
      SMTP_URL: 'smtps://user:pass@mail.example.com:465',
      MAIL_FROM: 'Ads <ads@example.com>',
      SESSION_SECRET: 'x'.repeat(32),
      DATA_CENTRES_FILE: '/etc/openslot/data-centres.txt',
      COUNTRY_DATABASE_FILE: '/etc/openslot/city.mmdb',
      PHISHING_HOSTS_FILE: '/etc/openslot/phishing-hosts.txt',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      RATE_LIMIT_FACTOR: '2.5',
      LOG_LEVEL: 'debug',
      EVENT_PARTITIONS: '32',
      EVENTS_KEPT_DAYS: '3',
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
      databaseOwnerUrl: 'postgresql://owner:pass@db:5432/openslot',
      smtpUrl: 'smtps://user:pass@mail.example.com:465',
      mailFrom: 'Ads <ads@example.com>',
      dataCentresFile: '/etc/openslot/data-centres.txt',
      countryDatabaseFile: '/etc/openslot/city.mmdb',
      phishingHostsFile: '/etc/openslot/phishing-hosts.txt',
      trustedProxies: ['10.0.0.0/8', '::1'],
      rateLimitFactor: 2.5,
      logLevel: 'debug',
      sessionSecrets: ['x'.repeat(32)],
      eventPartitions: 32,
      eventsKeptDays: 3,
      sessionIdleDays: 5,
      sampleData: false,
    });
  });

  it('count as absent when they are empty', () => {
    const DEV_KEY = 'sixteen letters!';
    expect(readConfig({ DEV_KEY, PORT: '', PUBLIC_URL: '', SMTP_URL: '' })).toEqual(readConfig({ DEV_KEY }));
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
    ['DATABASE_OWNER_URL', 'openslot'],
    // It needs DATABASE_URL beside it.
    ['DATABASE_OWNER_URL', 'postgres://owner@db/openslot'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['MAIL_FROM', 'nobody'],
    ['SESSION_SECRET', 'short'],
    ['SESSION_SECRET', `${'x'.repeat(32)},short`],
    ['SESSION_SECRET', `${'x'.repeat(32)},`],
    ['LOG_LEVEL', 'verbose'],
    ['EVENT_PARTITIONS', '0'],
    ['EVENT_PARTITIONS', '257'],
    ['EVENT_PARTITIONS', '1.5'],
    ['EVENTS_KEPT_DAYS', '2'],
    ['EVENTS_KEPT_DAYS', '3.5'],
    ['EVENTS_KEPT_DAYS', '3651'],
    ['BACKUP_TO', 'file:///var/backups'],
    ['BACKUP_TO', 's3:backups'],
    ['BACKUP_TO', 's3://'],
    ['BACKUP_TO', 's3://Backups'],
    ['BACKUP_TO', 's3://backups/../files'],
    ['ARCHIVE_TO', 's3://'],
    ['ARCHIVE_TO', 'https://bucket.example.com/archive'],
    ['BACKUP_AT', '3:00'],
    ['BACKUP_AT', '24:00'],
    ['BACKUP_AT', '03:60'],
    ['BACKUP_KEEP', '0'],
    ['BACKUP_KEEP', '1001'],
    ['BACKUP_KEEP', '1.5'],
    ['TRUSTED_PROXIES', 'everybody'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,proxy.example.com'],
    ['TRAFFIC_RULES', 'strict'],
    ['RATE_LIMIT_FACTOR', '0'],
    ['RATE_LIMIT_FACTOR', '-1'],
    ['RATE_LIMIT_FACTOR', 'many'],
    ['UPLOAD_MEMORY_MB', '49'],
    ['ACCOUNT_STORAGE_MB', '0'],
    ['TOTAL_STORAGE_MB', '1.5'],
    ['SESSION_IDLE_DAYS', '0'],
    ['SESSION_IDLE_DAYS', '1.5'],
    ['SESSION_IDLE_DAYS', 'never'],
    ['SAMPLE_DATA', 'yes'],
    ['NODE_ENV', 'staging'],
    ['PAYMENTS_PROVIDER', 'paypal'],
    ['ALLOW_SANDBOX_PAYMENTS', 'yes'],
    ['SELLER_NAME', ' '],
    ['SELLER_NAME', 'x'.repeat(201)],
    ['SELLER_ADDRESS', 'a\u0007b'],
    ['SELLER_TAX_ID', 'x'.repeat(51)],
    ['SELLER_COUNTRY', 'Germany'],
    ['TAX_RATES_FILE', '/nowhere/rates.json'],
    ['TAX_RATES_FILE', import.meta.dirname],
  ];
  it.each(wrong)('stop the start with a sentence that names %s when it is %j', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(name);
    // The message is a sentence that gives the reason, not a stack trace.
    expect(message).toMatch(/^[A-Z_]+ (must|has) .+\.$/m);
  });

  it('are all named in one message when several are wrong', () => {
    const message = refusal({ PORT: 'x', SMTP_URL: 'y', SESSION_SECRET: 'z', DEV_KEY: 'fifteen letters' });
    expect(message.split('\n')).toHaveLength(4);
  });

  const misspelt: [string, string][] = [
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['SESION_SECRET', 'SESSION_SECRET'],
    ['SESION_SECRET_FILE', 'SESSION_SECRET_FILE'],
    ['PAYOUT_HOLD_DAY', 'PAYOUT_HOLD_DAYS'],
    ['STRIPE_SECRET', 'STRIPE_SECRET_KEY'],
    ['SELLER_TAXID', 'SELLER_TAX_ID'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['SANDBOX_MODE', 'SANDBOX_CHAOS'],
  ];
  it.each(misspelt)('stop the start when %s is set, and name %s', (name, meant) => {
    expect(refusal({ [name]: '1' })).toMatch(new RegExp(`^${name} is not a setting.* ${meant},.*\\.$`));
    expect(refusal({ ...PRODUCTION, [name]: '1', PORT: 'x' }).split('\n')).toEqual([
      expect.stringContaining(name),
      expect.stringMatching(/^PORT must be/),
    ]);
    expect(readConfig({ [name]: '' }).port).toBe(3000);
  });

  it.each([
    'HOSTNAME',
    'LOGNAME',
    'DATABASE',
    'PORTS',
    'POSTGRES_PASSWORD',
    'TEST_DATABASE_URL',
    'OPENSLOT_X',
  ])('may share the environment with %s of another program', (name) => {
    expect(readConfig({ [name]: '1' }).port).toBe(3000);
  });

  it('name a place in S3', () => {
    expect(readConfig({}).uploads).toBeUndefined();
    const amazon = readConfig({ ...S3, S3_BUCKET: 'files-of-us' });
    expect(amazon.uploads).toEqual({ bucket: 'files-of-us', prefix: '' });
    expect(amazon.s3).toEqual({
      endpoint: undefined,
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
    const own = { ...S3, S3_BUCKET: 'b.c', S3_ENDPOINT: 'https://s3.example.com/', S3_REGION: 'eu-1' };
    expect(readConfig({ ...own, S3_PREFIX: 'openslot/files/' })).toMatchObject({
      s3: { endpoint: 'https://s3.example.com', region: 'eu-1' },
      uploads: { bucket: 'b.c', prefix: 'openslot/files/' },
    });
    expect(readConfig({ ...own, S3_PREFIX: 'a' }).uploads?.prefix).toBe('a/');
    // The keys alone serve other places than that of the files.
    expect(readConfig(S3).uploads).toBeUndefined();
  });

  it.each([
    [{ S3_BUCKET: 'files' }, 'S3_ACCESS_KEY_ID is required with S3_BUCKET.'],
    [{ S3_ENDPOINT: 'https://s3.example.com' }, 'S3_SECRET_ACCESS_KEY is required with S3_ENDPOINT.'],
    [{ S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY is required with S3_ACCESS_KEY_ID.'],
    [{ ...S3, S3_PREFIX: 'a' }, 'S3_PREFIX needs S3_BUCKET.'],
    [{ ...S3, S3_BUCKET: 'a.b' }, 'S3_ENDPOINT to https://s3.us-east-1.amazonaws.com'],
    [{ ...S3, S3_BUCKET: 'A/b' }, 'S3_BUCKET must be the name of a bucket'],
    [{ ...S3, S3_BUCKET: 'files', S3_PREFIX: '../a' }, 'S3_PREFIX must be a path'],
    [{ ...S3, S3_BUCKET: 'files', S3_PREFIX: '/a' }, 'S3_PREFIX must be a path'],
    [{ ...S3, S3_REGION: 'eu west' }, 'S3_REGION must be a region'],
    [{ ...S3, S3_ENDPOINT: 'https://s3.example.com/path' }, 'S3_ENDPOINT must be an address without a path'],
    [{ ...S3, S3_ENDPOINT: 'http://s3.example.com' }, 'S3_ENDPOINT must be an https:// address'],
    [{ ...S3, S3_ENDPOINT: 'http://8.8.8.8:9000' }, 'S3_ENDPOINT must be an https:// address'],
  ])('refuse the place %o in S3', (env, message) => {
    expect(refusal(env)).toContain(message);
  });

  it.each(['127.0.0.1:9000', 'localhost:9000', '[::1]:9000', '10.1.2.3', '192.168.0.4:9000', 'minio:9000'])(
    'reach %s without TLS',
    (host) => {
      expect(readConfig({ ...S3, S3_ENDPOINT: `http://${host}` }).s3?.endpoint).toBe(`http://${host}`);
    },
  );
});

it('the settings of backups name a folder or a place in S3, a time and a number', () => {
  expect(readConfig({ BACKUP_AT: '23:59', BACKUP_KEEP: '1' }).backup).toBeNull();
  expect(readConfig({ BACKUP_TO: '/var/backups' }).backup).toEqual({
    to: '/var/backups',
    at: '03:00',
    keep: 7,
  });
  const given = { BACKUP_TO: 's3://backups-of-us/daily/', BACKUP_AT: '23:59', BACKUP_KEEP: '1000' };
  expect(readConfig({ ...S3, ...given })).toMatchObject({
    backup: { to: 's3://backups-of-us/daily/', at: '23:59', keep: 1000 },
    s3: { accessKeyId: 'id' },
    uploads: undefined,
  });
  expect(settingsInForce({ ...S3, BACKUP_TO: 's3://backups' })).toEqual(
    expect.arrayContaining([
      { name: 'BACKUP_TO', value: 's3://backups', source: 'environment' },
      { name: 'BACKUP_AT', value: '03:00', source: 'default' },
      { name: 'BACKUP_KEEP', value: '7', source: 'default' },
    ]),
  );
});

it.each([
  [{ BACKUP_TO: 's3://backups' }, 'S3_ACCESS_KEY_ID is required with BACKUP_TO.'],
  [{ BACKUP_TO: 's3://backups' }, 'S3_SECRET_ACCESS_KEY is required with BACKUP_TO.'],
  [{ BACKUP_TO: 's3://backups', S3_ACCESS_KEY_ID: 'id' }, 'and set BACKUP_TO to a folder.'],
  [{ ARCHIVE_TO: 's3://archive' }, 'S3_ACCESS_KEY_ID is required with ARCHIVE_TO.'],
  [
    { ARCHIVE_TO: 's3://archive', BACKUP_TO: 's3://backups', S3_ACCESS_KEY_ID: 'id' },
    'and set BACKUP_TO and ARCHIVE_TO to a folder.',
  ],
  [{ S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'x', BACKUP_TO: 's3://a.b' }, 'BACKUP_TO has a bucket'],
])('backups with %o are refused with what is missing', (env, message) => {
  expect(refusal(env)).toContain(message);
});

const S3 = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
};
const LIVE = { ...STRIPE, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };

describe('the settings of Stripe', () => {
  // Proves STRP-01
  it('choose Stripe when its secret key is set, and its mode by the key', () => {
    expect(readConfig(STRIPE)).toMatchObject({
      paymentBook: 'stripe-test',
      stripe: {
        secretKey: 'sk_test_1',
        publishableKey: 'pk_test_1',
        webhookSecrets: ['whsec_1'],
        connectWebhookSecrets: ['whsec_2'],
        apiBase: undefined,
      },
    });
    const { ALLOW_SANDBOX_PAYMENTS: _, ...production } = PRODUCTION;
    expect(readConfig({ ...production, ...LIVE }).paymentBook).toBe('stripe-live');
    expect(readConfig({ ...STRIPE, STRIPE_SECRET_KEY: 'rk_test_1' }).paymentBook).toBe('stripe-test');
    expect(readConfig({ ...STRIPE, PAYMENTS_PROVIDER: 'sandbox' })).toMatchObject({
      paymentBook: 'sandbox',
      stripe: undefined,
    });
  });

  // Proves STRP-01
  it('take several webhook secrets, so that one can be rotated', () => {
    const { stripe } = readConfig({ ...STRIPE, STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old' });
    expect(stripe?.webhookSecrets).toEqual(['whsec_new', 'whsec_old']);
  });

  // Proves STRP-01
  it.each(Object.keys(STRIPE))('stop the start without %s', (name) => {
    expect(refusal({ ...STRIPE, [name]: '' })).toMatch(new RegExp(`^${name} is required`));
    expect(refusal({ ...STRIPE, [name]: '', PAYMENTS_PROVIDER: 'stripe' })).toContain(name);
  });

  const refused: [string, Record<string, string>][] = [
    ['STRIPE_SECRET_KEY', { PAYMENTS_PROVIDER: 'stripe' }],
    ['STRIPE_SECRET_KEY', { STRIPE_SECRET_KEY: 'pk_test_secret' }],
    ['STRIPE_PUBLISHABLE_KEY', { STRIPE_PUBLISHABLE_KEY: 'sk_test_secret' }],
    ['STRIPE_PUBLISHABLE_KEY', { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'pk_live_secret' }],
    ['STRIPE_WEBHOOK_SECRET', { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'whsec_1,secret' }],
    ['STRIPE_SECRET_KEY', LIVE],
    ['STRIPE_API_BASE', { ...STRIPE, STRIPE_API_BASE: 'https://api.example.com' }],
    ['STRIPE_API_BASE', { ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:12111/v1' }],
    ['STRIPE_API_BASE', { ...PRODUCTION, ...LIVE, STRIPE_API_BASE: 'http://127.0.0.1:12111' }],
    ['STRIPE_PORTAL_CONFIGURATION', { ...STRIPE, STRIPE_PORTAL_CONFIGURATION: 'portal' }],
  ];
  // Proves STRP-01
  it.each(refused)('name %s when the settings are %j, and do not repeat a secret', (name, env) => {
    expect(refusal(env)).toContain(name);
    expect(refusal(env)).not.toContain('secret_');
    expect(refusal(env)).not.toMatch(/_test_secret|_live_secret/);
  });

  // Proves STRP-01
  it('lead the client to a stand-in on this machine', () => {
    const { stripe } = readConfig({ ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:12111' });
    expect(stripe?.apiBase).toBe('http://127.0.0.1:12111');
  });
});

describe('production', () => {
  // Proves RUN-06, DOOR-02
  it('starts with its required settings, and refuses sample data', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ production: true, sampleData: false });
    expect(readConfig({ ...PRODUCTION, SAMPLE_DATA: '0' }).sampleData).toBe(false);
    expect(refusal({ ...PRODUCTION, SAMPLE_DATA: '1' })).toMatch(/^SAMPLE_DATA must not be 1 in production/);
  });

  // Proves IVT-08
  it('applies its traffic rules, which a developer can turn on and production cannot turn off', () => {
    expect(readConfig(PRODUCTION).trafficRules).toBe('production');
    expect(readConfig({ TRAFFIC_RULES: 'production' })).toMatchObject({
      production: false,
      trafficRules: 'production',
    });
    expect(refusal({ ...PRODUCTION, TRAFFIC_RULES: 'development' })).toContain('TRAFFIC_RULES');
  });

  const needed = [['SESSION_SECRET'], ['PUBLIC_URL'], ['SMTP_URL'], ['ALLOW_SANDBOX_PAYMENTS']] as const;
  // Proves RUN-06
  it.each(needed)('does not start without %s', (name) => {
    expect(refusal({ ...PRODUCTION, [name]: '' })).toContain(name);
  });
});

describe('a setting of several lines', () => {
  const example = readFileSync(
    path.join(import.meta.dirname, '../../../deploy/openslot.env.example'),
    'utf8',
  );
  /** The values of the example, also of the lines that are turned off. */
  const written = new Map(
    [...example.matchAll(/^(?:# )?([A-Z_\d]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const inOneLine = pem.replaceAll('\n', '\\n');
  const DKIM = { DKIM_DOMAIN: 'market.example.com', DKIM_SELECTOR: 'openslot' };

  it('is in quotes in the example, and read as systemd and as podman pass it', () => {
    const quoted = [...written].filter(([, value]) => value.includes('\\n')).map(([name]) => name);
    expect(quoted).toEqual(['SELLER_ADDRESS', 'SELLER_LEGAL', 'DKIM_KEY']);
    for (const [name, value] of written)
      expect([name, /^".*"$/.test(value)]).toEqual([name, quoted.includes(name)]);
    const given = Object.fromEntries(
      [...written].filter(([name, value]) => value !== '' && name !== 'DKIM_KEY'),
    );
    const plain = (value = '') => value.replaceAll('"', '');
    for (const pass of [plain, (value = '') => value]) {
      const { seller, dkim } = readConfig({
        ...given,
        ...DKIM,
        SAMPLE_DATA: '0',
        SELLER_ADDRESS: pass(given['SELLER_ADDRESS']),
        SELLER_LEGAL: pass(given['SELLER_LEGAL']),
        DKIM_KEY: pass(`"${inOneLine}"`),
      });
      expect(seller).toMatchObject({
        address: 'Main Street 1\n10115 Berlin',
        legal: 'HRB 4711\nAmtsgericht Berlin',
      });
      expect(dkim?.privateKey).toBe(pem);
    }
  });

  it('is refused if systemd has dropped its backslashes, with how to write it', () => {
    const dropped = (value: string) => value.replaceAll('\\n', 'n');
    for (const address of ['Weg 1\\n10115 Berlin', 'Weg\\n10115 Berlin', 'Weg 1\\nBerlin'])
      expect(refusal({ SELLER_ADDRESS: dropped(address) })).toBe(
        String.raw`SELLER_ADDRESS has an “n” where a line break was: in the file that systemd reads, write the whole in quotes, as in SELLER_ADDRESS="Main Street 1\n10115 Berlin".`,
      );
    expect(refusal({ SELLER_LEGAL: dropped('HRB 4711\\nAmtsgericht Berlin') })).toMatch(
      /^SELLER_LEGAL has an “n” where a line break was: .* write the whole in quotes, as in SELLER_LEGAL="/,
    );
    const message = refusal({ ...DKIM, DKIM_KEY: dropped(inOneLine) });
    expect(message).toMatch(
      /^DKIM_KEY has lost its line breaks\. .* write it in quotes: .* DKIM_KEY_FILE\.$/,
    );
    expect(message).not.toContain(pem.split('\n')[1]);
    for (const SELLER_LEGAL of ['HRB 4711', 'OpenSlot GmbH', 'Clinton 12, London'])
      expect(readConfig({ SELLER_LEGAL }).seller.legal).toBe(SELLER_LEGAL);
    for (const SELLER_ADDRESS of ['Street 5', 'Clinton 12, London N1 9GU', 'Unit 4n, 1000 Sofia'])
      expect(readConfig({ SELLER_ADDRESS }).seller.address).toBe(SELLER_ADDRESS);
  });
});

// Proves PAYO-201
it('of payouts by bank name the account of the operator', () => {
  const BANK_IBAN = 'DE89 3704 0044 0532 0130 00';
  expect(readConfig({ PAYOUTS: 'bank', BANK_IBAN })).toMatchObject({
    payoutMethod: 'bank',
    bankIban: 'DE89370400440532013000',
  });
  expect(refusal({ PAYOUTS: 'bank' })).toMatch(/^BANK_IBAN is required with PAYOUTS=bank/);
  expect(refusal({ PAYOUTS: 'sepa' })).toMatch(/^PAYOUTS must be connect or bank/);
  for (const wrong of ['DE88370400440532013000', 'SA0380000000608010167519', 'x'])
    expect(refusal({ PAYOUTS: 'bank', BANK_IBAN: wrong })).toMatch(/^BANK_IBAN must be the IBAN/);
});

describe('the settings of DKIM', () => {
  const pem = (type: 'rsa' | 'ed25519', bits = 2048) =>
    (type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : generateKeyPairSync('ed25519')
    ).privateKey.export({ type: 'pkcs8', format: 'pem' });
  const DKIM = { DKIM_DOMAIN: 'ads.example.com', DKIM_SELECTOR: 'openslot', DKIM_KEY: pem('rsa') };

  it('come together or not at all, and an unusable key is refused without being printed', () => {
    expect(readConfig(DKIM).dkim).toEqual({
      domainName: 'ads.example.com',
      keySelector: 'openslot',
      privateKey: DKIM.DKIM_KEY,
    });
    expect(refusal({ ...DKIM, DKIM_KEY: '' })).toMatch(/^DKIM_KEY must be set .* Set all three, or none\.$/);
    expect(refusal({ DKIM_KEY: DKIM.DKIM_KEY })).toMatch(/^DKIM_DOMAIN and DKIM_SELECTOR must be set/);
    for (const [key, sentence] of [
      [pem('ed25519'), 'DKIM_KEY is a key of the type ed25519, but mail is signed with RSA only.'],
      [pem('rsa', 512), 'DKIM_KEY must have at least 1024 bits.'],
      [DKIM.DKIM_KEY.slice(0, 900), 'DKIM_KEY must be a private key in PEM without a passphrase.'],
    ] as const) {
      const message = refusal({ ...DKIM, DKIM_KEY: key });
      expect(message).toMatch(new RegExp(`^${sentence}`));
      expect(message).toMatch(/Make (?:one|a key) with `openssl genrsa 2048`\.$/);
      expect(message).not.toContain(key.split('\n')[1]);
    }
    expect(refusal({ ...DKIM, DKIM_DOMAIN: 'a; d=b' })).toMatch(/^DKIM_DOMAIN must be a domain/);
    expect(refusal({ ...DKIM, DKIM_SELECTORS: 'x' })).toMatch(/^DKIM_SELECTORS is not a setting/);
  });
});

it('the settings of bounces are a token for a header, and an address to which a tag can be added', () => {
  expect(refusal({ BOUNCE_TOKEN: 'short' })).toMatch(/^BOUNCE_TOKEN must have at least 16 characters/);
  expect(refusal({ BOUNCE_TOKEN: 'a token with many spaces' })).toMatch(/^BOUNCE_TOKEN/);
  for (const address of ['bounce', 'bounce+x@ads.example', `${'b'.repeat(21)}@ads.example`])
    expect(refusal({ BOUNCE_ADDRESS: address })).toMatch(/^BOUNCE_ADDRESS must/);
  expect(readConfig({ BOUNCE_ADDRESS: 'bounce@ads.example' }).bounceAddress).toBe('bounce@ads.example');
});

describe('a public address outside production', () => {
  const PUBLIC = {
    PUBLIC_URL: 'http://192.0.2.7:3000',
    SMTP_URL: 'smtp://mail.example.com',
    SAMPLE_DATA: '0',
  };

  // Proves DOOR-02
  it('needs a mail relay and no sample data, and each missing setting is named', () => {
    expect(readConfig(PUBLIC)).toMatchObject({
      production: false,
      developmentMode: false,
      sampleData: false,
    });
    expect(refusal({ ...PUBLIC, SMTP_URL: '' })).toMatch(/^SMTP_URL is required with a public PUBLIC_URL/);
    for (const value of ['', '1']) {
      expect(refusal({ ...PUBLIC, SAMPLE_DATA: value })).toMatch(/^SAMPLE_DATA must be 0/);
    }
    expect(refusal({ PUBLIC_URL: 'https://ads.example.com' }).split('\n')).toHaveLength(2);
  });

  // Proves DOOR-02
  it.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:3000', 'http://shop.localhost'])(
    'is not %s',
    (address) => {
      expect(readConfig({ PUBLIC_URL: address })).toMatchObject({ sampleData: true, smtpUrl: undefined });
    },
  );
});

// Proves OPS-11
describe('the session secret', () => {
  const [one, other] = ['n'.repeat(32), 'a secret with spaces, 32 characters'.replace(',', '')];

  it('can be several, of which each has its length and keeps its own spaces', () => {
    expect(readConfig({ SESSION_SECRET: `${one},${other}` }).sessionSecrets).toEqual([one, other]);
    expect(readConfig({ SESSION_SECRET: `${one} , ${other} ` }).sessionSecrets).toEqual([one, `${other} `]);
  });

  it('is not in the message that refuses it', () => {
    const message = refusal({ SESSION_SECRET: `${one},hush,hush-hush` });
    expect(message).toBe(
      'SESSION_SECRET must be a secret of at least 32 characters, or several separated by commas.',
    );
  });
});

describe('secrets from files', () => {
  const folder = newTemporaryFolder('secrets');
  const file = (content: string) => {
    const name = path.join(folder, `secret-${Math.random()}`);
    writeFileSync(name, content);
    return name;
  };
  const STRIPE = { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };

  // Proves OPS-10
  it('are read like the settings of their names, without one newline at the end', () => {
    const secret = 'a secret that has 32 characters or more';
    for (const end of ['', '\n', '\r\n'])
      expect(readConfig({ SESSION_SECRET_FILE: file(secret + end) }).sessionSecrets).toEqual([secret]);
    expect(readConfig({ SESSION_SECRET_FILE: file(`${secret}\n\n`) }).sessionSecrets).toEqual([
      `${secret}\n`,
    ]);
    const config = readConfig({
      ...STRIPE,
      DATABASE_URL_FILE: file('postgres://user:pass@db/openslot\n'),
      DATABASE_OWNER_URL_FILE: file('postgres://owner:pass@db/openslot\n'),
      SMTP_URL_FILE: file('smtp://user:pass@mail\n'),
      STRIPE_SECRET_KEY_FILE: file('sk_test_1\n'),
      STRIPE_WEBHOOK_SECRET_FILE: file('whsec_1,whsec_2\n'),
      STRIPE_CONNECT_WEBHOOK_SECRET_FILE: file('whsec_3\n'),
      DEV_KEY_FILE: file('sixteen letters!\n'),
    });
    expect(config).toMatchObject({
      databaseUrl: 'postgres://user:pass@db/openslot',
      databaseOwnerUrl: 'postgres://owner:pass@db/openslot',
      smtpUrl: 'smtp://user:pass@mail',
      stripe: { secretKey: 'sk_test_1', webhookSecrets: ['whsec_1', 'whsec_2'] },
      devKey: 'sixteen letters!',
    });
    expect(refusal({ S3_SECRET_ACCESS_KEY_FILE: file('x') })).toContain('S3_SECRET_ACCESS_KEY');
  });

  // Proves OPS-10
  it('stop the start with a sentence that names NAME_FILE and not the content', () => {
    const hush = file('hush-hush\n');
    expect(refusal({ SMTP_URL: 'smtp://mail', SMTP_URL_FILE: hush })).toBe(
      'SMTP_URL and SMTP_URL_FILE are both set. Unset one of them.',
    );
    expect(refusal({ SMTP_URL_FILE: '/nowhere/smtp' })).toBe(
      'SMTP_URL_FILE must be a file that can be read (ENOENT): /nowhere/smtp.',
    );
    expect(refusal({ SMTP_URL_FILE: folder })).toContain(
      'SMTP_URL_FILE must be a file that can be read (EISDIR)',
    );
    const empty = file('\n');
    expect(refusal({ SMTP_URL_FILE: empty })).toBe(
      `SMTP_URL_FILE is an empty file. Write the value of SMTP_URL to ${empty}.`,
    );
    expect(refusal({ SMTP_URL_FILE: hush, SESSION_SECRET_FILE: hush }).split('\n').toSorted()).toEqual([
      'SESSION_SECRET_FILE must be a secret of at least 32 characters, or several separated by commas.',
      'SMTP_URL_FILE must be an smtp:// or smtps:// address.',
    ]);
    expect(readConfig({ SMTP_URL: 'smtp://mail', SMTP_URL_FILE: '' }).smtpUrl).toBe('smtp://mail');
  });
});

describe('the settings in force', () => {
  const inForce = (env: Record<string, string>) =>
    Object.fromEntries(settingsInForce(env).map(({ name, value, source }) => [name, [value, source]]));

  // Proves OPS-14
  it('have the values and defaults that the server works with, as they are written in the environment', () => {
    expect(inForce({ PORT: '8080', TRUSTED_PROXIES: '10.0.0.0/8, ::1', PAYOUT_MINIMUM: '30' })).toMatchObject(
      {
        PORT: ['8080', 'environment'],
        HOST: ['127.0.0.1', 'default'],
        PUBLIC_URL: ['http://localhost:8080', 'default'],
        DELIVERY_URL: ['http://localhost:8080', 'default'],
        TRUSTED_PROXIES: ['10.0.0.0/8,::1', 'environment'],
        PAYOUT_MINIMUM: ['30.00', 'environment'],
        OPERATOR_REFUND_LIMIT: ['500.00', 'default'],
        SAMPLE_DATA: ['1', 'default'],
        SHUTDOWN_DELAY_MS: ['0', 'default'],
        LOG_LEVEL: ['info', 'default'],
        EVENT_PARTITIONS: ['16', 'default'],
        EVENTS_KEPT_DAYS: ['35', 'default'],
        DATABASE_URL: [null, 'default'],
        SESSION_SECRET: ['unset', 'default'],
      },
    );
    expect(inForce(PRODUCTION)).toMatchObject({
      SHUTDOWN_DELAY_MS: ['5000', 'default'],
      SAMPLE_DATA: ['0', 'default'],
      OPERATOR_MAIL: ['no-reply@ads.example.com', 'default'],
    });
  });

  it('are read as the same settings when they are copied back', () => {
    const printed = (env: Record<string, string>) =>
      Object.fromEntries(
        settingsInForce(env).flatMap(({ name, value }) =>
          value === null || value === 'set' || value === 'unset' || value.includes('***')
            ? []
            : [[name, value]],
        ),
      );
    const once = printed({
      ...PRODUCTION,
      CANCEL_REVIEW_ABOVE: '250.5',
      MINIMUM_PRICE: '2',
      COMMISSION: '12.50',
    });
    expect(once).toMatchObject({ CANCEL_REVIEW_ABOVE: '250.50', OPERATOR_REFUND_LIMIT: '500.00' });
    expect(printed({ ...PRODUCTION, ...once })).toEqual(once);
  });

  // Proves OPS-14
  it('have what the database took, also where the environment is stricter', () => {
    const shown = settingsInForce(PRODUCTION, { SELLER_ADDRESS: 'Weg 1n10115 Berlin' });
    expect(shown.find(({ name }) => name === 'SELLER_ADDRESS')).toEqual({
      name: 'SELLER_ADDRESS',
      value: 'Weg 1n10115 Berlin',
      source: 'database',
    });
    expect(() => settingsInForce(PRODUCTION, { APPROVAL_DAYS: '99' })).toThrow(
      /database holds a value of APPROVAL_DAYS that does not fit/,
    );
  });

  // Proves OPS-14
  it('show no secret and no password, wherever it comes from', () => {
    const file = path.join(newTemporaryFolder('secrets'), 'database');
    writeFileSync(file, 'postgres://person:hush@db/openslot?sslmode=require&sslpassword=hush\n');
    const given = {
      ...PRODUCTION,
      SESSION_SECRET: 'hush'.repeat(8),
      PUBLIC_URL: 'https://person:hush@ads.example.com',
      DATABASE_URL_FILE: file,
      DATABASE_OWNER_URL: 'postgres://owner:hush,hush@db/openslot',
      SMTP_URL: 'smtps://person%40example.com:hu@sh@mail:465',
      STRIPE_SECRET_KEY: 'sk_test_hush',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_hush',
      STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_hush',
      DEV_KEY: 'hush-hush-hush-hush',
    };
    const settings = inForce(given);
    expect(settings).toMatchObject({
      SESSION_SECRET: ['set', 'environment'],
      PUBLIC_URL: ['https://ads.example.com', 'environment'],
      DATABASE_URL: ['postgres://person:***@db/openslot?sslmode=require&sslpassword=***', 'file'],
      DATABASE_OWNER_URL: ['postgres://owner:***@db/openslot', 'environment'],
      SMTP_URL: ['smtps://person%40example.com:***@mail:465', 'environment'],
      STRIPE_SECRET_KEY: ['set', 'environment'],
      STRIPE_PUBLISHABLE_KEY: ['pk_test_1', 'environment'],
    });
    expect(JSON.stringify(settings)).not.toMatch(/hu@?sh/);
    // A new setting whose name sounds like a secret says so in platform/settings/environment.ts.
    const PUBLIC = new Set(['STRIPE_PUBLISHABLE_KEY', 'S3_ACCESS_KEY_ID']);
    for (const [name, [value]] of Object.entries(inForce({})) as [string, [string | null]][])
      if (/SECRET|TOKEN|PASSWORD|KEY/.test(name) && !PUBLIC.has(name))
        expect([name, value]).toEqual([name, 'unset']);
  });
});
