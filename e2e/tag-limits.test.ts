import { expect, it } from 'vitest';
import { makeLiveAd } from '../server/testing/story.ts';
import { openShadowRoots, rendered } from './support/ads-on-page.ts';
import { leave } from './support/person.ts';
import { startPublisher } from './support/publisher.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** Without the number that makes the address a new one. */
function withoutNumber(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !name.startsWith('0.') && name !== 'r'));
}

// Proves RES-26
it('sends the path, the topics and the clock of a page for those ad zones only whose ads are limited by them', async () => {
  const { server } = suite.fixture;
  const seller = await suite.client('seller');
  const buyer = await server.signIn('buyer');
  const limited = await makeLiveAd(seller, buyer, {
    ad: {
      title: 'For cyclists',
      targeting: {
        paths: ['/sport/*'],
        topics: ['cycling'],
        hours: [{ from: 0, to: 24 }],
        devices: ['desktop'],
      },
    },
  });
  const open = await makeLiveAd(seller, buyer, {
    ad: { title: 'For everybody', targeting: { devices: ['desktop'] } },
  });
  await server.app.refreshDelivery();
  const site = await startPublisher('localhost');
  const { page, errors } = await suite.fixture.enter();
  await page.addInitScript(openShadowRoots);
  const asked: URLSearchParams[] = [];
  const loaded: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/serve/ads') asked.push(withoutNumber(searchParams));
    if (pathname === '/api/serve/facts.js') loaded.push(pathname);
  });
  const shownOn = async (path: string, zones: string) => {
    asked.length = 0;
    await page.goto(site.put(path, zones));
    await rendered(page, 1);
    return await page.locator('ad-zone b').allInnerTexts();
  };
  const zone = limited.zone.embedCode;

  expect(await shownOn('/news/today', open.zone.embedCode)).toEqual(['For everybody']);
  expect(asked.map(String)).toEqual([`n=&z=${open.zone.publicId}`]);
  expect(loaded).toEqual([]);

  expect(
    await shownOn('/sport/tennis', `<meta name="openslot:topics" content="cycling, fun">${zone}`),
  ).toEqual(['For cyclists']);
  const timezone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(asked.map((query) => Object.fromEntries(query))).toEqual([
    { n: '', z: limited.zone.publicId },
    { z: limited.zone.publicId, p: '/sport/tennis', t: 'cycling, fun', tz: timezone },
  ]);
  expect(loaded).toHaveLength(1);

  const stated = zone.replace('<ad-zone ', '<ad-zone data-topics="Cycling" ');
  expect(await shownOn('/sport/golf', stated)).toEqual(['For cyclists']);
  for (const [path, code] of [
    ['/news/tennis', stated],
    ['/sport/none', zone],
  ] as const)
    expect([path, await shownOn(path, code)]).toEqual([path, ['Advertise here']]);
  expect(errors).toEqual([]);
  await leave(page);
  await site.close();
});
