/** The limits on declined cards. Each decline counts once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#domain/time.ts';
import { beginPayment, makeApprovedAd } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { useServerWithStripe } from '#server/testing/stripe/use-stripe.ts';
import { applyProviderEvent } from '../events/events.ts';

const DECLINED = '4000000000000002';

describe('declined cards', () => {
  const { server, stripe } = useServerWithStripe({ RATE_LIMIT_FACTOR: '1' });
  beforeAll(() => {
    stripe.webhooks.account = `${server.url}/api/webhooks/stripe`;
  });
  const decline = async (clientSecret: string, number = DECLINED) => {
    expect(() => stripe.pay(clientSecret, number)).toThrow(/card/);
    await stripe.delivered();
    const waiting = await server.ctx.db
      .selectFrom('providerEvents')
      .select('id')
      .where('doneAt', 'is', null)
      .execute();
    // Each event is handled twice, and counts once.
    for (const { id } of [...waiting, ...waiting]) await applyProviderEvent(server.ctx, id);
  };
  const statuses = async (client: Client) => {
    const rows = await server.ctx.db
      .selectFrom('payments')
      .select('status')
      .where('userId', '=', client.user.id)
      .orderBy('id')
      .execute();
    return rows.map(({ status }) => status);
  };
  let publishers: Client;
  const newAd = async (person: Client) => {
    publishers ??= await server.signIn('seller');
    return makeApprovedAd(publishers, person);
  };
  const secretOf = async (person: Client) =>
    (await beginPayment(person, await newAd(person))).body.clientSecret as string;

  // Proves HOOK-07
  it('of one user, five within an hour, end their open payments and begin no more until the hour is over', async () => {
    const person = await server.signIn('buyer');
    const [first, second] = [await secretOf(person), await secretOf(person)];
    const third = await newAd(person);
    for (let n = 0; n < 4; n++) await decline(first, n % 2 ? DECLINED : '4000000000009995');
    expect(await statuses(person)).toEqual(['open', 'open']);
    await decline(second);
    expect(await statuses(person)).toEqual(['canceled', 'canceled']);
    const refused = await beginPayment(person, third);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    server.clock.advance(61 * MINUTE_MS);
    expect((await beginPayment(person, third)).status).toBe(200);
  });

  // Proves HOOK-07
  it('are counted for the card, by all users together', async () => {
    server.clock.advance(61 * MINUTE_MS);
    const [one, two] = [await server.signIn('buyer'), await server.signIn('buyer')];
    const [ofOne, ofTwo] = [await secretOf(one), await secretOf(two)];
    for (let n = 0; n < 3; n++) await decline(ofOne, '4000000000000069');
    for (let n = 0; n < 2; n++) await decline(ofTwo, '4000000000000069');
    expect([await statuses(one), await statuses(two)]).toEqual([['canceled'], ['canceled']]);
    expect((await beginPayment(one, await newAd(one))).status).toBe(429);
    const third = await server.signIn('buyer');
    expect((await beginPayment(third, await newAd(third))).status).toBe(200);
  });

  // Proves HOOK-07
  it('are counted for the network that asked for the intent: twenty end all open payments from there', async () => {
    server.clock.advance(61 * MINUTE_MS);
    const bystander = await server.signIn('buyer');
    await secretOf(bystander);
    const numbers = [
      '4000000000000002',
      '4000000000009995',
      '4000000000000069',
      '4000000000000127',
      '4000000000000119',
    ];
    // Four of each user and of each card: only the network reaches its limit.
    for (let n = 0; n < 5; n++) {
      const person = await server.signIn('buyer');
      const secret = await secretOf(person);
      for (let k = 0; k < 4; k++) await decline(secret, numbers[(n + k) % 5]);
      if (n < 4) expect(await statuses(bystander)).toEqual(['open']);
    }
    expect(await statuses(bystander)).toEqual(['canceled']);
    expect((await beginPayment(bystander, await newAd(bystander))).status).toBe(429);
  });
});
