import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { adRow, SITE } from '#server/testing/delivery/delivery.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import {
  confirmOperator,
  makeOperator,
  sendAct,
  sendForm,
  type TestOperator,
} from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';

const OPERATOR = 'hello@ads.example';
const PAGE = { origin: SITE, 'user-agent': 'Mozilla/5.0 (X11) Chrome/150.0 Safari/537.36' };

const server = useOwnServer({ env: { MAIL_FROM: `Openslot <${OPERATOR}>` } });
let seller: Client;
let buyer: Client;
let operator: TestOperator;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { firstName: 'Ada', lastName: 'Lane' });
  operator = await makeOperator(server);
  await confirmOperator(server, operator);
});

const reportAd = async (publicId: string, details = '<i>Fakes</i>') =>
  await sendForm(server.anyone(), `/report-ad/${publicId}`, {
    id: randomUUID(),
    reason: 'misleading',
    details,
  });

/** A running ad with one counted view and one report, and the path in the operator's mail. */
async function reported() {
  const story = await makeLiveAd(seller, buyer, {
    product: { adType: 'image', pricingModel: 'per_click', clicks: 10, duration: undefined },
    ad: { title: 'Cheap watches', imageUrl: await upload(buyer) },
  });
  await server.app.refreshDelivery();
  const [shown] = await decide(story.zone.publicId);
  if (!shown) throw new Error('Nothing is shown');
  server.clock.advance(3000);
  await server.anyone().send('POST', shown.view, undefined, PAGE);
  await reportAd(story.ad.publicId);
  const text = (await mailTo(server.ctx, OPERATOR)).at(-1)?.text ?? '';
  return { ...story, path: /\/operator\/ads\/\d+$/m.exec(text)?.[0] ?? '', shown };
}

async function decide(zone: string): Promise<{ kind: string; view: string; click: string }[]> {
  return (await server.anyone().get(`/api/serve/ads?z=${zone}`, PAGE)).body.ads;
}

const takeDown = async (path: string, reason: string, headers = {}, client = operator.client) =>
  await sendAct(client, `${path}/take-down`, { reason }, headers);

// Proves DEL-64
it('the mailed link leads to the sign-in, and shows an operator the ad, both sides and the reports', async () => {
  const { path, ad } = await reported();
  expect(path).toBe(`/operator/ads/${ad.id}`);
  const visitor = await server.anyone().get(path);
  expect([visitor.status, visitor.headers.get('location')]).toEqual([
    303,
    `/auth?return=${encodeURIComponent(path)}`,
  ]);
  // The link alone does nothing.
  expect((await takeDown(path, 'No', {}, server.anyone())).status).toBe(401);
  expect((await adRow(server.ctx, ad.id)).status).toBe('active');

  const page = await operator.client.get(path);
  expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'same-origin']);
  const queue = await operator.client.get('/api/operator/reports');
  expect(queue.headers.get('cache-control')).toBe('no-store');
  expect(queue.body).toMatchObject([
    {
      adId: ad.id,
      title: 'Cheap watches',
      targetUrl: ad.targetUrl,
      picture: { kind: 'image', src: expect.stringMatching(/^\/ad-images\//) },
      reports: 1,
      reasons: ['misleading'],
      acts: [{ path: `/api${path}/dismiss-reports` }, { path: `/api${path}/take-down`, isHarmful: true }],
    },
  ]);
  const { status, body, headers } = await operator.client.get(`/api${path}`);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(body).toMatchObject({
    status: 'active',
    owner: { email: buyer.user.email },
    creatives: [{ title: 'Cheap watches', targetUrl: ad.targetUrl }],
    openReports: 1,
  });
  expect(body.timeline).toContainEqual(
    expect.objectContaining({ text: 'Reported: It is misleading or a scam', detail: '<i>Fakes</i>' }),
  );
});

// Proves DEL-64
it('an ad that is taken down disappears from pages, clicks and the archive, and both sides learn the reason', async () => {
  const { path, ad, zone, shown } = await reported();
  expect((await server.anyone().get(`/ad-archive/${ad.publicId}`)).text).toContain('src="/m/');
  expect((await takeDown(path, ' ')).status).toBe(400);
  const reason = 'These watches are <b>counterfeits</b>.';
  const done = await takeDown(path, reason);
  expect([done.status, done.body]).toEqual([
    200,
    { said: 'The ad is taken down. The advertiser gets the reason and the refund by e-mail.', next: null },
  ]);
  // The operator presses the button a second time.
  expect((await takeDown(path, 'Again')).status).toBe(409);

  await server.app.refreshDelivery();
  expect(await decide(zone.publicId)).toMatchObject([{ kind: 'house' }]);
  // A click on an ad that is still on a screen leads to the home page.
  const click = await server.anyone().get(shown.click, { 'user-agent': PAGE['user-agent'] });
  expect([click.status, click.headers.get('location')]).toEqual([302, `${server.url}/`]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalClicks: 0 });

  const escaped = 'These watches are &lt;b&gt;counterfeits&lt;/b&gt;.';
  const archived = (await server.anyone().get(`/ad-archive/${ad.publicId}`)).text;
  expect(archived).toContain('An ad that was taken down');
  expect(archived).toContain(escaped);
  expect(archived).toContain('Ada Lane');
  expect(archived).not.toMatch(/Cheap watches|\/m\/|coffee\.example/);
  expect((await server.anyone().get('/ad-archive?q=cheap+watches')).text).not.toContain(ad.publicId);
  const listed = (await server.anyone().get('/ad-archive?q=counterfeits')).text;
  expect([listed.includes(ad.publicId), listed.includes('/m/')]).toEqual([true, false]);
  expect((await server.anyone().get(`/api/serve/why/${ad.publicId}`)).text).toContain(escaped);
  expect((await operator.client.get(`/api${path}`)).body).toMatchObject({ takenDown: reason, creatives: [] });

  const mails = await Promise.all(
    [buyer, seller].map(async (side) =>
      (await mailTo(server.ctx, side.user.email)).filter(({ kind }) => kind === 'ad-taken-down'),
    ),
  );
  expect(mails.map((each) => each.map(({ text }) => text.includes(reason)))).toEqual([[true], [true]]);
  // Only the advertiser, against whom the decision is, can answer it.
  expect(mails.map(([mail]) => /\/decision\/[\w-]+\?key=/.test(mail?.text ?? ''))).toEqual([true, false]);
  expect((await buyer.get(`/api/ads/${ad.publicId}`)).body).toMatchObject({
    status: 'completed',
    takenDownReason: reason,
  });
  expect((await buyer.get(`/api/ads/${ad.id}/showing`)).body).toMatchObject({ rule: 'taken_down' });
});

// Proves DEL-64
it('an ad that has ended cannot be taken down, and another site cannot do it', async () => {
  const { path, ad } = await reported();
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await takeDown(path, 'No', foreign)).status).toBe(403);
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
  const before = await server.ctx.db.selectFrom('operatorActs').select('id').execute();
  const late = await takeDown(path, 'Too late');
  expect([late.status, late.text.includes('This ad is not running.')]).toEqual([409, true]);
  // The refused act left nothing behind.
  expect(await server.ctx.db.selectFrom('operatorActs').select('id').execute()).toEqual(before);
});

it('reports wait in a queue until the operator decides or dismisses them, the oldest first, and a new one opens the case again', async () => {
  await server.ctx.db.updateTable('adReports').set({ closedAt: server.clock.now() }).execute();
  const one = await reported();
  server.clock.advance(60_000);
  const two = await reported();
  const queue = async () =>
    ((await operator.client.get('/api/operator/reports')).body as { adId: number }[]).map(({ adId }) => adId);
  expect(await queue()).toEqual([one.ad.id, two.ad.id]);
  const today = (await operator.client.get('/api/operator/today')).body;
  expect(today.queues).toContainEqual({ name: 'Reported ads', path: '/operator/reports', count: 2 });
  // With its picture and its acts, so that the queue is worked on the first page.
  expect(today.waiting).toMatchObject([
    {
      key: `report ${one.ad.id}`,
      kind: 'Reported ad',
      title: 'Cheap watches',
      text: '1 report: It is misleading or a scam',
      path: `/operator/ads/${one.ad.id}`,
      picture: { kind: 'image' },
      acts: [{ button: 'Dismiss the reports' }, { button: 'Take down the ad' }],
    },
    { key: `report ${two.ad.id}` },
  ]);

  const dismiss = async (path: string) =>
    await sendAct(operator.client, `${path}/dismiss-reports`, { reason: 'The watches are real' });
  expect((await dismiss(one.path)).status).toBe(200);
  expect(await queue()).toEqual([two.ad.id]);
  expect((await adRow(server.ctx, one.ad.id)).status).toBe('active');
  const again = await dismiss(one.path);
  expect([again.status, again.text.includes('no open reports')]).toEqual([409, true]);
  // A new report opens the case again.
  await reportAd(one.ad.publicId, 'Still fakes');
  expect(await queue()).toEqual([two.ad.id, one.ad.id]);
  expect((await takeDown(two.path, 'Counterfeits')).status).toBe(200);
  expect(await queue()).toEqual([one.ad.id]);
});
