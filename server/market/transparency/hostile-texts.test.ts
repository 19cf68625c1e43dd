import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { SITE } from '#server/testing/delivery/delivery.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { confirmOperator, makeOperator, sendAct, sendForm } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const OPERATOR = 'hello@ads.example';
/** Breaks out of text, of double quotes and of single quotes where it is not escaped. */
const MARKUP = `<script>alert(1)</script>' x="" onload="alert(2)`;
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;&#39; x=&quot;&quot; onload=&quot;alert(2)';

const server = useOwnServer({ env: { MAIL_FROM: `Openslot <${OPERATOR}>` } });
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  await buyer.patch('/api/user/settings', { businessName: `Business ${MARKUP}` });
});

/** A running ad with one counted view. Each of its texts and names is markup. */
async function hostileAd(): Promise<{ id: number; path: string }> {
  const { zone, ad } = await makeLiveAd(seller, buyer, {
    website: { name: `Site ${MARKUP}`, url: SITE },
    zone: { name: `Zone ${MARKUP}` },
    ad: { title: `Title ${MARKUP}`, description: `Words ${MARKUP}` },
  });
  await server.app.refreshDelivery();
  const page = { origin: SITE, 'user-agent': 'Mozilla/5.0 (X11) Chrome/150.0 Safari/537.36' };
  const { ads } = (await server.anyone().get(`/api/serve/ads?z=${zone.publicId}`, page)).body;
  server.clock.advance(3000);
  await server.anyone().send('POST', ads[0].view, undefined, page);
  return { id: ad.id, path: ad.publicId };
}

/** The page must show each of these texts as text and must contain none of the markup. */
async function expectAsText(path: string, names: string[], client = server.anyone()): Promise<void> {
  expectText(path, names, (await client.get(path, { accept: 'text/html' })).text);
}

function expectText(path: string, names: string[], text: string): void {
  for (const name of names) expect([path, text]).toEqual([path, expect.stringContaining(name + ESCAPED)]);
  expect([path, text]).not.toEqual([path, expect.stringMatching(/<script>alert|["'] x=""|" onload="/)]);
}

// Proves RUN-19, DEL-61, DEL-64
it('markup in any text of an ad, a site or a report is text on every page', async () => {
  const { path } = await hostileAd();
  const report = { id: randomUUID(), reason: 'other', details: `Details ${MARKUP}` };
  await sendForm(server.anyone(), `/report-ad/${path}`, report);
  const mail = (await mailTo(server.ctx, OPERATOR)).at(-1)?.text ?? '';
  const moderate = /\/operator\/ads\/\d+/.exec(mail)?.[0] ?? '';
  expect(moderate).not.toBe('');
  const [{ id: mailId }] = (await server.anyone().get(`/dev/mail.json?to=${OPERATOR}`)).body;

  await expectAsText('/ad-archive', ['Title ', 'Words ', 'Business ']);
  await expectAsText(`/ad-archive?q=${encodeURIComponent(`Search ${MARKUP}`)}`, [
    'value="Search ',
    '<bdi>Search ',
  ]);
  await expectAsText(`/ad-archive/${path}`, ['Title ', 'Words ', 'Business ', 'Site ', 'Zone ']);
  await expectAsText(`/api/serve/why/${path}`, ['Title ', 'Business ']);
  await expectAsText(`/report-ad/${path}`, ['Title ', 'Business ']);
  await expectAsText(`/report-ad/${path}/sent`, ['Title ']);
  const wrong = { id: randomUUID(), details: `Details ${MARKUP}`, email: `Address ${MARKUP}` };
  const again = await sendForm(server.anyone(), `/report-ad/${path}`, wrong);
  expectText(`/report-ad/${path}`, ['Title ', '>Details ', 'value="Address '], again.text);
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  // The console gets them as JSON, and React draws texts only.
  const { headers, body } = await operator.client.get('/api/operator/reports');
  expect(headers.get('content-type')).toContain('application/json');
  expect(body[0]).toMatchObject({ title: `Title ${MARKUP}`, description: `Words ${MARKUP}` });
  // React escapes what the console's calls answer.
  const expectInCall = async (path: string, names: string[]) => {
    const { text } = await operator.client.get(`/api${path}`);
    for (const name of names)
      expect([path, text]).toEqual([
        path,
        expect.stringContaining(JSON.stringify(name + MARKUP).slice(1, -1)),
      ]);
  };
  await expectInCall(moderate, ['Title ', 'Words ', 'Details ']);
  await expectInCall('/operator/find/zone?q=zone', ['Zone ', 'Site ']);
  await expectInCall('/operator/reports', ['Title ']);
  await expectAsText(`/dev/mail/${mailId}?view=text`, ['Details ']);
  await expectAsText(`/dev/mail/${mailId}/html`, ['Details ']);

  await sendAct(operator.client, `${moderate}/take-down`, { reason: `Reason ${MARKUP}` });
  for (const page of [moderate, '/operator/audit']) await expectInCall(page, ['Reason ']);
  for (const page of [`/ad-archive/${path}`, `/api/serve/why/${path}`])
    await expectAsText(page, ['Reason '], operator.client);
  const decision =
    (await mailTo(server.ctx, buyer.user.email))
      .map(({ text }) => /\/decision\/[\w-]+\?key=[\w-]+/.exec(text)?.[0])
      .findLast(Boolean) ?? '';
  await sendForm(server.anyone(), decision, { body: `Answer ${MARKUP}` });
  await expectAsText(decision, ['Title ', 'Reason ', 'Answer ']);
});

// Proves RUN-19
it('markup in any text of an ad is text in every mail about it', async () => {
  await hostileAd();
  const mails = [
    ...(await mailTo(server.ctx, buyer.user.email)),
    ...(await mailTo(server.ctx, seller.user.email)),
  ].filter(({ text }) => text.includes(MARKUP));
  expect(mails.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['ad-submitted', 'ad-approved', 'ad-live']),
  );
  for (const { html } of mails) {
    for (const name of ['Title ', 'Words ', 'Zone ', 'Site ']) expect(html).toContain(name + ESCAPED);
    expect(html).not.toMatch(/<script>alert|["'] x=""|" onload="/);
  }
});
