/** Macros in the target address of an ad. */
import { expect, it } from 'vitest';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnAdServer();

it('fills in macros at the click, leaves other braces, and keeps the approved address', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const targetUrl = 'https://coffee.example/{ad}?utm_source={site}&z={zone}&c={click}&x={other}#{site}';
  const { ad, zone, product } = await makeLiveAd(seller, buyer, {
    ad: { targetUrl },
    website: { url: 'https://daily.example:8443/blog' },
  });
  await server.app.refreshDelivery();
  const site = 'daily.example%3A8443';
  const expected = new RegExp(
    `^https://coffee\\.example/${ad.publicId}\\?utm_source=${site}&z=${zone.publicId}&c=([0-9a-f]{24})&x=\\{other\\}#${site}$`,
  );
  const [first, second] = [await server.decide(zone.publicId), await server.decide(zone.publicId)];
  server.clock.advance(2000);
  const ids = new Set<string | undefined>();
  for (const { click } of [first, second]) {
    const { location } = await server.click(click);
    expect(location).toMatch(expected);
    ids.add(expected.exec(location!)?.[1]);
  }
  expect(ids.size).toBe(2);
  expect((await buyer.get(`/api/ads/${ad.id}`)).body.targetUrl).toBe(targetUrl);

  // An ad that has ended is no longer in memory.
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
  await server.app.refreshDelivery();
  expect((await server.click(first.click)).location).toMatch(expected);

  const refused = await buyer.post('/api/ads', {
    adZoneId: zone.id,
    productId: product.id,
    adType: 'image',
    title: 'Coffee',
    description: 'Beans',
    targetUrl: 'https://{site}.example/',
    imageUrl: ad.imageUrl,
  });
  expect(refused).toMatchObject({ status: 400, body: { message: 'Please enter a valid URL' } });
});
