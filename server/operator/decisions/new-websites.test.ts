/** New websites that wait for the operator, with REVIEW_WEBSITES. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Website } from '#domain/inventory/contract.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { makeOperator, sendAct, sendForm, type TestOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useOwnServer();
let operator: TestOperator;
let seller: Client;
let reader: Client;
let before: Website;
beforeAll(async () => {
  operator = await makeOperator(server);
  [seller, reader] = [await server.signIn('seller'), await server.signIn('buyer')];
  before = await makeWebsite(seller, { url: 'https://before.example' });
  await set('on');
});

async function openslot(...words: string[]) {
  return await runOpenslot(words, {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
  });
}
async function set(value: 'on' | 'off') {
  const { code, err } = await openslot('settings', 'set', 'REVIEW_WEBSITES', value);
  expect([code, err]).toEqual([0, '']);
  await readSettings(server.ctx.db, server.ctx.config);
  expect(server.ctx.config.reviewsWebsites).toBe(value === 'on');
}

const queue = async () => (await operator.client.get('/api/operator/new-websites')).text;
const decide = async (act: 'show' | 'hide' | 'ask', { id }: Website, reason: string) =>
  await sendAct(operator.client, `/operator/new-websites/${id}/${act}`, { reason });
const own = async ({ publicId }: Website) => (await seller.get(`/api/websites/${publicId}`)).body as Website;
const isOffered = async ({ publicId }: Website) =>
  (await reader.get(`/api/websites/${publicId}`)).status === 200;
const lastMail = async () => (await mailTo(server.ctx, seller.user.email)).at(-1);
const acts = async ({ id }: Website) =>
  (
    await server.ctx.db
      .selectFrom('operatorActs')
      .select('act')
      .where('subject', '=', 'website')
      .where('subjectId', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ act }) => act);

let count = 0;
async function addWebsite(): Promise<Website> {
  count += 1;
  return await makeWebsite(seller, { name: `Site ${count}`, url: `https://new-${count}.example` });
}

describe('with REVIEW_WEBSITES', () => {
  it('a new website waits, and those from before stay offered', async () => {
    const website = await addWebsite();
    const zone = await makeZone(seller, website);
    await makeProduct(seller, zone);
    expect(website.review).toEqual({ state: 'waiting', text: null });
    expect([await isOffered(website), await isOffered(before)]).toEqual([false, true]);
    expect((await reader.get(`/api/ad-zones/${zone.publicId}/products`)).status).toBe(404);
    expect((await server.anyone().get('/sites/new-1.example')).status).toBe(404);
    expect((await mailToOperator(server.ctx, 'website-waiting')).at(-1)?.text).toContain('new-1.example');
    const today = (await operator.client.get('/api/operator/today')).body;
    expect(today.queues).toContainEqual({ name: 'New websites', path: '/operator/new-websites', count: 1 });
    expect(today.waiting).toMatchObject([
      {
        kind: 'New website',
        title: 'Site 1',
        acts: [{ button: 'Show' }, { button: 'Ask' }, { button: 'Hide' }],
      },
    ]);
    expect(await queue()).toContain('Site 1');
  });

  it('a new address waits again, and other corrections do not', async () => {
    const website = await addWebsite();
    await decide('show', website, 'Fine');
    const change = async (fields: object) =>
      (await seller.send('PATCH', `/api/websites/${website.publicId}`, fields)).body as Website;
    expect((await change({ name: 'Renamed' })).review).toBeNull();
    expect((await change({ url: 'https://elsewhere.example' })).review?.state).toBe('waiting');
    expect(await isOffered(website)).toBe(false);
  });

  it('the operator asks and shows; the publisher reads the question and the words by mail', async () => {
    const website = await addWebsite();
    expect((await decide('ask', website, 'Who writes it?')).status).toBe(200);
    expect((await own(website)).review).toEqual({ state: 'waiting', text: 'Who writes it?' });
    expect((await lastMail())?.text).toContain('Who writes it?');
    expect(await queue()).toContain('Who writes it?');
    expect((await decide('show', website, 'Welcome')).status).toBe(200);
    expect([(await own(website)).review, await isOffered(website)]).toEqual([null, true]);
    expect(await lastMail()).toMatchObject({ subject: 'Your website is in the marketplace' });
    expect(await acts(website)).toEqual(['ask-website', 'show-website']);
    expect(await queue()).not.toContain(`"id":${website.id},`);
    for (const act of ['show', 'hide', 'ask'] as const)
      expect((await decide(act, website, 'Again')).status).toBe(409);
  });

  it('a refusal is a decision that can be answered and reversed', async () => {
    const website = await addWebsite();
    expect((await decide('hide', website, 'Copied pages')).status).toBe(200);
    expect((await own(website)).review).toEqual({ state: 'hidden', text: 'Copied pages' });
    expect(await isOffered(website)).toBe(false);
    const mail = await lastMail();
    expect(mail?.text).toContain('Copied pages');
    const link = /(\/decision\/\S+)\?key=(\S+)/.exec(mail?.text ?? '');
    const answered = await sendForm(server.anyone(), link?.[0] ?? '', { body: 'They are mine' });
    expect(answered.status).toBe(303);
    const { id } = await server.ctx.db
      .selectFrom('operatorActs')
      .select('id')
      .where('act', '=', 'hide-website')
      .where('subjectId', '=', website.id)
      .executeTakeFirstOrThrow();
    const fields = { outcome: 'reversed', reason: 'You are right' };
    expect((await sendAct(operator.client, `/operator/appeals/${id}`, fields)).status).toBe(200);
    expect(await isOffered(website)).toBe(true);
  });

  it('a refused website can be shown on its page, and commands do the same', async () => {
    const website = await addWebsite();
    expect((await openslot('website', 'hide', website.publicId, '--reason', 'Empty')).code).toBe(0);
    const path = `/operator/websites/${website.id}`;
    const actsOf = async () => JSON.stringify((await operator.client.get(`/api${path}`)).body.acts);
    expect(await actsOf()).toContain('Show the website');
    expect((await sendAct(operator.client, `${path}/show`, { reason: 'Full now' })).status).toBe(200);
    expect(await isOffered(website)).toBe(true);
    expect(await actsOf()).not.toContain('Show the website');
    expect((await openslot('website', 'show', website.publicId, '--reason', 'Twice')).code).toBe(1);
  });

  it('of two decisions at once, one succeeds', async () => {
    const website = await addWebsite();
    const answers = await Promise.all([decide('hide', website, 'No'), decide('hide', website, 'No')]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });

  it('turned off, new websites do not wait, and those that wait stay in the queue', async () => {
    const waiting = await addWebsite();
    await set('off');
    const free = await addWebsite();
    expect([await isOffered(waiting), await isOffered(free)]).toEqual([false, true]);
    expect(await queue()).toContain(waiting.url);
    await decide('show', waiting, 'Fine');
    expect(await isOffered(waiting)).toBe(true);
  });
});
