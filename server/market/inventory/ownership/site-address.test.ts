import { domainToASCII } from 'node:url';
import { expect, it } from 'vitest';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeWebsite } from '#server/testing/story.ts';
import { displayAddress, hostOf } from '#server/platform/net/web-address.ts';
import { normalizeAddress } from './site-address.ts';

const server = useServer();

// Proves OWN-06
it.each([
  ['https://daily.example', 'https://daily.example'],
  ['HTTPS://Daily.Example./News?B=C#D', 'https://daily.example/News?B=C#D'],
  ['https://daily.example:443/', 'https://daily.example/'],
  ['http://daily.example:80', 'http://daily.example'],
  ['http://daily.example.:8080/a', 'http://daily.example:8080/a'],
  ['http://daily.example:443', 'http://daily.example:443'],
  ['https://Bücher.example/ä', 'https://xn--bcher-kva.example/ä'],
  ['https://ｄａｉｌｙ.example', 'https://daily.example'],
  ['http://[0:0:0:0:0:0:0:1]:80/', 'http://[::1]/'],
])('stores %s as %s', async (typed, stored) => {
  expect(normalizeAddress(typed)).toBe(stored);
  const seller = await server.signIn('seller');
  expect((await makeWebsite(seller, { url: typed })).url).toBe(stored);
});

// Proves OWN-06
it('refuses a host that browsers refuse', async () => {
  const seller = await server.signIn('seller');
  for (const url of ['https://\ufdfa.example', 'https://\u06dd\u0661.example', 'https://./']) {
    const answer = await seller.post('/api/websites', { name: 'Daily', url, category: 'Food' });
    expect(answer).toMatchObject({ status: 400, body: { message: 'Please enter a valid URL' } });
  }
  expect((await seller.get('/api/websites/my')).body).toEqual([]);
});

const label = 'a'.repeat(63);
const HOSTS = {
  'a label of 64 characters': `${label}a.example`,
  'a host of 254 characters': `${`${label}.`.repeat(3)}${'a'.repeat(54)}.example`,
  'a host of 2,000 characters': 'a.'.repeat(980) + 'example',
  'a label that Punycode makes too long': `${'ж'.repeat(62)}.example`,
  'a host that Punycode makes too long': `${`${'ж'.repeat(48)}.`.repeat(5)}example`,
  'a null character': 'daily\0.example',
};

it.each(Object.entries(HOSTS))('answers 400 wherever a website is named by %s', async (_what, host) => {
  const seller = await server.signIn('seller');
  const site = await makeWebsite(seller);
  const url = `https://${host}/`;
  const picture = `https://${host}/logo.png`;
  for (const answer of [
    await seller.post('/api/websites', { name: 'Daily', url, category: 'Food' }),
    await seller.patch(`/api/websites/${site.id}`, { url }),
    await seller.post('/api/websites/preview', { url }),
    await seller.post(`/api/websites/${site.id}/picture`, { imageUrl: picture }),
  ]) {
    expect(answer.status).toBe(400);
    expect(answer.body.message).toBeTruthy();
  }
  expect((await seller.get('/api/websites/my')).body).toMatchObject([{ url: site.url }]);
});

it('takes the longest host that the DNS knows', async () => {
  const seller = await server.signIn('seller');
  const url = `https://${`${label}.`.repeat(3)}${'a'.repeat(53)}.example/`;
  expect((await makeWebsite(seller, { url })).url).toBe(url);
  const preview = await seller.post('/api/websites/preview', { url });
  expect(preview.status).toBe(400);
  expect(preview.body.message).not.toBe('Please enter a valid URL');
});

// Proves OWN-06
it('names the site of an address as the database does', async () => {
  const seller = await server.signIn('seller');
  for (const [url, host] of [
    ['https://daily.example/a', 'daily.example'],
    ['http://WWW.daily.example', 'daily.example'],
    ['https://www.com/', 'www.com'],
    ['https://blog.daily.example', 'blog.daily.example'],
    ['http://www.daily.example:8080/x', 'daily.example:8080'],
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['http://[::1]:8080/', '[::1]:8080'],
  ] as const) {
    const { id, url: stored } = await makeWebsite(seller, { url });
    const row = await server.ctx.db
      .selectFrom('websites')
      .select('host')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect([row.host, hostOf(stored)]).toEqual([host, host]);
  }
});

// Proves OWN-06
it.each([
  ['https://www.daily.example/blog/', 'daily.example/blog'],
  ['http://daily.example:8080', 'daily.example:8080'],
  [`https://${domainToASCII('bücher.example')}/`, 'bücher.example'],
  [`https://www.${domainToASCII('例え.jp')}`, '例え.jp'],
  [`https://${domainToASCII('пример.рф')}`, 'пример.рф'],
])('shows %s as %s', (address, shown) => {
  expect(displayAddress(address)).toBe(shown);
});

// Proves OWN-06
it.each(['аpple.com', 'аррӏе.com', 'gοοgle.com', 'ехаmple.рф'])(
  'shows %s, whose letters imitate another host, as Punycode',
  async (host) => {
    const seller = await server.signIn('seller');
    const { displayAddress: shown } = await makeWebsite(seller, { url: `https://${host}/shop` });
    expect(shown).toBe(`${domainToASCII(host)}/shop`);
    expect(shown).toMatch(/^(?:[\w-]+\.)*xn--/);
  },
);
