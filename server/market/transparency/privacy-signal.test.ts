import { expect, it } from 'vitest';
import { utcDay } from '#domain/time.ts';
import {
  BROWSER,
  figures,
  makeSiteWithZone,
  makeRunningAd,
  type Visit,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer({ PUBLIC_URL: 'http://ads.example', TRUSTED_PROXIES: '127.0.0.1' });

it('with Sec-GPC, the visitors of a network count as one; without it, each counts alone', async () => {
  // The server forgets all visitors at midnight.
  server.clock.set(new Date(`${utcDay(server.clock.now())}T12:00:00Z`));
  const counted = async (headers: Record<string, string>) => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    const ad = await makeRunningAd(server.ctx, zoneId, { amount: 30 });
    await server.app.refreshDelivery();
    for (let each = 0; each < 33; each++) {
      // Two browsers of one network take turns.
      const userAgent = each % 2 === 0 ? BROWSER : BROWSER.replaceAll(/\d+\.0/g, '120.0');
      const visit: Visit = { userAgent, headers: { 'x-forwarded-for': '203.0.113.7', ...headers } };
      const offer = await server.decide(zone, visit);
      server.clock.advance(61_000);
      expect(await server.view(offer.view, visit)).toBe(204);
      if (each < 2) expect((await server.click(offer.click, visit)).status).toBe(302);
    }
    const { view, click } = await figures(server.ctx, ad.id);
    return { view, click };
  };
  expect(await counted({ 'sec-gpc': '1' })).toEqual({ view: 30, click: 1 });
  expect(await counted({})).toEqual({ view: 33, click: 2 });
});
