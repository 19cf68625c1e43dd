import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { sendMessage } from '#server/notify/send-message.ts';
import type { Client } from '#server/testing/client.ts';
import { startRelay } from '#server/testing/mail/relay.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';

const relay = useStarted(async () => await startRelay(await freePort()));
const server = useOwnServer(() => ({ env: { SMTP_URL: relay.url } }));

async function makeLive(): Promise<{ seller: Client; buyer: Client; ad: Ad }> {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const ad = await makeAd(buyer, product);
  await approve(seller, ad);
  await pay(buyer, ad);
  return { seller, buyer, ad };
}

/** Sends what waits for a person, and returns the header fields of each mail by its subject, unfolded. */
async function received(email: string): Promise<Map<string, Map<string, string>>> {
  const waiting = await server.ctx.db
    .selectFrom('messages')
    .select('id')
    .where('recipient', '=', email)
    .where('sentAt', 'is', null)
    .orderBy('id')
    .execute();
  for (const { id } of waiting) await sendMessage(server.ctx, id);
  return new Map(
    relay.taken
      .filter(({ to }) => to === email)
      .map(({ raw }) => {
        const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
        const fields = new Map(head.split('\r\n').map((line) => line.split(/: (.*)/s) as [string, string]));
        return [fields.get('Subject') ?? '', fields];
      }),
  );
}

/** The path of a notice's unsubscription. */
async function pathOf(email: string, subject: RegExp): Promise<string> {
  const mails = await received(email);
  const fields = [...mails].find(([each]) => subject.test(each))?.[1];
  const url = /^<(.*)>$/.exec(fields?.get('List-Unsubscribe') ?? '')?.[1];
  if (url === undefined) throw new Error(`No header in ${[...mails.keys()].join(', ')}`);
  expect(url.startsWith(`${server.url}/unsubscribe?token=`)).toBe(true);
  return url.slice(server.url.length);
}

const settingsOf = async (client: Client) => (await client.get('/api/user/settings')).body;
const rowOf = async ({ user }: Client) =>
  await server.ctx.db.selectFrom('userSettings').selectAll().where('userId', '=', user.id).execute();

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const FORM = 'application/x-www-form-urlencoded';

describe('one-click unsubscription', () => {
  it('is offered by each notice that a setting turns off, and by no code', async () => {
    const { seller, buyer } = await makeLive();
    const mails = [...(await received(buyer.user.email)), ...(await received(seller.user.email))];
    expect(mails.length).toBeGreaterThanOrEqual(4);
    for (const [subject, fields] of mails) {
      expect([subject, fields.get('List-Unsubscribe-Post')]).toEqual([subject, ONE_CLICK]);
      expect(fields.get('List-Unsubscribe')).toMatch(/^<http:\/\/[^<> ]+>$/);
    }
    const email = 'new@example.test';
    await server
      .anyone()
      .post('/api/auth/register', { email, password: 'long enough', firstName: 'A', lastName: 'B' });
    await server.anyone().post('/api/auth/forgot-password', { email });
    const codes = await received(email);
    expect(codes.size).toBe(2);
    for (const [, fields] of codes)
      expect([...fields.keys()].join(' ').toLowerCase()).not.toContain('list-unsubscribe');
  });

  it('turns off the switch of the notice by a POST without a session, of any type, from any site', async () => {
    const { seller, buyer } = await makeLive();
    const path = await pathOf(buyer.user.email, /is live/i);
    const stranger = server.anyone();
    const page = await stranger.send('GET', path, undefined, { accept: 'text/html' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Turn off “Campaign updates”?');
    expect(await settingsOf(buyer)).toMatchObject({ campaignUpdates: true });

    const headers = { 'content-type': FORM, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
    expect((await stranger.send('POST', path, ONE_CLICK, headers)).status).toBe(200);
    expect(await settingsOf(buyer)).toMatchObject({
      emailNotifications: true,
      campaignUpdates: false,
      paymentAlerts: true,
    });

    // RFC 8058 recommends this type.
    const alerts = await pathOf(seller.user.email, /was paid for/);
    const boundary = 'x';
    const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`;
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    expect((await stranger.send('POST', alerts, multipart, type)).status).toBe(200);
    expect(await settingsOf(seller)).toMatchObject({ campaignUpdates: true, paymentAlerts: false });
    expect((await stranger.send('POST', alerts, multipart, type)).status).toBe(200);
  });

  it('writes nothing for a forged token, or for one of an address that the account no longer has', async () => {
    const { buyer } = await makeLive();
    const other = await server.signIn('buyer');
    await settingsOf(other);
    const path = await pathOf(buyer.user.email, /is live/i);
    const before = [await rowOf(buyer), await rowOf(other)];
    const post = async (address: string) =>
      (await server.anyone().send('POST', address, ONE_CLICK, { 'content-type': FORM })).status;
    const forged = [
      '/unsubscribe',
      '/unsubscribe?token=',
      '/unsubscribe?token=a&token=b',
      path.replace('campaignUpdates', 'emailNotifications'),
      path.replace('campaignUpdates', 'marketingEmails'),
      path.replace(`=${buyer.user.id}.`, `=${other.user.id}.`),
      `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
      `${path}%00`,
    ];
    for (const address of forged) expect([address, await post(address)]).toEqual([address, 404]);
    expect((await server.anyone().get(forged[3]!)).status).toBe(404);
    await server.ctx.db
      .updateTable('users')
      .set({ email: 'moved@example.test' })
      .where('id', '=', buyer.user.id)
      .execute();
    expect(await post(path)).toBe(404);
    expect([await rowOf(buyer), await rowOf(other)]).toEqual(before);
  });

  it('of one mail with different notices turns off all of them', async () => {
    const limited = await untilTestEnds(
      startTestServer({
        env: { SMTP_URL: server.ctx.config.smtpUrl!, RATE_LIMIT_FACTOR: '1' },
      }),
    );
    const person = await limited.signIn('both');
    const post = async (offSwitch: 'campaignUpdates' | 'paymentAlerts' | null) => {
      const { id } = await limited.ctx.db
        .insertInto('messages')
        .values({
          recipient: person.user.email,
          mailbox: person.user.email,
          kind: 'ad-live',
          offSwitch,
          subject: 'S',
          bodyText: 'T',
          bodyHtml: 'T',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await sendMessage(limited.ctx, id);
      return id;
    };
    const switchOfMerged = async (...switches: Parameters<typeof post>[0][]) => {
      limited.clock.advance(25 * HOUR_MS);
      for (let n = 0; n < 3; n++) await post('campaignUpdates');
      const held = [];
      for (const each of switches) held.push(await post(each));
      limited.clock.advance(HOUR_MS + MINUTE_MS);
      await sendMessage(limited.ctx, held[0]!);
      const raw = relay.taken.at(-1)!.raw.replaceAll(/\r\n[ \t]+/g, ' ');
      expect(raw).toContain(`Subject: ${switches.length} updates from Openslot`);
      return /List-Unsubscribe: <[^>]*token=\d+\.(\w+)\./.exec(raw)?.[1] ?? null;
    };
    expect(await switchOfMerged('campaignUpdates', 'campaignUpdates')).toBe('campaignUpdates');
    expect(await switchOfMerged('campaignUpdates', 'paymentAlerts')).toBe('emailNotifications');
    expect(await switchOfMerged('campaignUpdates', null)).toBeNull();
  });
});
