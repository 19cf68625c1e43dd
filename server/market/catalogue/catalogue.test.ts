import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { suspend } from '#server/operator/decisions/suspend.ts';
import type { Answer, Client } from '#server/testing/client.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller', { firstName: 'Quirin', lastName: 'Zwölfer' });
  buyer = await server.signIn('buyer', { firstName: 'Adalbert', lastName: 'Uhrmann' });
});

const HTML = { accept: 'text/html,application/xhtml+xml' };
const open = async (path: string, headers: Record<string, string> = HTML): Promise<Answer> =>
  await server.anyone().get(path, headers);

let hosts = 0;
const newHost = () => `site-${++hosts}.example`;

/** A website with one zone and one pricing option. */
async function site(
  fields: Record<string, unknown> = {},
  zone: Record<string, unknown> = {},
  product: Record<string, unknown> = {},
): Promise<Website & { host: string; zone: AdZone }> {
  const host = newHost();
  const website = await makeWebsite(seller, { url: `https://${host}`, ...fields });
  const made = await makeZone(seller, website, zone);
  await makeProduct(seller, made, product);
  return { ...website, host, zone: made };
}

async function verify({ id }: { id: number }): Promise<void> {
  await server.ctx.db
    .updateTable('websites')
    .set({ verifiedAt: server.clock.now() })
    .where('id', '=', id)
    .execute();
}

/** The names of the websites on a page of the catalogue, in their order. */
const namesOn = ({ text }: Answer): string[] =>
  [...text.matchAll(/<article [^>]*data-site="[^"]*">[^]*?<h2[^>]*><a [^>]*>([^<]*)</g)].map(
    ([, name = '']) => name,
  );

it('shows each listed website with its link, category and lowest price, without a session or a cookie', async () => {
  const { host, zone, name } = await site({ name: 'Tea & <b>Time</b>', category: 'Food' });
  await makeProduct(seller, zone, { price: '25.00', duration: 7 });
  const page = await open('/sites?q=tea');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const article = new RegExp(`<article [^>]*data-site="${host}">[^]*?</article>`).exec(page.text)?.[0] ?? '';
  expect(article).toContain(`href="/sites/${host}"`);
  expect(article).toContain('Tea &amp; &lt;b&gt;Time&lt;/b&gt;');
  expect(article).toContain('Food');
  expect(article).toContain('$25.00');
  expect(article).toContain('300 × 250');
  expect(page.text).not.toContain(name);
  // A session changes nothing.
  for (const path of [
    '/sites?q=tea',
    `/sites/${host}`,
    `/sites/${host}/media-kit`,
    `/sites/${host}/badge.svg`,
  ]) {
    const [visitor, user] = [await open(path), await seller.get(path, HTML)];
    expect([path, visitor.status, user.status]).toEqual([path, 200, 200]);
    expect(user.text).toBe(visitor.text);
    for (const { headers } of [visitor, user]) expect(headers.get('set-cookie')).toBeNull();
  }
});

it('has a canonical address, a description and a picture for link previews', async () => {
  const { text } = await open('/sites?sort=views&category=Food&q=');
  expect(text).toContain(`<link rel="canonical" href="${server.url}/sites?category=Food">`);
  expect(text).toMatch(/<meta name="description" content="[^"]{50,}">/);
  expect(text).toContain(`<meta property="og:image" content="${server.url}/social-card.png">`);
  expect(text).not.toContain('noindex');
});

it('filters by one single option, by category, traffic and words', async () => {
  const q = 'marmalade';
  const food = await site({ name: `${q} food`, category: 'Food', monthlyVisitors: 60_000 });
  await makeProduct(seller, await makeZone(seller, food, { width: 728, height: 90 }), {
    adType: 'video',
    price: '900.00',
  });
  const tech = await site(
    { name: `${q} tech` },
    { width: 728, height: 90 },
    { adType: 'image', price: '12.50' },
  );
  await site({ name: `${q} idle`, description: 'It sells nothing.' }, { isActive: false });
  const found = async (query: string) =>
    namesOn(await open(`/sites?q=${q}&sort=name&${query}`)).map((name) => name.split(' ')[1]);
  expect(await found('')).toEqual(['food', 'idle', 'tech']);
  expect(await found('category=Food')).toEqual(['food']);
  expect(await found('traffic=high')).toEqual(['food']);
  expect(await found('traffic=low')).toEqual(['idle', 'tech']);
  expect(await found('adType=image')).toEqual(['tech']);
  expect(await found('size=728x90')).toEqual(['food', 'tech']);
  expect(await found('size=728x90&adType=video')).toEqual(['food']);
  // The video is in the other size.
  expect(await found('size=300x250&adType=video')).toEqual([]);
  expect(await found('maxPrice=100')).toEqual(['food', 'tech']);
  expect(await found('maxPrice=12.50')).toEqual(['tech']);
  expect(await found('maxPrice=12.49')).toEqual([]);
  // The cheap option is a text.
  expect(await found('maxPrice=899.99&adType=video')).toEqual([]);
  expect(await found('maxPrice=900&adType=video')).toEqual(['food']);
  expect(await found(`from=${tomorrow()}`)).toEqual(['food', 'tech']);
  expect(await found(`from=${tomorrow()}&maxPrice=12.50&adType=image&size=728x90`)).toEqual(['tech']);
  // A filter that was true of an option is true no longer.
  await seller.patch(`/api/ad-zones/${tech.zone.id}`, { isActive: false });
  expect(await found('adType=image')).toEqual([]);
});
const tomorrow = () => new Date(server.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);

it('sorts by measured views first, then by lowest price, age or name, in pages without a gap', async () => {
  const q = 'quince';
  const prices = ['9.00', '3.00', '27.00', null];
  const views = [5, null, 50, 500];
  for (const [at, price] of prices.entries()) {
    const made = await site({ name: `${q} ${'cbad'[at]}` }, price === null ? { isActive: false } : {}, {
      price: price ?? '1.00',
    });
    const likely = views[at] ?? null;
    if (likely === null) continue;
    await sql`insert into zone_measurements
        (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks, judged, invalid)
      values (${made.zone.id}, '2027-05-01', 28, 1, ${likely}, 900, 9, 9, 9, 0, 9, 0)`.execute(server.ctx.db);
  }
  const order = async (query: string) =>
    namesOn(await open(`/sites?q=${q}${query}`))
      .map((name) => name.at(-1))
      .join('');
  expect(await order('')).toBe('dacb');
  expect(await order('&sort=views')).toBe('dacb');
  expect(await order('&sort=price')).toBe('bcad');
  expect(await order('&sort=newest')).toBe('dabc');
  expect(await order('&sort=name')).toBe('abcd');

  for (let each = 0; each < 26; each++)
    await makeWebsite(seller, { name: `kumquat ${each}`, url: `https://${newHost()}` });
  for (const sort of ['views', 'price', 'newest', 'name']) {
    const first = await open(`/sites?q=kumquat&sort=${sort}`);
    const next = /<a [^>]*rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await open(next);
    expect(second.text).not.toContain('rel="next"');
    expect([namesOn(first).length, namesOn(second).length]).toEqual([24, 2]);
    expect(new Set([...namesOn(first), ...namesOn(second)]).size).toBe(26);
  }
});

it.each([
  ['category=Gardening', 'Choose a category'],
  ['category=food', 'Choose a category'],
  ['category=Food&category=Travel', 'Choose a category'],
  ['traffic=huge', 'Choose a traffic level'],
  ['adType=banner', 'Choose an ad type'],
  ['size=300', 'Enter a size'],
  ['size=0x250', 'Enter a size'],
  ['size=300x9999', 'Enter a size'],
  ['maxPrice=cheap', 'Enter an amount'],
  ['maxPrice=-1', 'Enter an amount'],
  ['maxPrice=1.234', 'Enter an amount'],
  ['from=tomorrow', 'Enter a day'],
  ['from=2027-02-30', 'Enter a day'],
  ['from=2020-01-01', 'Choose today or a later day'],
  ['sort=ctr', 'Choose an order'],
  ['cursor=x', 'first page'],
  ['sort=price&cursor=bmFtZQ', 'first page'],
  ['q=a&q=b', 'Enter the words once'],
])('answers 400 to %s, with a page that says so', async (query, message) => {
  const page = await open(`/sites?${query}`);
  expect(page.status).toBe(400);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.text).toContain(message);
  expect(page.text).toContain('href="/sites"');
  const json = await open(`/sites?${query}`, { accept: 'application/json' });
  expect([json.status, json.body.message]).toEqual([400, expect.stringContaining(message)]);
});

it('takes every text for words, ignores empty fields, and says when nothing matches', async () => {
  for (const words of ['%00', '%25_%5C', "'%20or%201=1", '%3Cscript%3E', 'x'.repeat(500)])
    expect([words, (await open(`/sites?q=${words}`)).status]).toEqual([words, 200]);
  const none = await open('/sites?q=%3Cb%3Enobody&category=&traffic=&size=&maxPrice=&from=&sort=');
  expect(none.status).toBe(200);
  expect(none.text).toContain('No site matches all of these filters');
  expect(none.text).toContain('value="&lt;b&gt;nobody"');
});

it('has a page for each website: link, figures by their source, drawing, zones, prices and ad-space links', async () => {
  const made = await site({
    name: 'Orchard',
    description: 'Apples & pears',
    audience: 'Growers',
    category: 'Food',
    monthlyVisitors: 12_500,
  });
  await verify(made);
  const video = await makeProduct(seller, made.zone, {
    adType: 'video',
    price: '20.00',
    pricingModel: 'per_impression',
    impressions: 10_000,
    duration: undefined,
  });
  await makeProduct(seller, made.zone, { price: '25.00', duration: 7 });
  const hidden = await makeProduct(seller, made.zone, { price: '77.77' });
  await seller.patch(`/api/ad-zone-products/${hidden.id}`, { isActive: false });
  await sql`insert into zone_measurements
      (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks, judged, invalid)
    values (${made.zone.id}, '2027-05-01', 28, 1, 140, 900, 1000, 600, 2000, 30, 100, 5)`.execute(
    server.ctx.db,
  );
  const { status, text } = await open(`/sites/${made.host}`);
  expect(status).toBe(200);
  expect(text).toContain('<h1 dir="auto">Orchard</h1>');
  expect(text).toContain(`<a href="https://${made.host}" rel="nofollow noopener">`);
  for (const part of ['Apples &amp; pears', 'Growers', 'Food', '12.5K']) expect(text).toContain(part);
  const panel = (title: string) => new RegExp(`>${title}</h2>([^]*?)</section>`).exec(text)?.[1] ?? '';
  expect(panel('Measured by this marketplace')).toMatch(
    /Views a day, all ad zones<\/dt><dd>140<[^]*60%[^]*1.5%[^]*5%/,
  );
  expect(panel('Stated by the publisher')).toMatch(/Visitors a month<\/dt><dd>12.5K<[^]*Growers/);
  expect(text).toMatch(/<svg [^>]*role="img" aria-label="The sizes of one ad zone, drawn to scale">/);
  const section =
    new RegExp(`<section [^>]*data-zone="${made.zone.publicId}"[^]*?</section>`).exec(text)?.[0] ?? '';
  for (const part of [
    'Sidebar',
    '300 × 250',
    '$100.00 for 1 day',
    '$25.00 for 7 days ($3.57 a day)',
    '$20.00 for 10,000 views ($2.00 per 1,000)',
    'Should take about 72 days',
  ])
    expect(section).toContain(part);
  expect(section).not.toContain('77.77');
  const link = `/create-ad?website=${made.publicId}&amp;zone=${made.zone.publicId}`;
  expect(section).toContain(`href="${link}"`);
  expect(section).toContain(`href="/plans/new?zones=${made.zone.publicId}"`);
  expect(text).not.toContain('noindex');
  expect(text).not.toContain('Unverified');

  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '');
  const product = data['@graph'].find((part: Record<string, unknown>) => part['@type'] === 'Product');
  expect(product).toMatchObject({ name: 'Orchard', url: `${server.url}/sites/${made.host}` });
  expect(product.offers).toContainEqual(
    expect.objectContaining({
      '@type': 'Offer',
      price: video.price,
      priceCurrency: 'USD',
      url: server.url + link.replace('&amp;', '&'),
      availability: 'https://schema.org/InStock',
    }),
  );
  expect(product.offers).toHaveLength(3);
  expect(text.match(/application\/ld\+json/g)).toHaveLength(1);
});

it('the link of an ad zone that sells no text ads names the type that it sells', async () => {
  const { host, publicId, zone } = await site({}, {}, { adType: 'image' });
  const { text } = await open(`/sites/${host}`);
  expect(text).toContain(`href="/create-ad?website=${publicId}&amp;zone=${zone.publicId}&amp;type=image"`);
});

it('names the next free day of a zone with slots, what is refused, the website’s record and how soon the publisher answers', async () => {
  const { host, publicId, zone } = await site({ name: 'Booked site' });
  const rules = { subjects: ['Gambling', '<b>Diets</b>'], domains: ['casino.example'], words: ['miracle'] };
  expect((await seller.patch(`/api/websites/${publicId}`, { rules })).status).toBe(200);
  const day = (ahead: number) =>
    new Date(server.clock.now().getTime() + ahead * 86_400_000).toISOString().slice(0, 10);
  const calendar = { slots: 1, blockedDays: [day(0), day(1)] };
  expect((await seller.patch(`/api/ad-zones/${zone.publicId}`, calendar)).status).toBe(200);
  const { text } = await open(`/sites/${host}`);
  expect(text).toContain(`data-zone="${zone.publicId}" data-next-free="${day(2)}"`);
  expect(text).toContain('<dd><bdi>Gambling</bdi>, <bdi>&lt;b&gt;Diets&lt;/b&gt;</bdi></dd>');
  for (const refused of ['casino.example', 'miracle']) expect(text).toContain(`<bdi>${refused}</bdi>`);

  const isFound = async (from: string) =>
    namesOn(await open(`/sites?q=Booked+site&from=${from}`)).includes('Booked site');
  expect([await isFound(day(1)), await isFound(day(2))]).toEqual([false, true]);

  expect(text).not.toContain('Usually answered');
  const product = await makeProduct(seller, zone, { pricingModel: 'per_click', duration: null, clicks: 10 });
  for (let answers = 0; answers < 3; answers++) await approve(seller, await makeAd(buyer, product));
  expect((await open(`/sites/${host}`)).text).toContain('Usually answered within an hour.');

  expect(text).toMatch(/On this marketplace since [A-Z][a-z]{2} \d+, 20\d\d\. No paid ad has run here yet\./);
  await pay(buyer, await approve(seller, await makeAd(buyer, product)));
  expect((await open(`/sites/${host}`)).text).toContain('1 paid ad has run here.');
});

it('shows hostile texts as texts, also in its structured data', async () => {
  const evil = '</script><script>alert(1)</script>"\'&';
  const made = await site({ name: evil, description: evil, audience: evil }, { name: evil });
  for (const path of ['/sites?q=alert', `/sites/${made.host}`, `/sites/${made.host}/media-kit`]) {
    const { text } = await open(path);
    expect(text).not.toContain('alert(1)</script>');
    expect(text.match(/<script/g)?.length ?? 0).toBe(path.endsWith('kit') ? 0 : 1);
  }
  const { text } = await open(`/sites/${made.host}`);
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '');
  expect(data['@graph'][0].name).toBe(evil);
});

it('shows the smallest quantity as the price of an option, and what larger ones cost', async () => {
  const q = 'larder';
  const made = await site(
    { name: q },
    {},
    {
      price: '10.00',
      duration: 7,
      minQuantity: 2,
      maxQuantity: 8,
      step: 2,
      volumePrices: [{ fromQuantity: 4, price: '8.00' }],
    },
  );
  const { text } = await open(`/sites/${made.host}`);
  expect(text).toContain('$20.00 for 14 days ($1.43 a day)');
  expect(text).toContain('Up to 56 days, in steps of 14 days');
  expect(text).toContain('From 28 days on: $8.00 for 7 days ($1.14 a day)');
  expect(JSON.parse(/ld\+json">(.*?)<\/script>/.exec(text)?.[1] ?? '')['@graph'][0].offers[0].price).toBe(
    '20.00',
  );
  expect((await open(`/sites?q=${q}`)).text).toContain('$20.00 for 14 days');
  const found = async (query: string) => namesOn(await open(`/sites?q=${q}&${query}`));
  expect(await found('maxPrice=20')).toEqual([q]);
  expect(await found('maxPrice=19.99')).toEqual([]);
  expect(await found('maxPrice=19.99&adType=text')).toEqual([]);
});

it('marks an unverified website, and search engines may not index it', async () => {
  const { host } = await site();
  for (const path of [`/sites/${host}`, `/sites/${host}/media-kit`]) {
    const { text } = await open(path);
    expect(text).toContain('Unverified');
    expect(text).toContain('<meta name="robots" content="noindex">');
  }
});

it('leads other spellings of a host and the public id to the page of the host with 308', async () => {
  const { publicId } = await makeWebsite(seller, { url: 'https://www.Straße.example:443/blog' });
  const own = '/sites/xn--strae-oqa.example';
  expect((await open(own)).status).toBe(200);
  for (const spelled of [
    'XN--STRAE-OQA.example',
    'stra%C3%9Fe.example',
    'Stra%C3%9Fe.EXAMPLE',
    'www.xn--strae-oqa.example',
    'xn--strae-oqa.example:443',
    'xn--strae-oqa.example:80',
    'xn--strae-oqa.example.',
    publicId,
    publicId.toUpperCase(),
  ]) {
    for (const below of ['', '/media-kit', '/badge.svg']) {
      const { status, headers } = await open(`/sites/${spelled}${below}`);
      expect([spelled, status, headers.get('location')]).toEqual([spelled, 308, own + below]);
    }
  }
  const odd = await makeWebsite(seller, { url: 'http://port.example:8080' });
  expect(odd.pageUrl).toBe(`${server.url}/sites/port.example:8080`);
  expect((await open('/sites/port.example:8080')).status).toBe(200);
  const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(53)}.example`;
  await makeWebsite(seller, { url: `https://${long}` });
  expect((await open(`/sites/${long}`)).status).toBe(200);
});

it('gives a shared host to the verified website, else to the oldest listed one', async () => {
  const host = newHost();
  const make = async () => await makeWebsite(seller, { url: `https://${host}`, name: `Number ${++hosts}` });
  const [first, second, third] = [await make(), await make(), await make()];
  const holder = async () => {
    const { status, text } = await open(`/sites/${host}`);
    return status === 200 ? /<h1[^>]*>([^<]*)</.exec(text)?.[1] : status;
  };
  const statusOf = async ({ publicId }: Website) => (await open(`/sites/${publicId}`)).status;
  expect(await holder()).toBe(first.name);
  expect([await statusOf(first), await statusOf(second)]).toEqual([308, 200]);
  expect((await seller.get(`/api/websites/${second.id}`)).body.pageUrl).toBe(
    `${server.url}/sites/${second.publicId}`,
  );
  await seller.patch(`/api/websites/${first.id}`, { isListed: false });
  expect(await holder()).toBe(second.name);
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 308]);
  await verify(third);
  expect(await holder()).toBe(third.name);
  expect((await open(`/sites?q=${encodeURIComponent(second.name)}`)).text).toContain(
    `data-site="${second.publicId}"`,
  );
  // Nobody else may stand at the address of the owner.
  const change = await seller.patch(`/api/websites/${third.id}`, { isListed: false });
  expect(change.body).toMatchObject({ isListed: false, pageUrl: null });
  expect(await holder()).toBe(404);
  expect(await statusOf(second)).toBe(200);
});

it('answers 404 for a website that is unlisted, hidden, archived, suspended or unknown, as page, JSON and in the sitemap', async () => {
  const states: Record<string, (made: Website) => Promise<unknown>> = {
    unlisted: async ({ id }) => await seller.patch(`/api/websites/${id}`, { isListed: false }),
    hidden: async ({ id }) => await seller.patch(`/api/websites/${id}`, { isActive: false }),
    archived: async ({ id }) => await seller.delete(`/api/websites/${id}`),
    suspended: async ({ id }) =>
      await suspend(server.ctx, { id: null }, { subject: 'website', id, reason: 'Counterfeits' }),
  };
  for (const [state, bring] of Object.entries(states)) {
    const made = await site({ name: `Gone ${state}` });
    await verify(made);
    expect((await open(`/sites/${made.host}`)).status).toBe(200);
    expect(await sitemap()).toContain(`${server.url}/sites/${made.host}`);
    await bring(made);
    for (const path of [made.host, made.publicId, `${made.host}/media-kit`, `${made.host}/badge.svg`]) {
      expect([state, path, (await open(`/sites/${path}`)).status]).toEqual([state, path, 404]);
      const json = await open(`/sites/${path}`, { accept: 'application/json' });
      expect([json.status, json.body.message]).toEqual([404, expect.any(String)]);
    }
    expect(namesOn(await open(`/sites?q=Gone`))).not.toContain(made.name);
    expect(await sitemap()).not.toContain(`${server.url}/sites/${made.host}`);
  }
  for (const unknown of [
    'nowhere.example',
    '00000000-0000-4000-8000-000000000000',
    '1',
    'a%2Fb',
    '%00',
    'a@b',
    '..%2F..',
    'x'.repeat(290),
  ])
    expect([unknown, (await open(`/sites/${unknown}`)).status]).toEqual([unknown, 404]);
});

/** Every address of all sitemaps that the index names. */
async function sitemap(of: TestServer = server): Promise<string[]> {
  const locations = async (path: string) => {
    const { status, text, headers } = await of.anyone().get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = '']) => address);
  };
  const index = await locations('/sitemap.xml');
  return (await Promise.all(index.map(async (address) => await locations(new URL(address).pathname)))).flat();
}

it('lists the public pages and every verified listed website in the sitemaps', async () => {
  const [known, unknown] = [await site(), await site()];
  await verify(known);
  const addresses = await sitemap();
  for (const path of ['/sites', '/ad-archive', `/sites/${known.host}`])
    expect(addresses).toContain(server.url + path);
  expect(addresses).not.toContain(`${server.url}/sites/${unknown.host}`);
  for (const path of [
    '/sitemaps/sites-1.xml',
    '/sitemaps/sites-x.xml',
    '/sitemaps/sites-99999.xml',
    '/sitemaps/other.xml',
  ])
    expect([path, (await open(path)).status]).toEqual([path, 404]);
});

it('tells publishers the address of the page, which they can leave and enter again', async () => {
  const made = await makeWebsite(seller, { url: `https://${newHost()}` });
  expect(made).toMatchObject({ isListed: true, pageUrl: `${server.url}/sites/${new URL(made.url).host}` });
  const left = (await seller.patch(`/api/websites/${made.id}`, { isListed: false })).body;
  expect(left).toMatchObject({ isListed: false, pageUrl: null });
  const mine = (await seller.get('/api/websites/my?limit=100')).body as Website[];
  expect(mine.find(({ id }) => id === made.id)).toMatchObject({ isListed: false, pageUrl: null });
  // The marketplace is for signed-in users, and goes on.
  expect((await buyer.get(`/api/websites/${made.id}`)).status).toBe(200);
  expect((await seller.patch(`/api/websites/${made.id}`, { isListed: true })).body.pageUrl).toBe(
    made.pageUrl,
  );
  const secret = await makeWebsite(seller, { url: `https://${newHost()}`, isListed: false });
  expect(secret).toMatchObject({ isListed: false, pageUrl: null });
  for (const isListed of ['yes', null, 1])
    expect((await seller.patch(`/api/websites/${made.id}`, { isListed })).status).toBe(400);
});

it('names no person: neither names nor addresses nor ids of publisher and advertiser', async () => {
  const made = await site({ name: 'Nobody’s' });
  await seller.patch('/api/user/settings', {
    businessName: 'Zwölfer Verlag',
    taxId: 'DE999',
    website: 'https://zwoelfer.example',
  });
  const product = await makeProduct(seller, made.zone, { price: '30.00' });
  const ad = await pay(buyer, await approve(seller, await makeAd(buyer, product, { title: 'Rare teas' })));
  await server.ctx.db.updateTable('ads').set({ totalImpressions: 1 }).where('id', '=', ad.id).execute();
  const people = await sql<Record<string, unknown>>`
    select u.*, s.business_name, s.tax_id, s.website from users u join user_settings s on s.user_id = u.id
      where u.id = any(${[seller.user.id, buyer.user.id]}::integer[])`.execute(server.ctx.db);
  expect(people.rows).toHaveLength(2);
  const texts = people.rows
    .flatMap((row) => Object.values(row))
    .filter((value): value is string => typeof value === 'string' && value.length > 4);
  expect(texts).toEqual(
    expect.arrayContaining(['Quirin', 'Zwölfer', 'Adalbert', 'Uhrmann', 'Zwölfer Verlag']),
  );
  for (const path of [
    `/sites/${made.host}`,
    `/sites/${made.host}/media-kit`,
    `/sites/${made.host}/badge.svg`,
    '/sites?q=Nobody',
  ]) {
    const { text } = await open(path);
    if (path === `/sites/${made.host}`) expect(text).toContain('Rare teas');
    for (const one of texts.filter((each) => !['both', 'seller', 'buyer'].includes(each)))
      expect([path, one, text.includes(one)]).toEqual([path, one, false]);
  }
});

it('shows the last ads that visitors saw on the website, without those that were taken down', async () => {
  const made = await site();
  const product = await makeProduct(seller, made.zone, { price: '30.00' });
  const live = async (title: string) => {
    const ad = await pay(buyer, await approve(seller, await makeAd(buyer, product, { title })));
    await server.ctx.db.updateTable('ads').set({ totalImpressions: 1 }).where('id', '=', ad.id).execute();
    return ad;
  };
  await makeAd(buyer, product, { title: 'Not approved' });
  const down = await live('Taken down');
  await live('Shown to visitors');
  await sql`update ads set taken_down_reason = 'Fraud', status = 'completed', end_date = now(), ended_reason = 'taken_down'
    where id = ${down.id}`.execute(server.owner);
  const { text } = await open(`/sites/${made.host}`);
  expect(text).toContain('Shown to visitors');
  expect(text.match(/href="\/ad-archive\/[^"]+"/g)).toHaveLength(1);
  expect(text).not.toContain('Not approved');
  expect(text).toMatch(/\d paid ads? runs? here now/);
});

it('says where an ad-space link leads, unless the website is not listed', async () => {
  const made = await site({ name: 'Harbor' }, { name: 'Quay', width: 728, height: 90 }, { price: '110.00' });
  await makeProduct(seller, made.zone, { adType: 'image', price: '9.50', duration: 3 });
  const ask = async (website: string | number, zone: string | number) =>
    await server.anyone().get(`/api/ad-space?website=${website}&zone=${zone}`);
  const answer = await ask(made.publicId, made.zone.publicId);
  expect(answer.body).toMatchObject({
    website: { name: 'Harbor', displayAddress: made.host, pageUrl: `${server.url}/sites/${made.host}` },
    zone: { name: 'Quay', width: 728, height: 90 },
    lowestOffer: { price: '9.50', pricingModel: 'per_day', duration: 3 },
  });
  expect((await ask(made.id, made.zone.id)).body).toEqual(answer.body);
  const other = await site();
  expect((await ask(other.publicId, made.zone.publicId)).status).toBe(404);
  for (const wrong of ['', 'x', '0', 'a&b']) expect((await ask(wrong, wrong)).status).toBe(400);
  await seller.patch(`/api/websites/${made.id}`, { isListed: false });
  expect((await ask(made.publicId, made.zone.publicId)).status).toBe(404);
});

it('offers a badge for other pages and a media kit', async () => {
  const made = await site({ name: 'Badge "1"' }, {}, { price: '5.00' });
  const svg = await open(`/sites/${made.host}/badge.svg`);
  expect(svg.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  expect(svg.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(svg.text).toContain('from $5.00');
  const kit = await open(`/sites/${made.host}/media-kit`);
  expect(kit.text).toContain('@media print');
  expect(kit.text).toContain(`<link rel="canonical" href="${server.url}/sites/${made.host}">`);
  for (const part of ['Badge &quot;1&quot;', '300 × 250', '$5.00']) expect(kit.text).toContain(part);
});

it('is gone when the operator turns it off', async () => {
  const off = await untilTestEnds(startTestServer({ env: { PUBLIC_CATALOGUE: 'off' } }));
  const publisher = await off.signIn('seller');
  const website = await makeWebsite(publisher, { url: 'https://off.example' });
  expect(website).toMatchObject({ isListed: true, pageUrl: null });
  await off.ctx.db.updateTable('websites').set({ verifiedAt: off.clock.now() }).execute();
  for (const path of [
    '/sites',
    '/sites/off.example',
    `/sites/${website.publicId}`,
    '/sites/off.example/badge.svg',
  ])
    expect([path, (await off.anyone().get(path, HTML)).status]).toEqual([path, 404]);
  expect((await sitemap(off)).join(' ')).not.toContain('/sites');
});
