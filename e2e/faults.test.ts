/** The sentences that a publisher reads when one reason refuses nearly all reports, under the rules of production. */
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { findFaults } from '../server/delivery/faults/find-faults.ts';
import { FIND_SILENT_SITES, findSilentSites } from '../server/delivery/faults/silent-sites.ts';
import type { Client } from '../server/testing/client.ts';
import { makeRunningAd } from '../server/testing/delivery/delivery.ts';
import {
  BROWSER_NAMES,
  CLOUDFRONT_HEADERS,
  PROTOTYPE_PROOF,
  sendImaRequests,
  sendVisits,
} from '../server/testing/delivery/visits.ts';
import { makeWebsite, makeZone } from '../server/testing/story.ts';
import { resize } from './support/layout.ts';
import { assertNoErrors, enterAs } from './support/people.ts';
import type { Person } from './support/person.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture({ env: { TRAFFIC_RULES: 'production', TRUSTED_PROXIES: '127.0.0.1' } });

type Place = { url: string; zone: string; clock: { advance: (ms: number) => void } };

/** Each cause, the traffic that shows it, and what the publisher reads. */
const CAUSES: [name: string, traffic: (place: Place, zoneId: number) => Promise<unknown>, words: RegExp][] = [
  [
    'Prototype',
    async (place) => await sendVisits(place, { visitors: 60, query: () => PROTOTYPE_PROOF }),
    /replaces built-in functions.*Prototype or MooTools.*sandboxed iframe/,
  ],
  [
    'Hidden addresses',
    async (place) =>
      await sendVisits(place, {
        visitors: 340,
        browser: BROWSER_NAMES[0]!,
        headers: () => ({ 'x-forwarded-for': 'unknown' }),
      }),
    /proxy in front of this marketplace hides the addresses of visitors.*told the operator/,
  ],
  [
    'IMA',
    async (place) => await sendImaRequests(place, 60),
    /video player uses Google’s IMA.*code for Google IMA/,
  ],
  [
    'Service worker',
    async (place) => await sendVisits(place, { visitors: 4, times: 20 }),
    /service worker or cache on your website stores our ad answers.*Exclude/,
  ],
  [
    'CDN',
    async (place) => await sendVisits(place, { visitors: 60, headers: () => CLOUDFRONT_HEADERS }),
    /CDN or firewall in front of this marketplace removes headers.*told the operator/,
  ],
  ['Optimizer', beSilent, /no page of your website.*Autoptimize, WP Rocket, LiteSpeed, Rocket Loader/],
];

/** The day before had requests and views in the same hour, and the server looked an hour ago. */
async function beSilent(_: Place, zoneId: number): Promise<void> {
  const { ctx } = suite.fixture.server;
  const row = { adId: null, zoneId, reason: '' as const, n: 80, hour: later(hour(), -DAY_MS - HOUR_MS) };
  await ctx.db
    .insertInto('deliveryHourly')
    .values((['decision', 'view'] as const).map((kind) => ({ ...row, kind })))
    .execute();
  await ctx.db
    .insertInto('jobHours')
    .values({ name: FIND_SILENT_SITES, hour: later(hour(), -2 * HOUR_MS) })
    .execute();
  await findSilentSites(ctx);
}

const hour = () => {
  const now = suite.fixture.server.clock.now().getTime();
  return new Date(now - (now % HOUR_MS));
};

let publisher: Person & { client: Client };
const places: { website: Website; zone: AdZone; words: RegExp }[] = [];

beforeAll(async () => {
  const { server } = suite.fixture;
  // Not in the first minutes of an hour, in which the last one is not complete.
  server.clock.set(later(hour(), HOUR_MS + 10 * MINUTE_MS));
  publisher = await enterAs(suite.fixture, 'seller');
  const { port } = server.app.fastify.server.address() as AddressInfo;
  for (const [name, traffic, words] of CAUSES) {
    const website = await makeWebsite(publisher.client, { name, url: 'https://daily.example' });
    const zone = await makeZone(publisher.client, website, { name: `Zone of ${name}` });
    await makeRunningAd(server.ctx, zone.id);
    await server.app.refreshDelivery();
    await traffic({ url: `http://127.0.0.1:${port}`, zone: zone.publicId, clock: server.clock }, zone.id);
    places.push({ website, zone, words });
  }
  await server.app.flushDelivery();
  await findFaults(server.ctx);
});
afterAll(() => assertNoErrors(publisher));

const spaced = (text: string) => text.replaceAll(/\s+/g, ' ');

it('names the cause of each fault and the next step with the embed code', async () => {
  const { page } = publisher;
  await page.goto('/ad-zones');
  for (const { website, zone, words } of places) {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // With many websites, the page folds them.
    await page.getByRole('button', { name: website.name, exact: true }).click();
    await page.getByRole('button', { name: `Code for ${zone.name}` }).click();
    const faults = page.getByRole('dialog').getByRole('region', { name: 'Faults' });
    await faults.waitFor();
    expect(spaced(await faults.innerText())).toMatch(words);
    expect(await faults.getByRole('button', { name: 'This is expected' }).count()).toBe(1);
  }
  await expectSound(page);
});

it('does not say that it works meanwhile, and has the code for Google IMA where the fault names it', async () => {
  const { page } = publisher;
  const { website, zone } = places.find(({ website: { name } }) => name === 'IMA')!;
  expect(zone.offers.some(({ adType }) => adType === 'video')).toBe(false);
  const { server } = suite.fixture;
  await server.ctx.db
    .updateTable('adZones')
    .set({ tagSeenAt: server.clock.now() })
    .where('id', '=', zone.id)
    .execute();
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: website.name, exact: true }).click();
  await page.getByRole('button', { name: `Code for ${zone.name}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('region', { name: 'What’s next', exact: true }).waitFor();
  await dialog.getByText('No new ad requests.').waitFor();
  await dialog.getByRole('tab', { name: 'Other ways' }).click();
  await dialog.getByRole('region', { name: 'Video player' }).getByText('adTagUrl').first().waitFor();
  await resize(page, { width: 375, height: 900 });
  const tab = dialog.getByRole('tab', { name: 'Other ways' });
  await expect
    .poll(async () => {
      const [inner, outer] = await Promise.all([
        tab.boundingBox(),
        dialog.getByRole('tablist').boundingBox(),
      ]);
      return inner!.x + inner!.width <= outer!.x + outer!.width + 1;
    })
    .toBe(true);
  await resize(page, { width: 1280, height: 900 });
});

it('names all of them in the results, where the publisher says that one is expected, and takes that back', async () => {
  const { page } = publisher;
  await page.goto('/results');
  const faults = page.getByRole('main').getByRole('region', { name: 'Faults' });
  await faults.waitFor();
  const text = spaced(await faults.innerText());
  for (const { website, words } of places) {
    expect(text).toMatch(words);
    expect(text).toContain(`${website.name}: `);
  }
  await expectSound(page);
  const expected = faults.getByRole('button', { name: 'This is expected' });
  const before = await expected.count();
  const focused = async () => await page.evaluate(() => document.activeElement?.textContent);
  await expected.first().press('Enter');
  await faults.getByText('You expect this, so we don’t show it for 30 days').waitFor();
  expect(await expected.count()).toBe(before - 1);
  // The keyboard stays on the button, which now takes it back.
  expect(await focused()).toBe('Undo');
  await page.keyboard.press('Enter');
  await expect.poll(async () => await expected.count()).toBe(before);
  expect(await focused()).toBe('This is expected');
  await page.keyboard.press('Enter');
  await faults.getByRole('button', { name: 'Undo' }).waitFor();
  await page.reload();
  await faults.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => await expected.count()).toBe(before);
});
