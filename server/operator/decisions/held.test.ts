/** Earnings on hold: of a site until it is verified, and of one person on both sides until the operator decides. */
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { PaymentProvider } from '#server/platform/provider/payment-provider.ts';
import type { SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import { holdIfUnverified } from '#server/ads/life/unverified-site.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import { heldCents, listHeld } from '#server/money/ledger/held.ts';
import { makeApprovedAd, payByCard, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { deriveKeys } from '#server/platform/settings/session-secret.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import { movePayoutsTo } from '#server/testing/money/payouts.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { SESSION_SECRET } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { verifySite } from './queues.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let sandbox: SandboxProvider;
beforeAll(async () => {
  sandbox = sandboxOf(server);
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});

async function deliver(ad: Ad, views: number): Promise<void> {
  server.clock.advance(1000);
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), views);
  await accrueDue(server.ctx, { early: true });
}
const heldOf = async (who: Client) =>
  await listHeld(server.ctx.db, { publisherId: who.user.id }, server.ctx.now());
const holdsShown = async (ad: Ad, who: Client) =>
  ((await who.get(`/api/ads/${ad.id}/ledger`)).body as { holds: { amount: string; reason: string }[] }).holds;

// Proves LEDG-11
it('holds the earnings of an unverified site, frees them with the verification, and holds only later earnings after its loss', async () => {
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100 };
  const { ad } = await makeLiveAd(seller, buyer, { product });
  const { db } = server.ctx;
  await deliver(ad, 40);
  expect(await holdsShown(ad, seller)).toEqual([
    { amount: '34.00', reason: 'unverified_site', since: expect.any(String) },
  ]);
  expect(await holdsShown(ad, buyer)).toEqual([]);
  expect(await heldOf(seller)).toMatchObject([{ adId: ad.id, amountCents: 3400, since: expect.any(Date) }]);

  const { websiteId } = await db
    .selectFrom('adZones')
    .select('websiteId')
    .where('id', '=', ad.adZoneId)
    .executeTakeFirstOrThrow();
  await verifySite(server.ctx, { id: null }, { id: websiteId, reason: 'A rehearsal' });
  expect(await holdsShown(ad, seller)).toEqual([]);
  await deliver(ad, 20);
  await db
    .updateTable('websites')
    .set({ verifiedAt: null, vouchedAt: null })
    .where('id', '=', websiteId)
    .execute();
  await holdIfUnverified(db, { websiteId }, server.ctx.now());
  expect(await heldOf(seller)).toMatchObject([{ amountCents: 0 }]);
  await deliver(ad, 10);
  expect(await heldOf(seller)).toMatchObject([{ reason: 'unverified_site', amountCents: 850 }]);
});

// Proves LEDG-11
it('adds up held earnings, and counts an ad with several holds once', () => {
  const hold = { id: 1, reason: 'dispute', since: new Date(0) } as const;
  expect(
    heldCents([
      { ...hold, adId: 1, amountCents: 500 },
      { ...hold, adId: 1, amountCents: 300 },
      { ...hold, adId: 2, amountCents: 100 },
    ]),
  ).toBe(600);
});

const MASTERCARD = '5555555555554444';

async function buy(from: Client, by: Client, card: string): Promise<Ad> {
  const ad = await makeApprovedAd(from, by);
  const { paymentIntentId } = await payByCard(by, ad, { number: card });
  expect((await by.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  return ad;
}
const samePerson = async (who: Client) =>
  (await heldOf(who)).filter(({ reason }) => reason === 'same_person').map(({ adId }) => adId);

const payOutTo = async (who: Client, destination: string) =>
  await movePayoutsTo(server, sandbox.play.movePayouts, who, destination);
const VISA = '4242424242424242';

// Proves PYEE-06
it('holds the earnings of people who sell to themselves', async () => {
  const publisher = await server.signIn('both');
  const own = await buy(publisher, publisher, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([own.id]);
});

it('takes two people who rehearse with the same number for two people', async () => {
  const [publisher, advertiser] = [await server.signIn('both'), await server.signIn('buyer')];
  await buy(publisher, advertiser, VISA);
  await buy(seller, publisher, VISA);
  await buy(seller, publisher, VISA);
  await buy(publisher, advertiser, VISA);
  expect(await samePerson(publisher)).toEqual([]);
  const rows = await server.ctx.db
    .selectFrom('payments')
    .select(['userId', 'card'])
    .where('userId', 'in', [publisher.user.id, advertiser.user.id])
    .execute();
  const cardsOf = ({ user }: Client) =>
    rows.filter(({ userId }) => userId === user.id).map(({ card }) => card);
  for (const person of [publisher, advertiser]) expect(new Set(cardsOf(person)).size).toBe(1);
  expect(cardsOf(publisher)[0]).not.toBe(cardsOf(advertiser)[0]);
});

/** Lets a person join the account of another. Returns the number of the membership. */
async function joinAccount(person: Client, account: Client): Promise<number> {
  const { email } = person.user;
  const { body } = await account.post('/api/account/members', { email, role: 'owner' });
  const mail = (await mailTo(server.ctx, email)).findLast(({ kind }) => kind === 'member-invitation');
  const token = /\/join\?token=([\w-]{22})/.exec(mail?.text ?? '')?.[1];
  expect((await person.post('/api/account/join', { token })).status).toBe(200);
  return body.id;
}

// Proves PYEE-06
it('holds sales between an account and its members, from before they joined and after they left', async () => {
  const [publisher, member, colleague, stranger] = [
    await server.signIn('both'),
    await server.signIn('both'),
    await server.signIn('both'),
    await server.signIn('both'),
  ];
  const before = await buy(publisher, member, VISA);
  await buy(publisher, stranger, VISA);
  expect(await samePerson(publisher)).toEqual([]);
  const id = await joinAccount(member, publisher);
  expect(await samePerson(publisher)).toEqual([before.id]);
  // The operator hears of it.
  const told = (await mailToOperator(server.ctx, 'money-held')).map(({ text }) => text);
  expect(told.filter((text) => text.includes(`The earnings of ad ${before.id} are on hold`))).toHaveLength(1);
  const during = await buy(publisher, member, VISA);
  expect((await publisher.delete(`/api/account/members/${id}`)).status).toBe(200);
  const after = await buy(publisher, member, VISA);
  const back = await buy(member, publisher, MASTERCARD);
  expect(await samePerson(publisher)).toEqual([before.id, during.id, after.id]);
  expect(await samePerson(member)).toEqual([back.id]);
  // Two accounts of which one person is a member.
  await joinAccount(colleague, publisher);
  await joinAccount(colleague, stranger);
  const shared = await buy(publisher, stranger, VISA);
  expect((await samePerson(publisher)).includes(shared.id)).toBe(true);
});

// Proves PYEE-06
it('holds sales between two accounts with one bank account, from before and after the bank account is known', async () => {
  const [publisher, other] = [await server.signIn('both'), await server.signIn('both')];
  const sold = await buy(publisher, other, VISA);
  await payOutTo(publisher, 'bank of one');
  await payOutTo(other, 'bank of another');
  expect(await samePerson(publisher)).toEqual([]);
  await payOutTo(other, 'bank of one');
  expect(await samePerson(publisher)).toEqual([sold.id]);
  const next = await buy(publisher, other, VISA);
  const back = await buy(other, publisher, MASTERCARD);
  expect([await samePerson(publisher), await samePerson(other)]).toEqual([[sold.id, next.id], [back.id]]);
  const rows = await server.ctx.db.selectFrom('payeeAccounts').select('destinations').execute();
  expect(JSON.stringify(rows)).not.toContain('bank');

  // A hold that the operator has ended does not come back, not even for another destination.
  await server.ctx.db.updateTable('holds').set({ releasedAt: server.ctx.now() }).execute();
  await payOutTo(other, 'bank of another');
  await payOutTo(other, 'bank of one');
  expect(await samePerson(publisher)).toEqual([]);
});

// Proves PYEE-06
it('holds earnings paid with the card that gets the publisher’s payouts', async () => {
  const [paidToCard, buyerOfCard] = [await server.signIn('seller'), await server.signIn('buyer')];
  const paid = await buy(paidToCard, buyerOfCard, VISA);
  const { intentId } = await server.ctx.db
    .selectFrom('payments')
    .select('intentId')
    .where('adId', '=', paid.id)
    .executeTakeFirstOrThrow();
  const { card } = await sandbox.getIntent(String(intentId));
  expect(await samePerson(paidToCard)).toEqual([]);
  await payOutTo(paidToCard, String(card?.fingerprint));
  expect(await samePerson(paidToCard)).toEqual([paid.id]);
});

// Proves PYEE-06
it('keeps the known bank accounts while the provider does not report them', async () => {
  const [publisher, other] = [await server.signIn('both'), await server.signIn('both')];
  await payOutTo(publisher, 'bank of a pair');
  await payOutTo(other, 'bank of a pair');
  const silent = (real: PaymentProvider) => ({
    getPayee: async (id: string) => ({ ...(await real.getPayee(id)), destinations: null }),
  });
  await withProvider(server.ctx, silent, async () => {
    server.clock.advance(2 * MINUTE_MS);
    expect((await other.get('/api/payouts')).status).toBe(200);
  });
  const sold = await buy(publisher, other, VISA);
  expect(await samePerson(publisher)).toEqual([sold.id]);
});

// Proves OPS-11
it('finds the card of an earlier payment among the payout destinations while its secret is still set', async () => {
  const [publisher, advertiser] = [await server.signIn('seller'), await server.signIn('buyer')];
  const paid = await buy(publisher, advertiser, VISA);
  const { intentId } = await server.ctx.db
    .selectFrom('payments')
    .select('intentId')
    .where('adId', '=', paid.id)
    .executeTakeFirstOrThrow();
  const { card } = await sandbox.getIntent(String(intentId));
  const { keyFor, keysFor } = server.ctx;
  Object.assign(server.ctx, deriveKeys(['the next secret of this installation', SESSION_SECRET]));
  try {
    await payOutTo(publisher, String(card?.fingerprint));
    expect(await samePerson(publisher)).toEqual([paid.id]);
  } finally {
    Object.assign(server.ctx, { keyFor, keysFor });
  }
});
