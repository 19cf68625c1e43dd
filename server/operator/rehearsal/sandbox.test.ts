import { once } from 'node:events';
import http from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import { readPayee } from '#server/money/payees/read.ts';
import { startStripeServer } from '#server/testing/stripe/stripe-server.ts';
import { makeApprovedAd } from '#server/testing/money/checkout.ts';
import { type Client, DEV_KEY } from '#server/testing/client.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeWebsite } from '#server/testing/story.ts';

const server = useOwnServer();
let sandbox: SandboxProvider;
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  sandbox = sandboxOf(server);
  seller = await server.signIn('seller', { email: 'pat@example.test' });
  buyer = await server.signIn('buyer');
});

const play = (body: object) => server.anyone().post('/dev/sandbox', body);

async function livePayment() {
  const { ad } = await makeLiveAd(seller, buyer);
  const { intentId } = await server.ctx.db
    .selectFrom('payments')
    .select('intentId')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  return { ad, intentId: String(intentId) };
}

const typesOf = async (prefix: string) => {
  const rows = await server.ctx.db.selectFrom('providerEvents').select('type').execute();
  return rows.map(({ type }) => type).filter((type) => type.startsWith(prefix));
};

describe('/dev/sandbox', () => {
  it('plays disputes, inquiries and fraud warnings on a paid ad', async () => {
    const { ad } = await livePayment();
    expect(await play({ play: 'dispute', ad: ad.publicId })).toMatchObject({
      status: 200,
      body: { play: 'dispute', message: expect.stringContaining('disputes the payment') },
    });
    expect((await play({ play: 'dispute', ad: ad.id })).status).toBe(409);
    expect((await play({ play: 'dispute_won', ad: ad.id })).status).toBe(200);
    expect(await typesOf('charge.dispute')).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ]);
    expect((await play({ play: 'inquiry', ad: String(ad.id) })).status).toBe(200);
    expect((await play({ play: 'dispute', ad: ad.publicId.toUpperCase() })).status).toBe(200);
    expect((await play({ play: 'dispute_lost', ad: ad.id })).status).toBe(200);
    expect((await play({ play: 'fraud_warning', ad: ad.id })).status).toBe(200);
    expect(await typesOf('radar.')).toEqual(['radar.early_fraud_warning.created']);
  });

  it('plays refunds that fail or stay pending: the last one that was sent, or else the next', async () => {
    const [planned, sent] = [await livePayment(), await livePayment()];
    const refund = (intentId: string, key: string) =>
      sandbox.refund({ intentId, amount: 100, metadata: {} }, key);
    expect((await play({ play: 'refund_pending', ad: planned.ad.id })).status).toBe(200);
    expect(await refund(planned.intentId, 'play:1')).toMatchObject({ status: 'pending' });
    const { id } = await refund(sent.intentId, 'play:2');
    expect((await play({ play: 'refund_fails', ad: sent.ad.id })).status).toBe(200);
    expect(await sandbox.getRefund(id)).toMatchObject({ status: 'failed' });
  });

  it('plays onboarding and failing payouts on a publisher, named by e-mail address or number', async () => {
    expect(await play({ play: 'onboard', user: 'pat@example.test' })).toMatchObject({
      status: 409,
      body: {
        message: 'This user hasn’t begun to set up payouts. Sign in as this user and set them up first.',
      },
    });
    expect((await seller.post('/api/payouts/account', { country: 'DE' })).status).toBe(200);
    const accountId = String((await readPayee(server.ctx, seller.user.id)).accountId);
    expect((await play({ play: 'onboard', user: ' Pat@Example.test ' })).status).toBe(200);
    expect(await sandbox.getPayee(accountId)).toMatchObject({ transfersStatus: 'active' });
    expect((await play({ play: 'documents_missing', user: seller.user.id })).status).toBe(200);
    expect(await sandbox.getPayee(accountId)).toMatchObject({ transfersStatus: 'inactive' });
    expect((await play({ play: 'payout_fails', user: String(seller.user.id) })).status).toBe(409);
    expect(await typesOf('account.')).toEqual(['account.updated', 'account.updated']);
  });

  it('answers 400 for a wrong play or subject, 404 for an unknown one, 409 for an unpaid ad', async () => {
    const { ad } = await livePayment();
    for (const wrong of [
      {},
      { play: 'bankrupt', ad: ad.id },
      { play: 'dispute' },
      { play: 'onboard', ad: ad.id },
    ]) {
      const answer = await play(wrong);
      expect([wrong, answer.status]).toEqual([wrong, 400]);
    }
    for (const wrong of [true, [], {}, null])
      expect((await play({ play: 'dispute', ad: wrong })).status).toBe(400);
    for (const unknown of ['nothing', '0', -1, 999_999, 1e12, '00000000-0000-4000-8000-000000000000'])
      expect([unknown, (await play({ play: 'dispute', ad: unknown })).status]).toEqual([unknown, 404]);
    for (const unknown of ['nobody@example.test', 'x\0y@example.test', 'words', 999_999, 1e12, -3]) {
      const { status } = await play({ play: 'onboard', user: unknown });
      expect([unknown, status >= 400 && status < 500]).toEqual([unknown, true]);
    }
    const unpaid = await makeApprovedAd(seller, buyer);
    expect(await play({ play: 'dispute', ad: unpaid.id })).toMatchObject({
      status: 409,
      body: { message: 'This ad hasn’t been paid for in the sandbox. Pay for it with a test card first.' },
    });
  });

  // Proves DOOR-01
  it('is guarded like /dev/clock, and so is the panel', async () => {
    for (const path of ['/dev/sandbox', '/dev/rehearsal/verify', '/dev/rehearsal']) {
      const request = http.request(server.url + path, {
        method: path === '/dev/rehearsal' ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          'x-dev-key': DEV_KEY,
          'x-forwarded-for': '203.0.113.9',
        },
        agent: false,
      });
      request.end();
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      answer.resume();
      expect([path, answer.statusCode]).toEqual([path, 403]);
    }
    const origin = { origin: 'https://evil.example' };
    expect((await server.anyone().post('/dev/sandbox', { play: 'dispute' }, origin)).status).toBe(403);
  });

  it('does not exist with Stripe, whose clock can still be moved', async () => {
    const stripe = await untilTestEnds(startStripeServer());
    const other = await untilTestEnds(startTestServer({ env: stripe.env }));
    expect((await other.anyone().post('/dev/sandbox', { play: 'dispute', ad: 1 })).status).toBe(404);
    expect((await other.anyone().post('/dev/clock', { advance: 60 })).status).toBe(200);
    expect((await other.anyone().get('/dev/rehearsal')).text).toContain('Stripe’s own test cards');
  });
});

describe('/dev/rehearsal', () => {
  it('verifies a website without an operator’s account, and answers errors otherwise', async () => {
    const site = await makeWebsite(seller, { name: 'Made <up>', url: 'https://made-up.example' });
    expect((await server.anyone().get('/dev/rehearsal')).text).toContain('Made &lt;up&gt;');
    const verify = (website: unknown) => server.anyone().post('/dev/rehearsal/verify', { website });
    expect(await verify(site.publicId)).toMatchObject({
      status: 200,
      body: { message: 'Made <up> is verified.' },
    });
    expect((await verify(site.id)).status).toBe(409);
    expect((await verify(999_999)).status).toBe(404);
    expect((await verify('made up')).status).toBe(400);
    expect((await verify(undefined)).status).toBe(400);
    const act = await server.ctx.db.selectFrom('operatorActs').selectAll().executeTakeFirstOrThrow();
    expect(act).toMatchObject({
      act: 'decide-ownership',
      subjectId: site.id,
      operatorId: null,
      reason: 'Verified for a rehearsal',
    });
  });
});
