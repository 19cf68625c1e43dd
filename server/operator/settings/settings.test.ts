/** Settings in the database, changed by commands and in the console, with two servers on one database. */
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { App } from '#server/app/app.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { MARKETPLACE_SETTINGS } from '#server/platform/settings/marketplace.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, sendForm, type TestOperator } from '#server/testing/operator.ts';
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
const save = async (name: string, fields: Record<string, string>) =>
  await sendForm(operator.client, `/operator/settings/${name}`, { version: '', ...fields });

describe('commands', () => {
  it('list, read, set and unset a setting, and say where each value comes from', async () => {
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
    const [first, second, ...more] = await acts();
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
    const page = async () => (await operator.client.get('/operator/settings')).text;
    const text = await page();
    for (const name of MARKETPLACE_SETTINGS) expect(text).toContain(`<code>${name}</code>`);
    expect(text).not.toContain('Use the default');
    const saved = await save('APPROVAL_DAYS', { value: '8', reason: 'Holidays' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/operator/settings#APPROVAL_DAYS']);
    expect((await page()).match(/Set here, or with openslot settings/g)).toHaveLength(1);
    expect((await acts()).at(-1)).toMatchObject({
      act: 'set-setting',
      reason: 'From “5” to “8”. Holidays',
      operatorId: operator.client.user.id,
    });
    expect((await operator.client.get('/operator/audit')).text).toContain(
      'Changed the setting “APPROVAL_DAYS”',
    );
    const [, version = ''] = /name="version" value="(20[^"]+)"/.exec(await page()) ?? [];
    const back = await sendForm(operator.client, '/operator/settings/APPROVAL_DAYS/unset', {
      version,
      value: '8',
      reason: '',
    });
    expect(back.status).toBe(303);
    expect(await page()).not.toContain('Use the default');
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
    const { status, text } = await save(name, { value, reason: '' });
    expect([status, text.includes(sentence)]).toEqual([400, true]);
    expect(await server.ctx.db.selectFrom('settings').selectAll().execute()).toEqual([]);
  });

  it('keeps what was typed when it refuses a value, and knows no other names', async () => {
    const refused = await save('SELLER_NAME', { value: '<b>'.repeat(70), reason: '' });
    expect([refused.status, refused.text.includes('SELLER_NAME must have at most 200 characters.')]).toEqual([
      400,
      true,
    ]);
    expect(refused.text).toContain(`value="${'&lt;b&gt;'.repeat(70)}"`);
    expect((await save('SELLER_NAME', { value: 'x', reason: 'y'.repeat(201) })).status).toBe(400);
    for (const name of ['SESSION_SECRET', 'constructor', '%00'])
      expect((await save(name, { value: 'x' })).status).toBe(404);
    const lines = await save('SELLER_ADDRESS', { value: 'Marktstraße 1\r\n10115 Berlin', reason: '' });
    expect(lines.status).toBe(303);
    expect(server.ctx.config.seller.address).toBe('Marktstraße 1\n10115 Berlin');
  });

  it('lets one of two operators through who save at once, and shows the other one the new value', async () => {
    const answers = await Promise.all(
      ['11', '12', '13'].map(async (value) => ({ value, ...(await save('APPROVAL_DAYS', { value })) })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 409, 409]);
    const winner = answers.find(({ status }) => status === 303)?.value;
    for (const { text } of answers.filter(({ status }) => status === 409))
      expect(text).toContain(`was changed while this page was open. It is “${winner}” now.`);
    expect(server.ctx.config.approvalDays).toBe(Number(winner));
    const late = await sendForm(operator.client, '/operator/settings/APPROVAL_DAYS/unset', { version: '' });
    expect(late.status).toBe(409);
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
