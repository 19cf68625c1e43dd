import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Availability } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { Subject } from '#domain/operator/acts.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import type { Client } from '#server/testing/client.ts';
import { SITE } from '#server/testing/delivery/delivery.ts';
import { countWaiting } from '#server/testing/database/locks.ts';
import { linkTokenFor, mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { balanceOf, makePayable } from '#server/testing/money/payout-market.ts';
import { waitDays } from '#server/testing/money/payouts.ts';
import { signInAgain } from '#server/testing/operator.ts';
import { approve, makeAd, makeLiveAd } from '#server/testing/story.ts';
import { addOperator } from '../requests/requests.ts';
import { restore, suspend } from './suspend.ts';

const PAGE = { origin: SITE, 'user-agent': 'Mozilla/5.0 (X11) Chrome/150.0 Safari/537.36' };
const CLI = { id: null };
const REASON = 'It sells <b>counterfeits</b>';

const server = useOwnServer();

async function story(product: Record<string, unknown> = { duration: 10 }) {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  return { seller, buyer, ...(await makeLiveAd(seller, buyer, { product })) };
}
type Story = Awaited<ReturnType<typeof story>>;

const shown = async (zone: string): Promise<string[]> => {
  await server.app.refreshDelivery();
  const { body } = await server.anyone().get(`/api/serve/ads?z=${zone}`, PAGE);
  return (body.ads as { kind: string }[]).map(({ kind }) => kind);
};
const endOf = async (adId: number) =>
  (await server.ctx.db.selectFrom('ads').select('endDate').where('id', '=', adId).executeTakeFirstOrThrow())
    .endDate as Date;

/** The subject of each suspension, and the kinds of ad that the zone shows meanwhile and after the restoration. */
const TARGETS: [
  what: string,
  subject: Subject,
  idOf: (of: Story) => number,
  meanwhile: string[],
  after: string[],
][] = [
  ['the ad', 'ad', ({ ad }) => ad.id, ['house'], ['text']],
  ['the advertiser', 'person', ({ buyer }) => buyer.user.id, ['house'], ['text']],
  ['the ad zone', 'zone', ({ zone }) => zone.id, ['none'], ['text']],
  ['the website', 'website', ({ website }) => website.id, ['none'], ['text']],
  // Their campaigns have ended and were refunded.
  ['the publisher', 'person', ({ seller }) => seller.user.id, ['none'], ['house']],
];

describe('a suspension', () => {
  it.each(TARGETS)(
    'of %s ends its delivery, and a restoration brings the zone back',
    async (_what, subject, idOf, meanwhile, after) => {
      const told = await story();
      const target = { subject, id: idOf(told), reason: REASON };
      expect(await shown(told.zone.publicId)).toEqual(['text']);
      await suspend(server.ctx, CLI, target);
      expect(await shown(told.zone.publicId)).toEqual(meanwhile);
      await expect(suspend(server.ctx, CLI, target)).rejects.toMatchObject({ status: 409 });
      await restore(server.ctx, CLI, target);
      expect(await shown(told.zone.publicId)).toEqual(after);
      await expect(restore(server.ctx, CLI, target)).rejects.toMatchObject({ status: 409 });
      await expect(restore(server.ctx, CLI, { ...target, id: 2_000_000_000 })).rejects.toMatchObject({
        status: 404,
      });
    },
  );

  it.each(TARGETS)(
    'of %s is announced to every instance, and so is its end',
    async (_what, subject, idOf) => {
      // No page has requested this zone, so nothing else announces a change of it.
      const told = await story();
      const target = { subject, id: idOf(told), reason: REASON };
      const announced = async () => {
        const rows = await server.ctx.db.deleteFrom('deliveryChanges').returning('zoneId').execute();
        return rows.some(({ zoneId }) => zoneId === told.zone.id);
      };
      await announced();
      await suspend(server.ctx, CLI, target);
      expect(await announced()).toBe(true);
      // A restoration also moves the end of the ad, which is announced anyway.
      await restore(server.ctx, CLI, target);
      expect(await announced()).toBe(true);
    },
  );

  it('reaches the ad server without a refresh, because the database announces it', async () => {
    const { zone, ad } = await story();
    expect(await shown(zone.publicId)).toEqual(['text']);
    const kinds = async () =>
      (
        (await server.anyone().get(`/api/serve/ads?z=${zone.publicId}`, PAGE)).body.ads as { kind: string }[]
      ).map(({ kind }) => kind);
    await suspend(server.ctx, CLI, { subject: 'ad', id: ad.id, reason: REASON });
    await expect.poll(kinds).toEqual(['house']);
  });

  it.each(TARGETS.slice(2))('of %s takes it off the market', async (_what, subject, idOf) => {
    const told = await story();
    const { buyer, seller, website, zone, product } = told;
    const approved = await approve(seller, await makeAd(buyer, product));
    const claim = { amount: approved.totalAmount, adPublicId: approved.publicId };
    const offered = async () => {
      const list = (await buyer.get(`/api/websites/${website.publicId}/ad-zones`)).body as unknown[];
      return {
        zones: Array.isArray(list) ? list.length : 0,
        products: (await buyer.get(`/api/ad-zones/${zone.publicId}/products`)).status,
        forecast: (await buyer.get(`/api/ad-zones/${zone.publicId}/availability?product=${product.id}`))
          .status,
      };
    };
    const submitted = async () =>
      (
        await buyer.post('/api/ads', {
          adZoneId: zone.id,
          productId: product.id,
          adType: 'text',
          title: 'T',
          description: 'D',
          targetUrl: 'https://a.test',
        })
      ).status;
    expect(await offered()).toEqual({ zones: 1, products: 200, forecast: 200 });
    await suspend(server.ctx, CLI, { subject, id: idOf(told), reason: REASON });
    expect(await offered()).toEqual({ zones: 0, products: 404, forecast: 404 });
    expect(await submitted()).toBe(400);
    const paid = await buyer.post('/api/create-payment-intent', claim);
    expect([paid.status, paid.body.message]).toEqual([409, expect.stringContaining('suspended')]);
    const listed = (await buyer.get('/api/websites?limit=100')).body as {
      id: number;
      lowestPrice: string | null;
    }[];
    const card = listed.find(({ id }) => id === website.id);
    // A website whose only zone is suspended stays in the list, without anything to buy.
    expect(card?.lowestPrice ?? null).toBe(null);
    expect(card === undefined).toBe(subject !== 'zone');
    await restore(server.ctx, CLI, { subject, id: idOf(told), reason: 'Resolved' });
    expect(await offered()).toEqual({ zones: 1, products: 200, forecast: 200 });
    expect((await buyer.post('/api/create-payment-intent', claim)).status).toBe(200);
  });

  it.each(TARGETS.slice(0, 2))(
    'of %s leaves it out of the ads that share the zone',
    async (_what, subject, idOf) => {
      const told = await story();
      const { website, zone, product } = told;
      const reader = await server.signIn('buyer');
      const sharing = async () => {
        const zones = (await reader.get(`/api/websites/${website.publicId}/ad-zones`)).body as AdZone[];
        const { body } = await reader.get(
          `/api/ad-zones/${zone.publicId}/availability?product=${product.id}`,
        );
        return { liveAds: zones[0]?.liveAds, sharedWith: (body as Availability).sharedWith };
      };
      expect(await sharing()).toEqual({ liveAds: 1, sharedWith: 1 });
      await suspend(server.ctx, CLI, { subject, id: idOf(told), reason: REASON });
      expect(await sharing()).toEqual({ liveAds: 0, sharedWith: 0 });
      await restore(server.ctx, CLI, { subject, id: idOf(told), reason: 'Resolved' });
      expect(await sharing()).toEqual({ liveAds: 1, sharedWith: 1 });
    },
  );

  it('shows the owner the reason, by mail and on the website, ad zone or ad', async () => {
    const { seller, buyer, website, zone, ad } = await story();
    await suspend(server.ctx, CLI, { subject: 'website', id: website.id, reason: REASON });
    await suspend(server.ctx, CLI, { subject: 'zone', id: zone.id, reason: REASON });
    await suspend(server.ctx, CLI, { subject: 'ad', id: ad.id, reason: REASON });
    const own = (await seller.get('/api/websites/my')).body as {
      id: number;
      suspendedReason: string | null;
    }[];
    expect(own.find(({ id }) => id === website.id)?.suspendedReason).toBe(REASON);
    const zones = (await seller.get(`/api/websites/${website.id}/ad-zones`)).body as {
      suspendedReason: string;
    }[];
    expect(zones.map(({ suspendedReason }) => suspendedReason)).toEqual([REASON]);
    expect((await buyer.get(`/api/ads/${ad.publicId}`)).body).toMatchObject({
      suspendedReason: REASON,
      isSuspended: true,
    });
    // The ad server reads a suspension a moment after it.
    await expect.poll(async () => (await buyer.get(`/api/ads/${ad.id}/showing`)).body.rule).toBe('suspended');
    expect((await seller.get(`/api/ad-zones/${zone.id}/showing`)).body.rule).toBe('suspended');
    const decisions = async (client: Client) =>
      (await mailTo(server.ctx, client.user.email)).filter(({ kind }) => kind === 'operator-decision');
    expect((await decisions(seller)).map(({ subject }) => subject)).toEqual([
      'Your website was suspended',
      'Your ad zone was suspended',
    ]);
    const [mail] = await decisions(buyer);
    expect(mail?.text).toContain(`Reason: ${REASON}`);
    expect(mail?.text).toMatch(/\/decision\/[\w-]+\?key=[\w-]{22}/);
  });
});

describe('a suspended person', () => {
  // Proves OPER-06
  it('is signed out, and after a sign-in with password or link can only read, with the reason', async () => {
    const person = await server.signIn('both');
    const { email, id } = person.user;
    await server.anyone().post('/api/auth/forgot-password', { email });
    const token = await linkTokenFor(server.ctx, email, 'reset');
    await suspend(server.ctx, CLI, { subject: 'person', id, reason: REASON });
    expect((await person.get('/api/auth/user')).status).toBe(401);
    const site = { name: 'W', url: 'https://w.test', category: 'Food' };
    expect((await person.post('/api/websites', site)).status).toBe(401);

    const byPassword = server.anyone();
    const signedIn = await byPassword.post('/api/auth/login', { email, password: PASSWORD });
    expect([signedIn.status, signedIn.body.user.suspendedReason]).toEqual([200, REASON]);
    // Only the person may read the reason.
    const wrong = await server.anyone().post('/api/auth/login', { email, password: 'not my password' });
    expect([wrong.status, wrong.text.includes(REASON)]).toEqual([401, false]);
    const byLink = server.anyone();
    const newPassword = `${PASSWORD} 2`;
    const { code } = (await byLink.post('/api/auth/reset-link', { token })).body as { code: string };
    const reset = await byLink.post('/api/auth/reset-password', { email, code, token, newPassword });
    expect(reset.status).toBe(200);
    await byLink.post('/api/auth/login', { email, password: newPassword });
    const refused = await byLink.post('/api/websites', site);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining(REASON)]);

    await restore(server.ctx, CLI, { subject: 'person', id, reason: 'Resolved' });
    expect((await byLink.post('/api/websites', site)).status).toBe(201);
    expect((await byLink.get('/api/auth/user')).body.suspendedReason).toBeNull();
  });

  // Proves OPER-06
  it('reads documents, statements and the balance, and is refused by every other call of a user', async () => {
    const { buyer, seller, zone } = await story();
    const { paths } = (await server.anyone().get('/api/openapi.json')).body as {
      paths: Record<string, Record<string, { 'x-access': string }>>;
    };
    const month = server.ctx.now().toISOString().slice(0, 7);
    for (const person of [buyer, seller]) {
      const side = person === buyer ? 'buyer' : 'publisher';
      await suspend(server.ctx, CLI, { subject: 'person', id: person.user.id, reason: REASON });
      await person.post('/api/auth/login', { email: person.user.email, password: PASSWORD });
      const documents = await person.get(`/api/documents?side=${side}`);
      const [receipt] = documents.body as { number: string }[];
      const open = [
        '/api/auth/user',
        '/api/payouts',
        `/api/documents?side=${side}`,
        `/api/statements/${month}?side=${side}`,
        `/api/statements/${month}.csv?side=${side}`,
        ...(receipt ? ['', '.pdf', '/proof'].map((end) => `/api/documents/${receipt.number}${end}`) : []),
      ];
      expect(open).toHaveLength(person === buyer ? 8 : 5);
      for (const path of open) expect([path, (await person.get(path)).status]).toEqual([path, 200]);

      const OPEN = new Set([
        'get /api/auth/user',
        'get /api/payouts',
        'get /api/documents',
        'get /api/documents/{number}',
        'get /api/documents/{number}.pdf',
        'get /api/documents/{number}.xml',
        'get /api/documents/{number}/proof',
        'get /api/statements/{month}',
        'get /api/statements/{month}.csv',
        // A person who acts for another account goes back to their own.
        'get /api/accounts',
        'post /api/account/switch',
        // An operator ends their look at a suspended account.
        'post /api/account/end-view',
      ]);
      const calls = Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { 'x-access': access }]) =>
          ['user', 'buyer', 'seller'].includes(access) ? [`${method} ${path}`] : [],
        ),
      );
      const refused = [];
      for (const call of calls.filter((each) => !OPEN.has(each))) {
        const [method = '', path = ''] = call.split(' ');
        const body = method === 'get' || method === 'delete' ? undefined : {};
        const answer = await person.send(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1'), body);
        refused.push([call, answer.status, answer.text.includes('Your account is suspended')]);
      }
      expect(refused.length).toBeGreaterThan(80);
      expect(refused.filter(([, status, said]) => status !== 403 || said !== true)).toEqual([]);
      // A public call answers as for a visitor, who does not see the ad zone of a suspended publisher.
      if (person === seller)
        expect((await person.get(`/api/ad-zones/${zone.publicId}/calendar`)).status).toBe(404);
      expect((await person.post('/api/auth/logout', {})).status).toBe(200);
      expect((await person.get('/api/payouts')).status).toBe(401);
    }
  });

  // Proves OPER-06
  it('reads in the mail what happens to the money, and is paid out after the restoration only', async () => {
    const buyer = await server.signIn('buyer');
    const { seller } = await makePayable(server, buyer);
    const target = { subject: 'person', id: seller.user.id, reason: REASON } as const;
    await suspend(server.ctx, CLI, target);
    const mail = (await mailTo(server.ctx, seller.user.email)).findLast(
      ({ kind }) => kind === 'operator-decision',
    );
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
      'What you have earned stays in your balance. It is not paid out while your account is suspended.',
    );
    await waitDays(server, 7);
    await runPayouts(server.ctx);
    await signInAgain(seller);
    expect(await balanceOf(seller)).toMatchObject({ available: '170.00', paidOut: '0.00', history: [] });
    await restore(server.ctx, CLI, target);
    await waitDays(server, 7);
    await runPayouts(server.ctx);
    expect(await balanceOf(seller)).toMatchObject({ available: '0.00', paidOut: '170.00' });
  });

  // Proves OPER-06
  it('cannot be an operator, and an operator cannot be suspended', async () => {
    const person = await server.signIn('both');
    const { email, id } = person.user;
    const target = { subject: 'person', id, reason: REASON } as const;
    await suspend(server.ctx, CLI, target);
    await expect(addOperator(server.ctx, CLI, { email, role: 'owner', reason: 'x' })).rejects.toMatchObject({
      status: 409,
    });
    await restore(server.ctx, CLI, target);
    await addOperator(server.ctx, CLI, { email, role: 'owner', reason: 'x' });
    await expect(suspend(server.ctx, CLI, target)).rejects.toMatchObject({ status: 409 });
    const signedIn = await server.anyone().post('/api/auth/login', { email, password: PASSWORD });
    expect(signedIn.status).toBe(200);
  });
});

describe('a suspension that meets another transaction', () => {
  const whenWaiting = async () => await expect.poll(() => countWaiting(server.ctx.db)).toBe(1);

  it.each(['ad_zones', 'websites'] as const)(
    'in %s refuses an ad that was being submitted, because its row is read again',
    async (table) => {
      const { buyer, website, zone, product } = await story();
      const id = table === 'ad_zones' ? zone.id : website.id;
      const submitted = await server.ctx.db.transaction().execute(async (tx) => {
        await sql`update ${sql.table(table)} set suspended_at = now(), suspended_reason = 'x' where id = ${id}`.execute(
          tx,
        );
        const call = buyer.post('/api/ads', {
          adZoneId: zone.id,
          productId: product.id,
          adType: 'text',
          title: 'T',
          description: 'D',
          targetUrl: 'https://a.test',
        });
        await whenWaiting();
        return { call };
      });
      expect((await submitted.call).status).toBe(400);
    },
  );

  it('waits for the websites of the publisher before it ranks them, so that the two cannot deadlock', async () => {
    const { seller, website, ad } = await story();
    // Closing an account locks the websites and their ads, too, and writes the websites after that.
    const { suspended } = await server.ctx.db.transaction().execute(async (tx) => {
      await sql`select from websites where id = ${website.id} for no key update`.execute(tx);
      await sql`select from ads where id = ${ad.id} for no key update`.execute(tx);
      const call = suspend(server.ctx, CLI, { subject: 'person', id: seller.user.id, reason: REASON });
      await whenWaiting();
      await sql`update websites set description = 'About' where id = ${website.id}`.execute(tx);
      return { suspended: call };
    });
    expect((await suspended).suspendedAt).not.toBe(null);
  });
});

describe('the clock of per-day ads', () => {
  const start = async () => {
    const told = await story({ duration: 10 });
    return { ...told, end: await endOf(told.ad.id), began: new Date(told.ad.startDate as string) };
  };
  const at = (instant: Date) => ({ ...server.ctx, now: () => instant });
  const target = (subject: Subject, id: number) => ({ subject, id, reason: REASON });

  it.each(TARGETS.slice(0, 4))('stands still while %s is suspended', async (_what, subject, idOf) => {
    const told = await start();
    const from = later(told.began, HOUR_MS);
    const to = later(told.began, 29 * DAY_MS + HOUR_MS + 12_345);
    await suspend(at(from), CLI, target(subject, idOf(told)));
    // Long past its end, the ad neither completes nor gets silent days.
    const sweep = later(told.began, 20 * DAY_MS);
    await extendForSilentDays(at(sweep), sweep);
    await completeDueAds(at(sweep), sweep);
    expect(await endOf(told.ad.id)).toEqual(told.end);
    await restore(at(to), CLI, target(subject, idOf(told)));
    expect((await endOf(told.ad.id)).getTime() - told.end.getTime()).toBe(29 * DAY_MS + 12_345);
  });

  it('adds each moment once, however suspensions and pauses overlap', async () => {
    const who = (told: Story) => ({ id: told.seller.user.id, role: 'seller' as const });
    const pause = async (told: Story, isActive: boolean, instant: Date) =>
      await changeZone(at(instant), who(told), { params: { ref: { id: told.zone.id } }, body: { isActive } });
    // [what, hour] in the order of time; the union of the holds is hours 10 to 40.
    const orders: ['pause' | 'resume' | Subject | `-${Subject}`, number][][] = [
      [
        ['ad', 10],
        ['website', 20],
        ['-ad', 30],
        ['-website', 40],
      ],
      [
        ['website', 10],
        ['ad', 20],
        ['-ad', 30],
        ['-website', 40],
      ],
      [
        ['pause', 10],
        ['zone', 20],
        ['resume', 30],
        ['-zone', 40],
      ],
      [
        ['zone', 10],
        ['pause', 20],
        ['-zone', 30],
        ['resume', 40],
      ],
      [
        ['zone', 10],
        ['pause', 15],
        ['ad', 20],
        ['resume', 25],
        ['-zone', 30],
        ['-ad', 40],
      ],
    ];
    for (const order of orders) {
      const told = await start();
      const ids = {
        ad: told.ad.id,
        website: told.website.id,
        zone: told.zone.id,
        person: told.buyer.user.id,
      };
      for (const [what, hour] of order) {
        const instant = later(told.began, hour * HOUR_MS);
        if (what === 'pause' || what === 'resume') await pause(told, what === 'resume', instant);
        else if (what.startsWith('-')) {
          const subject = what.slice(1) as Subject;
          await restore(at(instant), CLI, target(subject, ids[subject]));
        } else await suspend(at(instant), CLI, target(what as Subject, ids[what as Subject]));
      }
      const moved = (await endOf(told.ad.id)).getTime() - told.end.getTime();
      expect([JSON.stringify(order), moved / HOUR_MS]).toEqual([JSON.stringify(order), 30]);
    }
  });
});

it('names the marketplace as the cause of a suspension, in mails, answers and the next steps', async () => {
  const of = await story();
  const waiting = await makeAd(of.buyer, of.product, { title: 'Waiting' });
  const reviews = async () => {
    const { steps } = (await of.seller.get('/api/waiting')).body as { steps: { kind: string; id: number }[] };
    return steps.filter(({ kind, id }) => kind === 'review' && id === waiting.id).length;
  };
  const lastMails = async () =>
    (
      await Promise.all(
        [of.seller, of.buyer].map(async ({ user }) => (await mailTo(server.ctx, user.email)).at(-1)?.text),
      )
    ).join('\n');
  const paused = async () =>
    ((await of.buyer.get(`/api/ads/${of.ad.publicId}`)).body as { paused: string | null }).paused;
  expect(await reviews()).toBe(1);

  await suspend(server.ctx, CLI, { subject: 'website', id: of.website.id, reason: REASON });
  expect(await paused()).toBe('suspended');
  expect(await reviews()).toBe(0);
  const [buyerMail] = (await mailTo(server.ctx, of.buyer.user.email)).slice(-1);
  expect(buyerMail?.text).toContain('The marketplace has suspended its website.');
  expect(await lastMails()).not.toContain('The publisher has paused');

  await restore(server.ctx, CLI, { subject: 'website', id: of.website.id, reason: REASON });
  expect((await mailTo(server.ctx, of.buyer.user.email)).at(-1)?.text).toContain(
    'The marketplace has ended the suspension',
  );
  await changeZone(
    server.ctx,
    { id: of.seller.user.id, role: 'seller' },
    {
      params: { ref: { id: of.zone.id } },
      body: { isActive: false },
    },
  );
  expect(await paused()).toBe('zone');
  expect((await mailTo(server.ctx, of.buyer.user.email)).at(-1)?.text).toContain('The publisher has paused');
});
