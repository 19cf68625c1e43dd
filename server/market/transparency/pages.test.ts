import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnServer({ env: { MAIL_FROM: 'Openslot <hello@ads.example>' } });
let person: Client;
let business: Client;
let buyer: Client;
beforeAll(async () => {
  person = await server.signIn('seller');
  business = await server.signIn('both');
  buyer = await server.signIn('buyer');
  await buyer.patch('/api/user/settings', { businessName: 'Buying Ltd' });
  await business.patch('/api/user/settings', {
    businessName: ' Slow Press "Ltd" ',
    website: 'https://www.slow.co.uk/x',
  });
  for (const seller of [person, business]) {
    const website = {
      name: 'Daily',
      url: 'https://blog.daily.example/',
      category: 'Food',
      monthlyVisitors: 1,
    };
    for (let sites = 0; sites < 2; sites += 1) await seller.post('/api/websites', website);
  }
});

/** The fields of IAB Tech Lab's sellers.json 1.0. */
const sellersJson = z.strictObject({
  contact_email: z.email(),
  version: z.literal('1.0'),
  sellers: z.array(
    z.discriminatedUnion('is_confidential', [
      z.strictObject({
        seller_id: z.string().min(1).max(64),
        seller_type: z.literal('PUBLISHER'),
        is_confidential: z.literal(1),
      }),
      z.strictObject({
        seller_id: z.string().min(1).max(64),
        seller_type: z.literal('PUBLISHER'),
        is_confidential: z.literal(0),
        name: z.string().min(1),
        domain: z.hostname(),
      }),
    ]),
  ),
});

it('sellers.json names businesses with their root domain, and no person', async () => {
  const { status, headers, body } = await server.anyone().get('/sellers.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(sellersJson.parse(body)).toEqual({
    contact_email: 'hello@ads.example',
    version: '1.0',
    sellers: [
      { seller_id: String(person.user.id), seller_type: 'PUBLISHER', is_confidential: 1 },
      {
        seller_id: String(business.user.id),
        seller_type: 'PUBLISHER',
        is_confidential: 0,
        name: 'Slow Press "Ltd"',
        domain: 'slow.co.uk',
      },
    ],
  });
});

it('sellers.json shows a change within minutes', async () => {
  await person.patch('/api/user/settings', { businessName: 'Daily Press' });
  const names = async () =>
    ((await server.anyone().get('/sellers.json')).body as { sellers: { name?: string }[] }).sellers.map(
      ({ name }) => name,
    );
  expect(await names()).toContain(undefined);
  server.clock.advance(10 * 60 * 1000);
  expect(await names()).toEqual(['Daily Press', 'Slow Press "Ltd"']);
});

// Proves OWN-01
it('our ads.txt is the placeholder of a host without ads', async () => {
  const { headers, text } = await server.anyone().get('/ads.txt');
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  expect(text).toBe('placeholder.example.com, placeholder, DIRECT, placeholder\n');
});

// Proves DEL-29
it('gpc.json says that the signal is honored, and since when', async () => {
  const { headers, body } = await server.anyone().get('/.well-known/gpc.json');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(z.strictObject({ gpc: z.literal(true), lastUpdate: z.iso.date() }).safeParse(body).success).toBe(
    true,
  );
});

it('a public page says what the privacy signal changes, and the page of each ad links to it', async () => {
  const { status, headers, text } = await server.anyone().get('/global-privacy-control');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  expect(text).toContain('With the signal, the server derives no such number from your visit');
  expect(text).toContain('href="/.well-known/gpc.json"');
  expect(text).not.toContain('noindex');
  const { ad } = await makeLiveAd(person, buyer);
  const why = await server.anyone().get(`/api/serve/why/${ad.publicId}`);
  expect(why.text).toContain(`href="${server.url}/global-privacy-control"`);
});
