/** Publishers set up their payouts, with both providers. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#domain/time.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import { outOfReach, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { applyWaitingEvents } from '#server/testing/money/sandbox.ts';
import type { TestServer } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import type { StripeServer } from '#server/testing/stripe/stripe-server.ts';
import { useServerWithStripe } from '#server/testing/stripe/use-stripe.ts';
import { applyProviderEvent } from '../events/events.ts';
import { closePayee } from './close.ts';
import { readPayee } from './read.ts';

type Stage = {
  server: TestServer;
  /** Lets the provider ask for documents, or accept them. */
  review: (accountId: string, isComplete: boolean) => Promise<void>;
  stripe: StripeServer | null;
};

function useSandbox(): Stage {
  const server = useOwnServer();
  const review = async (accountId: string, isComplete: boolean) => {
    const { payments } = server.ctx;
    if (isSandbox(payments)) await payments.play.reviewPayee(accountId, isComplete);
  };
  return { server, review, stripe: null };
}

function useStripe() {
  const { server, stripe } = useServerWithStripe();
  return {
    server,
    stripe,
    review: async (accountId: string, isComplete: boolean) => {
      if (isComplete) stripe.finishOnboarding(accountId);
      else stripe.restrictPayee(accountId);
      await stripe.delivered();
    },
  };
}

function receiveEvents({ server, stripe }: Stage): void {
  if (stripe) stripe.webhooks = { connect: `${server.url}/api/webhooks/stripe-connect`, isLost: false };
}

const begin = (client: Client, country: unknown = 'DE') => client.post('/api/payouts/account', { country });

describe.each([
  ['the sandbox', useSandbox],
  ['Stripe', useStripe],
] as const)('payout accounts at %s', (_name, use) => {
  const stage: Stage = use();
  const { server } = stage;
  beforeAll(() => receiveEvents(stage));
  afterEach(() => {
    if (stage.stripe) stage.stripe.faults.length = 0;
  });

  const accountsOf = (client: Client) =>
    server.ctx.db.selectFrom('payeeAccounts').selectAll().where('userId', '=', client.user.id).execute();
  const read = (client: Client) => readPayee(server.ctx, client.user.id);
  const accountOf = async (client: Client) => String((await accountsOf(client))[0]?.accountId);

  // Proves PYEE-01
  it('are made once, under a key that is stored before, with a fresh link for each click', async () => {
    const seller = await server.signIn('seller');
    const made: { key: string; metadata: object }[] = [];
    const answers = await withProvider(
      server.ctx,
      (real) => ({
        createPayee: async (payee, key) => {
          const [row] = await accountsOf(seller);
          expect(key).toBe(`acct:${row?.key}`);
          made.push({ key, metadata: payee.metadata });
          return await real.createPayee(payee, key);
        },
      }),
      async () => [await begin(seller), await begin(seller, ' de ')],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const urls = answers.map(({ body }) => String(body.url));
    expect(urls.every((url) => URL.canParse(url))).toBe(true);
    if (server.ctx.payments.name === 'stripe') expect(new Set(urls).size).toBe(2);
    const { id: installation } = await server.ctx.db
      .selectFrom('installation')
      .select('id')
      .executeTakeFirstOrThrow();
    expect(made).toEqual([
      {
        key: expect.stringMatching(/^acct:[0-9a-f]{8}-/),
        metadata: { installation, user_id: String(seller.user.id) },
      },
    ]);
    expect(await read(seller)).toMatchObject({ country: 'DE', accountId: await accountOf(seller) });
  });

  // Proves PYEE-01
  it('are made once for simultaneous clicks and for a click after a lost answer', async () => {
    const seller = await server.signIn('seller');
    const ids = new Set<string>();
    const counting = (real: TestServer['ctx']['payments']) => ({
      createPayee: async (...given: Parameters<typeof real.createPayee>) => {
        const payee = await real.createPayee(...given);
        ids.add(payee.id);
        return payee;
      },
    });
    const answers = await withProvider(server.ctx, counting, () =>
      Promise.all([begin(seller), begin(seller), begin(seller)]),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(ids.size).toBe(1);

    const other = await server.signIn('both');
    ids.clear();
    const lost = await withProvider(
      server.ctx,
      (real) => ({
        createPayee: async (...given) => {
          await counting(real).createPayee(...given);
          throw new ProviderError('unavailable', 'socket hang up');
        },
      }),
      () => begin(other),
    );
    expect(lost.status).toBe(503);
    expect(lost.headers.get('retry-after')).not.toBeNull();
    expect(await read(other)).toMatchObject({ state: 'none', accountId: null });
    const again = await withProvider(server.ctx, counting, () => begin(other));
    expect(again.status).toBe(200);
    expect(ids.size).toBe(1);
  });

  // Proves PYEE-01
  it('get another key if the person has changed since an interrupted call', async () => {
    const seller = await server.signIn('seller');
    await withProvider(
      server.ctx,
      (real) => ({
        createPayee: async (payee, key) => {
          await real.createPayee({ ...payee, country: 'FR' }, key);
          throw new ProviderError('unavailable', 'socket hang up');
        },
      }),
      () => begin(seller),
    );
    const [before] = await accountsOf(seller);
    expect((await begin(seller)).status).toBe(200);
    const [after] = await accountsOf(seller);
    expect(after?.key).not.toBe(before?.key);
  });

  // Proves PYEE-01
  it('are refused in a country that cannot be paid, and in another than the first', async () => {
    const seller = await server.signIn('seller');
    expect((await seller.post('/api/payouts/account', {})).status).toBe(400);
    for (const wrong of [null, '', 'Germany', 'D', 7, ['DE']]) {
      const answer = await begin(seller, wrong);
      expect([wrong, answer.status, answer.body.message]).toEqual([wrong, 400, 'Choose your country.']);
    }
    expect(await begin(seller, 'BR')).toMatchObject({
      status: 400,
      body: {
        message: 'Payouts to Brazil aren’t possible. Choose one of the countries in the list.',
        issues: [{ path: 'country' }],
      },
    });
    expect((await begin(seller, 'XX')).status).toBe(400);
    expect(await accountsOf(seller)).toEqual([]);

    expect((await begin(seller, 'FR')).status).toBe(200);
    expect(await begin(seller, 'DE')).toMatchObject({
      status: 409,
      body: {
        message: 'Your payouts are set up for France, which can’t be changed. Continue with France.',
      },
    });
    const both = await server.signIn('both');
    const race = await Promise.all([begin(both, 'DE'), begin(both, 'US')]);
    expect(new Set(race.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  // Proves PYEE-01
  it('leave another country open if the provider refuses the first', async () => {
    const seller = await server.signIn('seller');
    const refused = await withProvider(
      server.ctx,
      () => ({ createPayee: () => Promise.reject(new ProviderError('invalid', 'country_unsupported')) }),
      () => begin(seller, 'LI'),
    );
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('Liechtenstein');
    expect((await begin(seller, 'AT')).status).toBe(200);
  });

  // Proves PYEE-03
  it('are ready when the capability is, by an event or by asking, whatever page the publisher returns to', async () => {
    const seller = await server.signIn('seller');
    expect(await read(seller)).toEqual({ accountId: null, state: 'none', country: null, requirements: [] });
    await begin(seller);
    const accountId = await accountOf(seller);
    const begun = await read(seller);
    expect(['pending', 'restricted']).toContain(begun.state);
    expect(begun.requirements).toContain('Add the bank account for your payouts.');
    expect((await seller.get('/earnings?payouts=returned')).status).toBe(200);
    server.clock.advance(MINUTE_MS);
    expect((await read(seller)).state).not.toBe('ready');

    await stage.review(accountId, true);
    await applyWaitingEvents(server.ctx);
    expect(await read(seller)).toMatchObject({ state: 'ready', requirements: [] });

    await stage.review(accountId, false);
    // The event is still on its way.
    expect((await read(seller)).state).toBe('ready');
    server.clock.advance(MINUTE_MS);
    expect(await read(seller)).toMatchObject({
      state: 'restricted',
      requirements: expect.arrayContaining(['Upload a document that proves who you are.']),
    });
    await applyWaitingEvents(server.ctx);
    expect((await read(seller)).state).toBe('restricted');
  });

  it('cause one mail to the publisher, with the missing steps, when they can no longer receive payouts', async () => {
    const [seller, silent] = [await server.signIn('seller'), await server.signIn('seller')];
    await silent.patch('/api/user/settings', { emailNotifications: false });
    const mails = async (who: Client) =>
      (await mailTo(server.ctx, who.user.email)).filter(({ kind }) => kind === 'payout-account');
    for (const who of [seller, silent]) {
      await begin(who);
      await stage.review(await accountOf(who), true);
      await applyWaitingEvents(server.ctx);
      expect(await mails(who)).toEqual([]);
      server.clock.advance(MINUTE_MS);
      await stage.review(await accountOf(who), false);
      await applyWaitingEvents(server.ctx);
      server.clock.advance(MINUTE_MS);
      await read(who);
    }
    const [mail, ...more] = await mails(seller);
    expect([mail?.subject, more, await mails(silent)]).toEqual([
      'Your payout account needs your attention',
      [],
      [],
    ]);
    expect(mail?.text).toContain('Upload a document that proves who you are.');
    expect(mail?.text).toContain(`${server.ctx.config.publicUrl}/earnings`);
  });

  // Proves PYEE-03
  it('are shown from our copy while the provider is away, and an earlier answer never replaces a later one', async () => {
    const seller = await server.signIn('seller');
    await begin(seller);
    const accountId = await accountOf(seller);
    await stage.review(accountId, true);
    await applyWaitingEvents(server.ctx);
    server.clock.advance(2 * MINUTE_MS);
    const away = await withProvider(
      server.ctx,
      () => ({ getPayee: outOfReach }),
      () => read(seller),
    );
    expect(away.state).toBe('ready');

    const late = await withProvider(
      server.ctx,
      (real) => ({
        getPayee: async (id) => {
          const earlier = await real.getPayee(id);
          server.clock.advance(1000);
          await stage.review(accountId, false);
          await withProvider(
            server.ctx,
            () => real,
            () => applyWaitingEvents(server.ctx),
          );
          return earlier;
        },
      }),
      () => read(seller),
    );
    expect(late.state).toBe('restricted');
  });

  // Proves PYEE-05
  it('belong to one book: after a change of provider, people set up their payouts again', async () => {
    const seller = await server.signIn('seller');
    const book = 'stripe-live' as const;
    const elsewhere = {
      userId: seller.user.id,
      book,
      accountId: 'acct_live',
      country: 'FR',
      state: 'ready' as const,
    };
    await server.ctx.db.insertInto('payeeAccounts').values(elsewhere).execute();
    expect(await read(seller)).toMatchObject({ state: 'none', accountId: null, country: null });
    expect((await begin(seller, 'DE')).status).toBe(200);
    expect((await accountsOf(seller)).map((row) => row.book).toSorted()).toEqual(
      [server.ctx.payments.book, book].toSorted(),
    );
  });

  it('are closed when their user was deleted meanwhile, as soon as no money is on its way', async () => {
    const seller = await server.signIn('seller');
    const gone = await withProvider(
      server.ctx,
      (real) => ({
        createPayee: async (...given) => {
          const payee = await real.createPayee(...given);
          expect((await seller.delete('/api/user/account')).status).toBe(200);
          return payee;
        },
      }),
      () => begin(seller),
    );
    expect(gone.status).toBe(401);
    expect(await accountsOf(seller)).toEqual([]);
    const jobs = async () => {
      const { rows } = await server.app.pool.query<{ payload: { accountId: string; book: 'sandbox' } }>(
        `select jobs.payload from graphile_worker._private_jobs jobs
           join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
           where tasks.identifier = 'close-payee'`,
      );
      return rows.map(({ payload }) => payload);
    };
    const [job] = await jobs();
    if (!job) throw new Error('No job closes the account');
    await withProvider(
      server.ctx,
      () => ({ closePayee: () => Promise.resolve('balance_not_zero' as const) }),
      () => closePayee(server.ctx, job),
    );
    // The job queues its successor, here outside of the request.
    const { accountId, book } = job;
    expect(await jobs()).toEqual([job, { accountId, book }]);
    await closePayee(server.ctx, job);
    expect(await jobs()).toHaveLength(2);
  });
});

describe('an account that its owner has withdrawn', () => {
  const stage = useStripe();
  const { stripe } = stage;
  beforeAll(() => receiveEvents(stage));

  const lostMails = async (who: Client) =>
    (await mailTo(stage.server.ctx, who.user.email))
      .filter(({ kind }) => kind === 'payout-account')
      .map(({ text }) => text);

  // Proves PYEE-03
  it('is removed by the event, or when the provider is asked, and another can be set up in another country', async () => {
    const { server } = stage;
    const seller = await server.signIn('seller');
    const state = async () => (await readPayee(server.ctx, seller.user.id)).state;
    const account = async () => String((await readPayee(server.ctx, seller.user.id)).accountId);
    await begin(seller, 'DE');
    stripe.withdrawPayee(await account());
    await stripe.delivered();
    const events = await server.ctx.db.selectFrom('providerEvents').select('id').execute();
    for (const { id } of events) await applyProviderEvent(server.ctx, id);
    expect(await state()).toBe('none');
    // The account was never ready, so we do not mail its publisher.
    expect(await lostMails(seller)).toEqual([]);

    expect((await begin(seller, 'FR')).status).toBe(200);
    stripe.webhooks.isLost = true;
    stripe.withdrawPayee(await account());
    expect((await begin(seller, 'FR')).status).toBe(200);
    stripe.withdrawPayee(await account());
    server.clock.advance(MINUTE_MS);
    expect(await state()).toBe('none');

    expect((await begin(seller, 'FR')).status).toBe(200);
    stripe.finishOnboarding(await account());
    server.clock.advance(MINUTE_MS);
    expect(await state()).toBe('ready');
    stripe.withdrawPayee(await account());
    server.clock.advance(MINUTE_MS);
    expect(await state()).toBe('none');
    expect(await lostMails(seller)).toEqual([expect.stringContaining('Set up your payouts again.')]);
  });

  // Proves PYEE-03
  it('a notification of the v2 API brings the state up to date', async () => {
    const { server } = stage;
    const seller = await server.signIn('seller');
    await begin(seller, 'DE');
    const { accountId: id } = await readPayee(server.ctx, seller.user.id);
    stripe.finishOnboarding(String(id));
    const body = JSON.stringify({
      id: 'evt_thin',
      object: 'v2.core.event',
      type: 'v2.core.account[configuration.recipient].capability_status_updated',
      created: new Date().toISOString(),
      livemode: false,
      related_object: { id, type: 'v2.core.account', url: `/v2/core/accounts/${id}` },
    });
    const signature = stripe.sign(body, stripe.env['STRIPE_CONNECT_WEBHOOK_SECRET']);
    const sent = await server.anyone().post('/api/webhooks/stripe-connect', body, {
      'content-type': 'application/json',
      'stripe-signature': signature,
    });
    expect(sent.status).toBe(200);
    await applyProviderEvent(server.ctx, 'evt_thin');
    expect((await readPayee(server.ctx, seller.user.id)).state).toBe('ready');
  });
});
