/** The search of the console, its case files and the audit trail. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FoundItem } from '#domain/operator/console/find-contract.ts';
import type { Client } from '#server/testing/client.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useOwnServer();
let operator: TestOperator;
let desk: Client;
beforeAll(async () => {
  operator = await makeOperator(server);
  desk = operator.client;
});

const queryOf = (query: Record<string, string>) => new URLSearchParams(query).toString();
const search = async (kind: string, q: string): Promise<string[]> =>
  ((await desk.get(`/api/operator/find/${kind}?${queryOf({ q })}`)).body as FoundItem[]).map(
    ({ path }) => path,
  );
/** The paths of the hits of each kind. */
async function everything(q: string): Promise<Record<string, string[]>> {
  const { status, body } = await desk.get(`/api/operator/find?${queryOf({ q })}`);
  expect(status).toBe(200);
  return Object.fromEntries(
    (body.groups as { kind: string; items: FoundItem[] }[]).map(({ kind, items }) => [
      kind,
      items.map(({ path }) => path),
    ]),
  );
}

describe('the search', () => {
  it('finds people, websites, ad zones and ads by words, number and id', async () => {
    const seller = await server.signIn('seller', { email: 'zelda@find.test', lastName: 'Quux' });
    const website = await makeWebsite(seller, { name: '100% <Slots>', url: 'https://quokka.example' });
    const zone = await makeZone(seller, website, { name: 'Quincunx' });
    const person = `/operator/people/${seller.user.id}`;
    expect(await search('person', 'ZELDA@find')).toEqual([person]);
    expect(await search('person', 'quux')).toEqual([person]);
    expect(await search('person', String(seller.user.id))).toContain(person);
    for (const q of ['0% <', 'quokka', website.publicId])
      expect(await search('website', q)).toEqual([`/operator/websites/${website.id}`]);
    for (const q of ['quincunx', zone.publicId])
      expect(await search('zone', q)).toEqual([`/operator/zones/${zone.id}`]);
    expect(await search('ad', '%')).toEqual([]);
    expect((await desk.get(`/api/operator/websites/${website.id}`)).body.name).toBe('100% <Slots>');
    // One field finds all of them.
    expect(await everything('quokka')).toEqual({ website: [`/operator/websites/${website.id}`] });
    expect((await everything('quincunx'))['zone']).toEqual([`/operator/zones/${zone.id}`]);
    expect(await everything('nothing has this name')).toEqual({});
  });

  it('finds a document, a payment by an id of the provider or of a refund, and an act', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { ad: { title: 'Quartz clocks' } });
    await confirmOperator(server, operator);
    const ref = randomUUID();
    const refund = await sendAct(desk, `/operator/ads/${ad.id}/refund`, {
      amount: '1,50',
      reason: 'Goodwill',
      ref,
    });
    expect(refund).toMatchObject({ status: 200, body: { said: `Refunding $1.50 for ad ${ad.id}.` } });
    const payment = await server.ctx.db
      .selectFrom('payments')
      .select(['intentId', 'chargeId'])
      .where('adId', '=', ad.id)
      .executeTakeFirstOrThrow();
    for (const id of [payment.intentId, payment.chargeId, ref])
      expect((await everything(id ?? ''))['payment']).toEqual([`/operator/ads/${ad.id}?tab=money`]);
    expect((await everything('Quartz'))['ad']).toEqual([`/operator/ads/${ad.id}`]);
    const { number } = await server.ctx.db
      .selectFrom('documents')
      .select('number')
      .where('userId', '=', buyer.user.id)
      .executeTakeFirstOrThrow();
    expect(await everything(number)).toEqual({ document: [`/operator/documents/${number}`] });

    const act = await server.ctx.db
      .selectFrom('operatorActs')
      .select(['id', 'publicId', 'reason'])
      .where('act', '=', 'refund')
      .where('subjectId', '=', ad.id)
      .executeTakeFirstOrThrow();
    // The trail says the amount.
    expect(act.reason).toBe('1.50 USD. Goodwill');
    for (const q of [String(act.id), act.publicId])
      expect((await everything(q))['act']).toEqual([`/operator/audit?from=${act.id}`]);
    const { body } = await desk.get(`/api/operator/audit?from=${act.id}&limit=1`);
    expect(body).toMatchObject([
      { id: act.id, reason: act.reason, by: desk.user.email, path: `/operator/ads/${ad.id}` },
    ]);
  });

  it('says where to look for the reference of an error', async () => {
    const { body } = await desk.get(`/api/operator/find?q=${randomUUID()}`);
    expect(body).toEqual({ groups: [], isReference: true });
  });

  it('lists one kind page by page', async () => {
    const seller = await server.signIn('seller');
    const made: number[] = [];
    for (let at = 0; at < 3; at += 1) made.unshift((await makeWebsite(seller, { name: `Quagga ${at}` })).id);
    const first = await desk.get('/api/operator/find/website?q=quagga&limit=2');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await desk.get(next);
    expect([...first.body, ...second.body].map(({ number }: FoundItem) => Number(number))).toEqual(made);
  });

  it('refuses what is too long with a sentence', async () => {
    for (const path of ['find', 'find/person'])
      for (const length of [101, 10_000])
        expect(await desk.get(`/api/operator/${path}?q=${'x'.repeat(length)}`)).toMatchObject({
          status: 400,
          body: { message: 'Search for at most 100 characters.' },
        });
    expect((await desk.get('/api/operator/find?q=%00')).status).toBe(400);
    expect((await desk.get('/api/operator/find/invoice?q=x')).status).toBe(404);
  });
});

describe('a case file', () => {
  it('says that a thing is suspended before its own state, and offers only what is possible', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad, website, zone } = await makeLiveAd(seller, buyer);
    await confirmOperator(server, operator);
    const verbs = async (path: string) =>
      ((await desk.get(`/api${path}`)).body.acts as { path: string }[]).map(
        (act) => act.path.split('/').at(-1) ?? '',
      );
    expect(await verbs(`/operator/ads/${ad.id}`)).toEqual(['refund', 'hold', 'take-down', 'suspend']);
    expect(await verbs(`/operator/people/${seller.user.id}`)).toEqual([
      'hold',
      'commission',
      'view-as',
      'end-sessions',
      'reset-second-factor',
      'suspend',
    ]);
    // The account of an operator can't be suspended.
    expect(await verbs(`/operator/people/${desk.user.id}`)).not.toContain('suspend');
    for (const path of [`/operator/websites/${website.id}`, `/operator/zones/${zone.id}`]) {
      expect(await verbs(path)).toEqual(['suspend']);
      expect((await sendAct(desk, `${path}/suspend`, { reason: 'Unclear owner' })).status).toBe(200);
      expect((await desk.get(`/api${path}`)).body).toMatchObject({
        suspension: { reason: 'Unclear owner' },
        status: 'active',
      });
      expect((await desk.get(`/api${path}`)).body.timeline[0]).toMatchObject({
        kind: 'act',
        by: desk.user.email,
        detail: 'Unclear owner',
      });
      expect(await verbs(path)).toEqual(['restore']);
    }
  });

  it('is 404 for what does not exist', async () => {
    for (const id of ['0', '-1', 'abc', '2000000000', '99999999999', '%00'])
      for (const kind of ['people', 'websites', 'zones', 'ads'])
        expect([kind, id, (await desk.get(`/api/operator/${kind}/${id}`)).status]).toEqual([kind, id, 404]);
  });
});

// Proves OPER-04
it('the audit trail names operators to operators, page by page', async () => {
  const person = await server.signIn('seller');
  const website = await makeWebsite(person);
  await confirmOperator(server, operator);
  for (const [verb, reason] of [
    ['suspend', 'Unclear owner'],
    ['restore', 'Owner is clear'],
  ] as const)
    await sendAct(desk, `/operator/websites/${website.id}/${verb}`, { reason });
  const first = await desk.get('/api/operator/audit?limit=1');
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect([...first.body, ...(await desk.get(next)).body]).toMatchObject([
    { text: `Restored the website “${website.name}”`, by: desk.user.email, byId: desk.user.id },
    {
      text: `Suspended the website “${website.name}”`,
      reason: 'Unclear owner',
      path: `/operator/websites/${website.id}`,
      answer: null,
    },
  ]);
  for (const cursor of ['x', '', 'LTE', Buffer.from('9'.repeat(15)).toString('base64url')])
    for (const path of ['find/person', 'audit'])
      expect((await desk.get(`/api/operator/${path}?cursor=${cursor}`)).status).toBeLessThan(500);
});
