/** Settings in the database, changed by commands and in the console, with two servers on one database. */
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Reply } from '#domain/endpoint.ts';
import type { listMarketplaceSettings } from '#domain/operator/console/settings-contract.ts';
import type { App } from '#server/app/app.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { MARKETPLACE_SETTINGS } from '#server/platform/settings/marketplace.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, type TestOperator } from '#server/testing/operator.ts';
import { startRelay } from '#server/testing/mail/relay.ts';
import { commandOf } from '../command-line/commands.ts';
import { spawnServer } from '#server/testing/server-process.ts';
import { anotherInstance } from '#server/testing/starts/another-instance.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';

// They start servers in processes of their own.
vi.setConfig({ testTimeout: 300_000 });

const relay = useStarted(async () => await startRelay(await freePort()));
const server = useOwnServer();
/** A second server on the same database. */
const other = useStarted(async () => (await anotherInstance(server, { env: { SMTP_URL: relay.url } })).app);
let operator: TestOperator;
beforeAll(async () => {
  operator = await makeOperator(server);
});
beforeEach(async () => {
  await server.ctx.db.deleteFrom('settings').execute();
  await Promise.all([server.app, other].map(async ({ ctx }) => await readSettings(ctx.db, ctx.config)));
});

/** Runs `openslot …` on the database of the servers, with these settings of the environment. */
async function run(words: string[], env: Record<string, string> = {}) {
  const { databaseUrl: DATABASE_URL, ctx } = server;
  return await runOpenslot(words, { DATABASE_URL, DATA_DIR: ctx.config.dataDir, ...env });
}
async function json(words: string[], env: Record<string, string> = {}): Promise<unknown> {
  return JSON.parse((await run([...words, '--json'], env)).out);
}
const read = async (app: App, url: string) => await app.fastify.inject(url);
const marketplace = async (app: App): Promise<Record<string, unknown>> =>
  (await read(app, '/api/marketplace')).json();
const acts = async () =>
  await server.ctx.db
    .selectFrom('operatorActs')
    .select(['act', 'subject', 'subjectName', 'reason', 'operatorId'])
    .where('subject', '=', 'setting')
    .orderBy('id')
    .execute();
/** The same in this process, which is much faster. */
async function command(words: string[], dryRun = false) {
  const { command: found, args } = commandOf(words);
  return await found.run({ ctx: server.ctx, operator: { id: null, dryRun }, args, options: { dryRun } });
}
const set = async (name: string, value: string) => await command(['settings', 'set', name, value]);
type Change = { name: string; value: string | null; version?: string };
/** Saves changes of a page that was opened before any setting was stored. */
const saveAll = async (changes: Change[], reason = '') =>
  await operator.client.post('/api/operator/settings', {
    changes: changes.map((change) => ({ version: '', ...change })),
    reason,
  });
const save = async (name: string, value: string | null, reason = '') =>
  await saveAll([{ name, value }], reason);
const listed = async () =>
  (await operator.client.get('/api/operator/settings')).body.settings as Reply<
    typeof listMarketplaceSettings
  >['settings'];
const listedAs = async (name: string) => (await listed()).find((each) => each.name === name)!;

// Proves OWNS-106
it('what every receipt of the live mode shows is not taken away', async () => {
  const { config } = server.ctx;
  const book = config.paymentBook;
  onTestFinished(() => void (config.paymentBook = book));
  config.paymentBook = 'stripe-live';
  await confirmOperator(server, operator);
  await set('SELLER_NAME', 'Slot Market Ltd');
  const version = (await listedAs('SELLER_NAME')).version;
  const refused = await saveAll([{ name: 'SELLER_NAME', value: null, version }]);
  expect([refused.status, refused.body.issues]).toEqual([
    409,
    [{ path: 'SELLER_NAME', message: expect.stringContaining('Is required with a live key of Stripe') }],
  ]);
  expect(await listedAs('SELLER_NAME')).toMatchObject({ value: 'Slot Market Ltd', source: 'database' });
  expect((await saveAll([{ name: 'SELLER_NAME', value: 'Slot Inc', version }])).status).toBe(200);
  // Other settings do not wait for the missing ones.
  expect((await save('APPROVAL_DAYS', '4')).status).toBe(200);
});

describe('commands', () => {
  it('list, read, set and unset a setting, and say where each value comes from', async () => {
    const before = (await acts()).length;
    const list = (await json(['settings', 'list'], { APPROVAL_DAYS: '9' })) as {
      settings: { name: string; value: string | null; source: string }[];
    };
    expect(list.settings.map(({ name }) => name)).toEqual(MARKETPLACE_SETTINGS);
    expect(list.settings).toContainEqual({ name: 'APPROVAL_DAYS', value: '9', source: 'environment' });
    expect(list.settings).toContainEqual({ name: 'SUPPORT_ADDRESS', value: null, source: 'default' });

    const set = await run(['settings', 'set', 'PAYOUT_MINIMUM', '40', '--reason', 'Fewer transfers']);
    expect([set.code, set.out]).toEqual([
      0,
      'PAYOUT_MINIMUM is 40.00 now (before: 25.00). Every running server follows within two seconds.\n',
    ]);
    const config = (await json(['config'])) as { settings: object[] };
    expect(config.settings).toContainEqual({ name: 'PAYOUT_MINIMUM', value: '40.00', source: 'database' });

    const get = async () => (await command(['settings', 'get', 'PAYOUT_MINIMUM'])).json;
    expect(await get()).toEqual({ name: 'PAYOUT_MINIMUM', value: '40.00', source: 'database' });
    expect((await command(['settings', 'unset', 'PAYOUT_MINIMUM'])).json).toMatchObject({ before: '40.00' });
    expect(await get()).toEqual({ name: 'PAYOUT_MINIMUM', value: '25.00', source: 'default' });
    await expect(command(['settings', 'unset', 'PAYOUT_MINIMUM'])).rejects.toThrow(
      'PAYOUT_MINIMUM has its default already.',
    );
    expect((await command(['settings', 'set', 'PAYOUT_MINIMUM', '9'], true)).lines).toEqual([
      expect.stringContaining('Dry run, nothing was changed: PAYOUT_MINIMUM is 9.00 now'),
    ]);
    expect(server.ctx.config.payouts.minimumCents).toBe(2500);
    const [first, second, ...more] = (await acts()).slice(before);
    expect(first).toEqual({
      act: 'set-setting',
      subject: 'setting',
      subjectName: 'PAYOUT_MINIMUM',
      reason: 'From “25.00” to “40.00”. Fewer transfers',
      operatorId: null,
    });
    expect(second).toMatchObject({ act: 'unset-setting', reason: 'From “40.00” to “25.00”.' });
    expect(more).toEqual([]);
    expect((await command(['audit'])).lines.join('\n')).toContain(
      'Changed the setting “PAYOUT_MINIMUM”: From “25.00” to “40.00”. Fewer transfers',
    );
  });

  it.each([
    [['APPROVAL_DAYS', '61'], 'APPROVAL_DAYS must be a whole number of days from 0 to 60.'],
    [['APPROVAL_DAYS'], 'APPROVAL_DAYS must not be blank. To use the default, unset it.'],
    [['SELLER_NAME', 'My', 'Market'], 'SELLER_NAME takes one value. Put a text with spaces in quotes.'],
    [['SESSION_SECRET', 'x'], 'There is no setting “SESSION_SECRET” that can be changed here.'],
  ])('refuse %j as wrong usage', async (words, sentence) => {
    const before = (await acts()).length;
    const { code, out } = await run(['settings', 'set', ...words, '--json']);
    expect([code, (JSON.parse(out) as { error: string }).error]).toEqual([
      2,
      expect.stringContaining(sentence),
    ]);
    expect(await server.ctx.db.selectFrom('settings').selectAll().execute()).toEqual([]);
    expect(await acts()).toHaveLength(before);
  });
});

describe('a change', () => {
  it('is in force on every server without a restart', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
    expect((await makeAd(buyer, product)).answerDueAt).not.toBeNull();
    const changes = {
      MAIL_FROM: 'Slots <slots@market.test>',
      SUPPORT_ADDRESS: 'help@market.test',
      CURRENCY: 'EUR',
      COMMISSION: '10',
      MINIMUM_PRICE: '20',
      PUBLIC_CATALOGUE: 'off',
      APPROVAL_DAYS: '0',
      PAYOUT_HOLD_DAYS: '14',
      PAYOUT_FIRST_HOLD_DAYS: '60',
      PAYOUT_MINIMUM: '50.00',
      SELLER_NAME: 'Slot Market GmbH',
      SELLER_LEGAL: 'HRB 1\\nBerlin',
    };
    for (const [name, value] of Object.entries(changes)) await set(name, value);
    for (const app of [server.app, other]) {
      await expect
        .poll(() => app.ctx.config.seller)
        .toMatchObject({ name: 'Slot Market GmbH', legal: 'HRB 1\nBerlin' });
      expect(await marketplace(app)).toMatchObject({
        currency: 'EUR',
        commissionPercent: 10,
        catalogue: false,
        supportAddress: 'help@market.test',
      });
      expect((await read(app, '/sites')).statusCode).toBe(404);
      expect((await read(app, '/')).body).toContain('EUR');
      expect((await read(app, '/sitemaps/pages.xml')).body).not.toContain('/sites<');
      expect((await read(app, '/sellers.json')).json()).toMatchObject({ contact_email: 'slots@market.test' });
      expect((await read(app, '/.well-known/security.txt')).body).toContain('mailto:slots@market.test');
      expect(app.ctx.config.payouts).toEqual({ holdDays: 14, firstHoldDays: 60, minimumCents: 5000 });
    }
    expect((await makeAd(buyer, product)).answerDueAt).toBeNull();
    await other.ctx.mailer.send({ id: 1, recipient: 'a@b.test', subject: 'Hi', text: 'Hi', html: '<p>Hi' });
    expect(relay.taken.at(-1)?.raw).toMatch(/^From: Slots <slots@market\.test>\r$/m);
    expect(relay.taken.at(-1)?.raw).toMatch(/^Reply-To: help@market\.test\r$/m);

    expect((await run(['settings', 'unset', 'PUBLIC_CATALOGUE'])).code).toBe(0);
    await expect.poll(async () => (await read(other, '/sites')).statusCode).toBe(200);
  });

  it('is refused by name if an environment has the setting', async () => {
    const own = await run(['settings', 'set', 'APPROVAL_DAYS', '7'], { APPROVAL_DAYS: '9' });
    expect([own.code, own.err]).toEqual([
      1,
      'APPROVAL_DAYS is set in the environment. Remove it there and restart the server first.\n',
    ]);
    // A running server has it, and the command does not know its environment.
    const third = await anotherInstance(server, { env: { PAYOUT_HOLD_DAYS: '8' } });
    const running = await run(['settings', 'set', 'PAYOUT_HOLD_DAYS', '9']);
    expect([running.code, running.err]).toEqual([
      1,
      expect.stringMatching(
        /^PAYOUT_HOLD_DAYS is set in the environment of the running server .+ on port \d+\./,
      ),
    ]);
    await third.close();
    expect((await run(['settings', 'set', 'PAYOUT_HOLD_DAYS', '9'])).code).toBe(0);
  });

  it('keeps a server from starting that has the setting in its environment, too', async () => {
    expect((await run(['settings', 'set', 'APPROVAL_DAYS', '7'])).code).toBe(0);
    const env = { APPROVAL_DAYS: '9' };
    const sentence =
      'APPROVAL_DAYS is set in the environment and in the database. Remove it from the environment, or run: openslot settings unset APPROVAL_DAYS';
    const started = spawnServer({
      ...env,
      PORT: String(await freePort()),
      DATABASE_URL: server.databaseUrl,
      DATABASE_OWNER_URL: server.ownerUrl,
      DATA_DIR: newTemporaryFolder('both-places'),
      SAMPLE_DATA: '0',
    });
    onTestFinished(() => void started.child.kill('SIGKILL'));
    expect(await started.ended).toBe(1);
    expect(started.output()).toContain(sentence);
    const config = await run(['config'], env);
    expect([config.code, config.err]).toEqual([1, `${sentence}\n`]);
    expect((await run(['doctor'], env)).out).toMatch(/^fail +settings +APPROVAL_DAYS is set in the env/m);
    expect((await run(['settings', 'unset', 'APPROVAL_DAYS'], env)).code).toBe(0);
    expect((await run(['config'], env)).code).toBe(0);
  });

  // Proves BOOK-06
  it('of the currency is refused from the first payment on', async () => {
    const currency = async () => (await marketplace(server.app))['currency'];
    await set('CURRENCY', 'EUR');
    expect(await currency()).toBe('EUR');
    const buyer = await server.signIn('buyer');
    const ad = await makeApprovedAd(await server.signIn('seller'), buyer);
    // The card is charged at the provider, and nobody has told the marketplace.
    const { paymentIntentId } = await payByCard(buyer, ad);
    const sentence = 'because this marketplace has payments or saved cards in EUR.';
    const unset = await run(['settings', 'unset', 'CURRENCY']);
    expect([unset.code, unset.err]).toEqual([1, `CURRENCY cannot be USD, ${sentence}\n`]);
    await expect(set('CURRENCY', 'USD')).rejects.toThrow(sentence);
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
    await expect(set('CURRENCY', 'GBP')).rejects.toThrow(`CURRENCY cannot be GBP, ${sentence}`);
    await set('CURRENCY', 'EUR');
    expect(await currency()).toBe('EUR');
    // The other tests go on in the default currency.
    await server.owner.updateTable('installation').set({ currency: null }).execute();
  });
});

describe('the console', () => {
  beforeEach(async () => await confirmOperator(server, operator));

  it('shows each setting with its source, changes it and puts it back', async () => {
    expect((await listed()).map(({ name }) => name)).toEqual(MARKETPLACE_SETTINGS);
    expect(new Set((await listed()).map(({ source }) => source))).toEqual(new Set(['default']));
    const saved = await save('APPROVAL_DAYS', '8', 'Holidays');
    expect([saved.status, saved.body]).toEqual([200, { said: 'Saved 1 change.', next: null }]);
    const now = await listedAs('APPROVAL_DAYS');
    expect(now).toMatchObject({
      group: 'Rules',
      title: 'Days to answer an ad',
      input: 'number',
      value: '8',
      fallback: '5',
      source: 'database',
    });
    expect((await acts()).at(-1)).toMatchObject({
      act: 'set-setting',
      reason: 'From “5” to “8”. Holidays',
      operatorId: operator.client.user.id,
    });
    const back = await saveAll([{ name: 'APPROVAL_DAYS', value: null, version: now.version }]);
    expect(back.status).toBe(200);
    expect(await listedAs('APPROVAL_DAYS')).toMatchObject({ value: '5', source: 'default', version: '' });
    expect((await acts()).at(-1)).toMatchObject({ act: 'unset-setting', reason: 'From “8” to “5”.' });
  });

  it('gives each setting a field that fits it', async () => {
    const inputs = Object.groupBy(await listed(), ({ input }) => input);
    const names = (input: keyof typeof inputs) => inputs[input]?.map(({ name }) => name);
    expect(names('file')).toEqual(['LOGO', 'ICON']);
    expect(names('switch')).toEqual(['PUBLIC_CATALOGUE', 'REVIEW_WEBSITES', 'VIES', 'SELF_BILLING']);
    expect(names('percent')).toEqual(['COMMISSION']);
    expect(inputs.choice?.find(({ name }) => name === 'CURRENCY')?.choices).toContain('EUR');
  });

  it('saves several changes at once, each with its line in the audit trail', async () => {
    const before = (await acts()).length;
    const saved = await saveAll(
      [
        { name: 'MARKETPLACE_NAME', value: 'Slot Market' },
        { name: 'COMMISSION', value: '12.5' },
        { name: 'PUBLIC_CATALOGUE', value: 'off' },
      ],
      'New house',
    );
    expect([saved.status, saved.body.said]).toEqual([200, 'Saved 3 changes.']);
    expect((await acts()).slice(before).map(({ subjectName, reason }) => [subjectName, reason])).toEqual([
      ['MARKETPLACE_NAME', 'From “Openslot” to “Slot Market”. New house'],
      ['COMMISSION', 'From “15” to “12.5”. New house'],
      ['PUBLIC_CATALOGUE', 'From “on” to “off”. New house'],
    ]);
    // The default of the name on documents is the name.
    expect((await listedAs('SELLER_NAME')).fallback).toBe('Slot Market');
    const version = (await listedAs('COMMISSION')).version;
    const back = await saveAll([
      { name: 'COMMISSION', value: null, version },
      { name: 'APPROVAL_DAYS', value: '9' },
    ]);
    expect(back.body.said).toBe('Saved 2 changes.');
    expect(server.ctx.config).toMatchObject({ commissionPercent: 15, approvalDays: 9 });
  });

  it('saves nothing of several changes if one is refused, and names each that is', async () => {
    const before = (await acts()).length;
    const refused = await saveAll([
      { name: 'MARKETPLACE_NAME', value: 'Slot Market' },
      { name: 'COMMISSION', value: '51' },
      { name: 'ACCENT', value: '#b42318' },
      { name: 'LOGO', value: '' },
    ]);
    expect(refused.status).toBe(400);
    expect(refused.body.issues).toEqual([
      {
        path: 'COMMISSION',
        message: 'Must be a percentage from 0 to 50 with at most two decimals, such as 12.5.',
      },
      {
        path: 'ACCENT',
        message: '#b42318 looks like the color of errors. A near color that doesn’t is #b11d4e.',
      },
      { path: 'LOGO', message: 'Choose an SVG or a PNG file.' },
    ]);
    // Documents can't print one, and no default of the other is missing.
    const late = [
      { name: 'SELLER_NAME', value: 'Store தமிழ்', status: 400, path: 'SELLER_NAME' },
      { name: 'TAGLINE', value: null, status: 409, path: 'TAGLINE' },
    ];
    for (const { status, path, ...change } of late) {
      const answer = await saveAll([{ name: 'MARKETPLACE_NAME', value: 'Slot Market' }, change]);
      expect([answer.status, answer.body.issues]).toEqual([status, [expect.objectContaining({ path })]]);
    }
    expect(await server.ctx.db.selectFrom('settings').selectAll().execute()).toEqual([]);
    expect(await acts()).toHaveLength(before);
  });

  it('takes no setting twice in one call', async () => {
    const twice = await saveAll([
      { name: 'COMMISSION', value: '10' },
      { name: 'COMMISSION', value: '11' },
    ]);
    expect([twice.status, twice.body.message]).toEqual([400, 'COMMISSION is in the list twice.']);
    expect((await saveAll([])).status).toBe(400);
  });

  it.each([
    ['APPROVAL_DAYS', ' ', 'APPROVAL_DAYS must not be blank. To use the default, unset it.'],
    ['APPROVAL_DAYS', '1.5', 'APPROVAL_DAYS must be a whole number of days from 0 to 60.'],
    ['PAYOUT_HOLD_DAYS', '366', 'PAYOUT_HOLD_DAYS must be a whole number of days from 0 to 365.'],
    [
      'COMMISSION',
      '50.01',
      'COMMISSION must be a percentage from 0 to 50 with at most two decimals, such as 12.5.',
    ],
    ['MINIMUM_PRICE', '0.49', 'MINIMUM_PRICE must be an amount from 0.50 to 999999.99, such as 5.00.'],
    ['PAYOUT_MINIMUM', '0.00', 'PAYOUT_MINIMUM must be an amount above zero, such as 25.00.'],
    ['CURRENCY', 'CHF', 'CURRENCY must be one of USD, EUR, GBP, CAD, AUD.'],
    ['PUBLIC_CATALOGUE', 'yes', 'PUBLIC_CATALOGUE must be on or off.'],
    ['SUPPORT_ADDRESS', 'nobody', 'SUPPORT_ADDRESS must be an email address.'],
    ['MAIL_FROM', 'a@b.test\nBcc: c@d.test', 'MAIL_FROM must contain an email address.'],
    ['SELLER_TAX_ID', 'x'.repeat(51), 'SELLER_TAX_ID must have at most 50 characters.'],
  ])('refuses a value that does not fit: %s, %j', async (name, value, sentence) => {
    const { status, body } = await save(name, value);
    expect([status, body.message]).toEqual([400, sentence]);
    expect(body.issues).toEqual([{ path: name, message: expect.stringMatching(/^[A-Z].*\.$/) }]);
    expect(await server.ctx.db.selectFrom('settings').selectAll().execute()).toEqual([]);
  });

  it('knows no other names, and refuses a reason that is too long', async () => {
    expect((await save('SELLER_NAME', 'x', 'y'.repeat(201))).status).toBe(400);
    for (const name of ['SESSION_SECRET', 'constructor', '%00']) {
      const { status, body } = await save(name, 'x');
      expect([status, body.message]).toEqual([400, `There is no setting “${name}”.`]);
    }
    const lines = await save('SELLER_ADDRESS', 'Marktstraße 1\r\n10115 Berlin');
    expect(lines.status).toBe(200);
    expect(server.ctx.config.seller.address).toBe('Marktstraße 1\n10115 Berlin');
  });

  it('lets one of two operators through who save at once, and shows the other one the new value', async () => {
    const answers = await Promise.all(
      ['11', '12', '13'].map(async (value) => ({ value, ...(await save('APPROVAL_DAYS', value)) })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const winner = answers.find(({ status }) => status === 200)?.value;
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body).toEqual({
        message: expect.stringContaining('APPROVAL_DAYS was changed while this page was open.'),
        issues: [
          {
            path: 'APPROVAL_DAYS',
            message: `Was changed while this page was open. It is “${winner}” now. Check it, then save again.`,
          },
        ],
      });
    expect(server.ctx.config.approvalDays).toBe(Number(winner));
    const late = await saveAll([
      { name: 'APPROVAL_DAYS', value: null },
      { name: 'COMMISSION', value: '10' },
    ]);
    expect([late.status, server.ctx.config.commissionPercent]).toEqual([409, 15]);
  });
});

it('a slow read never puts back what was replaced meanwhile', async () => {
  const { db, config } = server.ctx;
  const released = Promise.withResolvers<void>();
  const slow = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await released.promise;
      return result;
    },
  });
  // The server reads every second by itself. Hold back a read that begins before the change.
  const begun = readSettings(slow, config);
  await set('APPROVAL_DAYS', '12');
  released.resolve();
  await begun;
  expect(config.approvalDays).toBe(12);
});

it('everybody can read the name, commission, currency, categories and published pages of the marketplace, also on pages of other sites', async () => {
  const answer = await server.anyone().get('/api/marketplace');
  expect(answer.body).toEqual({
    name: 'Openslot',
    tagline: expect.stringContaining('The modern marketplace') as string,
    logo: '/icon.svg',
    accent: expect.stringMatching(/^#[0-9a-f]{6}$/) as string,
    commissionPercent: 15,
    currency: 'USD',
    categories: expect.arrayContaining(['Technology', 'Food']) as string[],
    catalogue: true,
    supportAddress: null,
    pages: {},
    termsVersion: null,
  });
  expect((await read(server.app, answer.body.logo as string)).statusCode).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const etag = answer.headers.get('etag') ?? '';
  const again = await server.anyone().get('/api/marketplace', { 'if-none-match': etag });
  expect([etag === '', again.status]).toEqual([false, 304]);
});
