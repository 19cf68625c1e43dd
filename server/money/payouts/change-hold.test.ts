/** A stolen session takes no payouts: the password is asked again, the publisher is told, and payouts wait. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SecurityEvent } from '#domain/accounts/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import type { Answer, Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { balanceOf, confirm, makePaid, makePayable, payOut } from '#server/testing/money/payout-market.ts';
import { onboard } from '#server/testing/money/payouts.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { runPayouts } from './run.ts';

const server = useOwnServer();
let buyer: Client;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
});

const change = (seller: Client) => seller.post('/api/payouts/account', { country: 'DE' });
const kindsOf = async (person: Client) =>
  ((await person.get('/api/user/security-events')).body as SecurityEvent[]).map(({ kind }) => kind);
const mailsOf = async (person: Client) =>
  (await mailTo(server.ctx, person.user.email)).map(({ kind }) => kind);
const changeHold = async (seller: Client) =>
  (await balanceOf(seller)).holds.filter(({ reason }) => reason === 'payout_change');

const CALLS: [name: string, call: (person: Client) => Promise<Answer>][] = [
  ['change the payout account', change],
  [
    'change it to a country that is refused',
    (person) => person.post('/api/payouts/account', { country: 'XX' }),
  ],
  ['change it with a wrong body', (person) => person.post('/api/payouts/account', { country: 7 })],
  ['pay out', (person) => person.post('/api/payouts', {})],
  ['pay out with a wrong body', (person) => person.post('/api/payouts', { final: 'yes' })],
  ['open the billing portal', (person) => person.get('/api/billing/portal')],
  [
    'open the billing portal from another site',
    (person) => person.get('/api/billing/portal', { 'sec-fetch-site': 'cross-site' }),
  ],
  ['ask whether the session is confirmed', (person) => person.get('/api/user/confirmed')],
];

// Proves PAYO-09
it.each(CALLS)('refuses an older session to %s before any other refusal', async (_name, call) => {
  const person = await server.signIn('both');
  server.clock.advance(15 * MINUTE_MS + 1000);
  expect(await call(person)).toMatchObject({
    status: 403,
    body: { code: 'reauthenticate', message: expect.stringMatching(/password/) },
  });
  expect(await changeHold(person)).toEqual([]);
  expect(await mailsOf(person)).not.toContain('payout-account-changed');
  await confirm(person);
  expect((await call(person)).body).not.toMatchObject({ code: 'reauthenticate' });
});

const mailOf = async (seller: Client) =>
  (await mailTo(server.ctx, seller.user.email)).findLast(({ kind }) => kind === 'payout-account-changed');

describe('the page with the details of payouts', () => {
  // Proves PAYO-601
  it('holds nothing during the first set-up, also if it is opened again before the bank account is known', async () => {
    const seller = await server.signIn('seller');
    for (const answer of [await change(seller), await change(seller)]) expect(answer.status).toBe(200);
    expect(await changeHold(seller)).toEqual([]);
    expect(await kindsOf(seller)).toContain('payout-account-changed');
    const mail = await mailOf(seller);
    expect(mail?.text).toMatch(/You started to set up your payouts/);
    expect(mail?.text).not.toMatch(/hold/);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'not_onboarded' } });
  });

  // Proves PAYO-09, PAYO-601
  it('is mailed, is a security event, and holds all payouts for three days, also without money', async () => {
    const seller = await server.signIn('seller');
    await onboard(server.ctx, seller.user.id);
    const openedAt = server.ctx.now().getTime();
    expect((await change(seller)).status).toBe(200);
    const [hold, ...others] = await changeHold(seller);
    expect(others).toEqual([]);
    expect(hold).toMatchObject({ amount: '0.00', adPublicId: null, adTitle: null });
    const until = Date.parse(hold?.until ?? '');
    expect(until - openedAt).toBeGreaterThanOrEqual(3 * DAY_MS);
    expect(until - openedAt).toBeLessThan(3 * DAY_MS + MINUTE_MS);
    expect(await kindsOf(seller)).toContain('payout-account-changed');
    expect((await mailOf(seller))?.text).toMatch(/hold all your payouts until/);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'held' } });
  });

  // Proves PAYO-601
  it('holds payouts if the publisher was paid before, although the account has gone', async () => {
    const { seller, accountId } = await makePaid(server, buyer);
    await server.ctx.db.deleteFrom('payeeAccounts').where('accountId', '=', accountId).execute();
    await confirm(seller);
    expect((await change(seller)).status).toBe(200);
    expect(await changeHold(seller)).toHaveLength(1);
  });

  // Proves PAYO-09
  it('keeps money from leaving on request and on Monday, and lets it go after its end', async () => {
    const { seller } = await makePayable(server, buyer);
    await confirm(seller);
    expect((await change(seller)).status).toBe(200);
    expect(await changeHold(seller)).toMatchObject([{ amount: '170.00' }]);
    expect(await balanceOf(seller)).toMatchObject({ available: '0.00', held: '170.00' });
    expect(await payOut(seller)).toMatchObject({
      status: 409,
      body: { reason: 'held', message: expect.stringContaining('until') },
    });
    server.clock.advance(2 * DAY_MS);
    // Opening the page again begins the hold anew.
    await confirm(seller);
    expect((await change(seller)).status).toBe(200);
    server.clock.advance(3 * DAY_MS - HOUR_MS);
    await runPayouts(server.ctx);
    expect((await balanceOf(seller)).history).toEqual([]);
    expect(await payOut(seller)).toMatchObject({ status: 409, body: { reason: 'held' } });
    server.clock.advance(HOUR_MS);
    expect(await changeHold(seller)).toEqual([]);
    // A Monday passed meanwhile, so the payout leaves by itself.
    server.clock.advance(7 * DAY_MS);
    await runPayouts(server.ctx);
    expect((await balanceOf(seller)).history).toMatchObject([{ amount: '170.00' }]);
  });

  // Proves PAYO-09
  it('begins one hold if it is opened twice at once', async () => {
    const seller = await server.signIn('seller');
    await onboard(server.ctx, seller.user.id);
    const answers = await Promise.all([1, 2, 3, 4].map(() => change(seller)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await changeHold(seller)).toHaveLength(1);
  });
});

// Proves PAYO-09
it('mails a requested payout, and records it', async () => {
  const { seller } = await makePayable(server, buyer);
  expect((await payOut(seller)).status).toBe(201);
  expect(await kindsOf(seller)).toContain('payout-requested');
  expect((await mailsOf(seller)).filter((kind) => kind === 'payout-requested')).toHaveLength(1);
  expect(await payOut(seller)).toMatchObject({ status: 409 });
  expect((await mailsOf(seller)).filter((kind) => kind === 'payout-requested')).toHaveLength(1);
});

// Proves PAYO-09
it('holds nothing with PAYOUT_CHANGE_HOLD_DAYS of 0, and tells the publisher all the same', async () => {
  const other = await untilTestEnds(startTestServer({ env: { PAYOUT_CHANGE_HOLD_DAYS: '0' } }));
  const seller = await other.signIn('seller');
  await onboard(other.ctx, seller.user.id);
  expect((await change(seller)).status).toBe(200);
  expect((await balanceOf(seller)).holds).toEqual([]);
  expect((await mailTo(other.ctx, seller.user.email)).map(({ kind }) => kind)).toContain(
    'payout-account-changed',
  );
});
