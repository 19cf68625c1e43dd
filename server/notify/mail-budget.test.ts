import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { startRelay } from '#server/testing/mail/relay.ts';
import { approve, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { freeAt } from './mail-budget.ts';
import { postMessage } from './post-message.ts';
import { sendMessage } from './send-message.ts';

const relay = useStarted(async () => await startRelay(await freePort(), refusals));
/** Status codes with which the relay refuses the next mails. */
const refusals: number[] = [];
const log: string[] = [];
const server = useOwnServer(() => ({
  env: { SMTP_URL: relay.url, RATE_LIMIT_FACTOR: '1' },
  log: (line) => log.push(line),
}));

async function post(recipient: string, kind: string, subject: string): Promise<number> {
  const paragraphs = [`About ${subject}.`];
  const action = { label: 'Open it', url: `https://ads.example/${subject}` };
  await server.ctx.db.transaction().execute((tx) =>
    postMessage(server.ctx, tx, {
      recipient,
      kind,
      mail: { subject, heading: subject, paragraphs, action },
    }),
  );
  const { id } = await server.ctx.db
    .selectFrom('messages')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}
const send = (id: number) => sendMessage(server.ctx, id);
const row = (id: number) =>
  server.ctx.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const subjectsTo = (recipient: string) =>
  relay.taken.flatMap(({ to, raw }) => (to === recipient ? (/^Subject: (.*)$/m.exec(raw)?.[1] ?? '') : []));
/** When the queue will run the message's job again, from the newest job for it. */
const runAt = async (id: number) =>
  (
    await server.app.pool.query<{ run_at: Date }>(
      `select run_at from graphile_worker._private_jobs where (payload ->> 'messageId')::int = $1 order by id desc limit 1`,
      [id],
    )
  ).rows[0]?.run_at;

// Proves DOOR-09
it('sends an address three notices an hour, and later all others as one mail with every text and link', async () => {
  const to = 'flooded@example.test';
  const ids: number[] = [];
  for (let n = 1; n <= 8; n++) ids.push(await post(to, 'ad-reported', `report-${n}`));
  const first = server.clock.now();
  for (const id of ids) await send(id);
  expect(subjectsTo(to)).toEqual(['report-1', 'report-2', 'report-3']);
  const held = await row(ids[3]!);
  expect(held.sentAt).toBeNull();
  expect(held.heldUntil!.getTime()).toBeGreaterThanOrEqual(first.getTime() + HOUR_MS);
  expect(await runAt(ids[3]!)).toEqual(held.heldUntil);
  expect(log.filter((line) => line.includes('a mail is held back'))).toHaveLength(5);
  expect(log.join('\n')).not.toContain(to);

  server.clock.advance(HOUR_MS + MINUTE_MS);
  for (const id of ids.slice(3)) await send(id);
  expect(subjectsTo(to).slice(3)).toEqual(['5 updates from Openslot']);
  const text = relay.taken.at(-1)!.raw.replaceAll('=\r\n', '');
  for (let n = 4; n <= 8; n++) expect(text).toContain(`https://ads.example/report-${n}`);
  expect(text).not.toContain('https://ads.example/report-3');
  for (const id of ids)
    expect(await row(id)).toMatchObject({ sentAt: expect.any(Date) as Date, bodyText: '' });
});

// Proves DOOR-09
it('sums up the notices of one address, and none of another', async () => {
  const [one, other] = ['one@example.test', 'other@example.test'];
  const ids: number[] = [];
  for (let n = 1; n <= 5; n++) {
    ids.push(await post(one, 'ad-reported', `one-${n}`));
    ids.push(await post(other, 'ad-reported', `other-${n}`));
  }
  for (const id of ids) await send(id);
  server.clock.advance(HOUR_MS + MINUTE_MS);
  for (const id of ids) await send(id);
  for (const [to, stranger] of [
    [one, 'other-'],
    [other, 'one-'],
  ] as const) {
    expect(subjectsTo(to).slice(3)).toEqual(['2 updates from Openslot']);
    for (const { raw } of relay.taken.filter((mail) => mail.to === to))
      expect(raw.replaceAll('=\r\n', '')).not.toContain(stranger);
  }
});

// Proves DOOR-09
it('lets a code through where notices have to wait, and sends only the newest of the codes that had to wait', async () => {
  const to = 'codes@example.test';
  for (let n = 1; n <= 4; n++) await send(await post(to, 'ad-approved', `notice-${n}`));
  await send(await post(to, 'reset-code', 'code-1'));
  await send(await post(to, 'password-changed', 'changed'));
  expect(subjectsTo(to)).toEqual(['notice-1', 'notice-2', 'notice-3', 'code-1', 'changed']);
  const older = await post(to, 'reset-code', 'code-2');
  const newer = await post(to, 'reset-code', 'code-3');
  await send(older);
  await send(newer);
  expect(subjectsTo(to)).toHaveLength(5);
  server.clock.advance(HOUR_MS + MINUTE_MS);
  await send(older);
  await send(newer);
  expect(subjectsTo(to).slice(5)).toEqual(['code-3']);
  expect(await row(older)).toMatchObject({ mergedInto: newer, sentAt: null });
});

// Proves DOOR-09
it('sends an address twenty mails a day', async () => {
  const to = 'daily@example.test';
  const began = server.clock.now().getTime();
  for (let hour = 0; hour < 5; hour++) {
    for (let n = 0; n < 6; n++) await send(await post(to, 'password-changed', `mail-${hour}-${n}`));
    server.clock.advance(HOUR_MS + MINUTE_MS);
  }
  expect(subjectsTo(to)).toHaveLength(20);
  const last = await post(to, 'password-changed', 'last');
  await send(last);
  expect((await row(last)).heldUntil!.getTime()).toBeGreaterThanOrEqual(began + DAY_MS);
  server.clock.advance(DAY_MS);
  await send(last);
  expect(subjectsTo(to).at(-1)).toBe('last');
});

// Proves DOOR-09
it('keeps the limit when many jobs run at once, and the place of a mail that the relay refused', async () => {
  const to = 'parallel@example.test';
  const ids = await Promise.all(Array.from({ length: 10 }, (_, n) => post(to, 'ad-live', `p-${n}`)));
  const all = await server.ctx.db.selectFrom('messages').select('id').where('recipient', '=', to).execute();
  expect(ids).toHaveLength(10);
  await Promise.all(all.map(({ id }) => send(id)));
  expect(subjectsTo(to)).toHaveLength(3);

  server.clock.advance(HOUR_MS + MINUTE_MS);
  refusals.push(451);
  const waiting = await server.ctx.db
    .selectFrom('messages')
    .select('id')
    .where('recipient', '=', to)
    .where('sentAt', 'is', null)
    .orderBy('id')
    .execute();
  await expect(send(waiting[0]!.id)).rejects.toThrow('451');
  expect(subjectsTo(to)).toHaveLength(3);
  await send(waiting[0]!.id);
  expect(subjectsTo(to).slice(3)).toEqual(['7 updates from Openslot']);
  for (const { id } of waiting) await send(id);
  expect(subjectsTo(to)).toHaveLength(4);
});

// Proves DOOR-09
it('counts a mail against the hour and the day in which it was sent', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const ago = (...minutes: number[]) => minutes.map((each) => later(now, -each * MINUTE_MS));
  const most = { hour: 2, day: 3 };
  expect(freeAt([], most, 1, now)).toBeNull();
  expect(freeAt(ago(10), most, 1, now)).toBeNull();
  expect(freeAt(ago(10, 20), most, 1, now)).toEqual(later(now, 40 * MINUTE_MS));
  expect(freeAt(ago(10, 61), most, 1, now)).toBeNull();
  expect(freeAt(ago(70, 80, 90), most, 1, now)).toEqual(later(now, DAY_MS - 90 * MINUTE_MS));
  expect(freeAt(ago(10, 20), most, 10, now)).toBeNull();
});

// Proves DOOR-09
it('counts all spellings of a mailbox as one, and sends each mail to the address that it was written for', async () => {
  const spellings = ['b.ox+1', 'box+2', 'box', 'bo.x', 'box+3', 'b.o.x', 'box+4'];
  const ids: number[] = [];
  for (const local of spellings) ids.push(await post(`${local}@spelled.test`, 'verification-code', local));
  for (const id of ids) await send(id);
  const sent = relay.taken.flatMap(({ to }) => (to.endsWith('@spelled.test') ? [to] : []));
  expect(sent).toEqual(spellings.slice(0, 5).map((local) => `${local}@spelled.test`));
  expect((await row(ids[5]!)).heldUntil).not.toBeNull();
});

it('tells the ads of a plan that were answered in one minute in one mail, and each other ad in its own', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const placement = { adZoneId: product.adZoneId, productId: product.id, quantity: 1 };
  const made = await buyer.post('/api/plans', {
    requestId: crypto.randomUUID(),
    name: 'Two places',
    creative: {
      adType: 'text',
      title: 'Plan',
      description: 'Two at once',
      targetUrl: 'https://plan.example/',
    },
    placements: [placement, placement],
  });
  expect(made.status).toBe(201);
  const approvals = async () =>
    await server.ctx.db
      .selectFrom('messages')
      .select(['id', 'heldUntil', 'createdAt'])
      .where('recipient', '=', buyer.user.email)
      .where('kind', '=', 'ad-approved')
      .orderBy('id')
      .execute();
  for (const ad of made.body.ads) await approve(seller, ad);
  const held = await approvals();
  expect(held.map(({ heldUntil }) => heldUntil !== null)).toEqual([true, true]);
  expect(await runAt(held[0]!.id)).toEqual(held[0]!.heldUntil);
  const toBuyer = () =>
    subjectsTo(buyer.user.email).filter(
      (subject) => subject.includes('approved') || subject.includes('updates'),
    );
  for (const { id } of held) await send(id);
  expect(toBuyer()).toEqual(['2 updates from Openslot']);
});
