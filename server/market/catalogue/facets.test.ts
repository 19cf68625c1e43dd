import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useOwnServer();

// Proves MKT-600, MKT-601
it('counts the sites by size and price, finds them by both, and names the ad type that a zone sells in its link', async () => {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const video = await makeWebsite(seller, { name: 'Films', url: 'https://films.example' });
  const wide = await makeZone(seller, video, { width: 728, height: 90 });
  await makeProduct(seller, wide, { adType: 'video', price: '40.00' });
  const square = await makeZone(seller, video, { width: 300, height: 250 });
  await makeProduct(seller, square, { adType: 'video', price: '90.00' });
  await makeProduct(seller, square, { adType: 'text', price: '12.50' });
  const words = await makeWebsite(seller, { name: 'Words', url: 'https://words.example' });
  await makeProduct(seller, await makeZone(seller, words, { width: 300, height: 250 }), { price: '9.00' });

  const facets = {
    sizes: [
      { width: 300, height: 250, count: 2 },
      { width: 728, height: 90, count: 1 },
    ],
    prices: [
      { upTo: '10', count: 1 },
      { upTo: '25', count: 2 },
      { upTo: '50', count: 2 },
      { upTo: '100', count: 2 },
    ],
  };
  expect((await buyer.get('/api/websites/facets')).body).toEqual(facets);
  const found = async (query: string) =>
    ((await buyer.get(`/api/websites?${query}`)).body as { name: string }[]).map(({ name }) => name);
  expect(await found('size=728x90')).toEqual(['Films']);
  expect(await found('maxPrice=10')).toEqual(['Words']);
  expect(await found('size=300x250&maxPrice=12.5')).toEqual(['Words', 'Films']);
  expect((await buyer.get('/api/websites?size=wide')).status).toBe(400);
  expect((await buyer.get('/api/websites?maxPrice=cheap')).status).toBe(400);

  const page = async (path: string) => (await server.anyone().get(path, { accept: 'text/html' })).text;
  const list = await page('/sites');
  expect(list).toContain('<a href="/sites?size=300x250">300 × 250 <small>2</small></a>');
  expect(list).toContain('<a href="/sites?maxPrice=10">up to $10.00 <small>1</small></a>');
  // The counts are those of all sites.
  expect(await page('/sites?q=Words')).not.toContain('aria-label="Often chosen"');
  const films = await page('/sites/films.example');
  expect(films).not.toContain('Not stated');
  const link = (zone: { publicId: string }, more = '') =>
    `href="/create-ad?website=${video.publicId}&amp;zone=${zone.publicId}${more}"`;
  expect(films).toContain(link(wide, '&amp;type=video'));
  expect(films).toContain(link(square));
});

it('lists the sites also while they cannot be counted, with the last counts or none', async () => {
  const list = async () => await server.anyone().get('/sites', { accept: 'text/html' });
  await sql`alter table website_ranks rename column offers to offers_away`.execute(server.owner);
  server.clock.advance(11 * 60_000);
  const known = await list();
  expect([known.status, known.text.includes('aria-label="Often chosen"')]).toEqual([200, true]);
  await sql`alter table website_ranks rename column offers_away to offers`.execute(server.owner);
});
