/** Visits hostile pages under the traffic rules of production, and reads what was billed and what 'Code' says. */
import type { IncomingMessage } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { embedSnippet, frameSnippet } from '#domain/inventory/embed.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import type { Client } from '../../server/testing/client.ts';
import { makeRunningAd } from '../../server/testing/delivery/running-ads.ts';
import { makeWebsite, makeZone } from '../../server/testing/story.ts';
import { openFreeBrowser } from '../support/free-browser.ts';
import { useFixture } from '../support/use-fixture.ts';
import type { Code, Counts, EarningPage, HostilePage, SilentPage, Visitor } from './hostile-page.ts';
import { startSites, type Sites } from './sites.ts';

/** Each look at the figures writes them first. */
const RARELY = { interval: 200 };

export function useHostilePages() {
  const suite = useFixture({ env: { TRAFFIC_RULES: 'production' } });
  const shared = {} as { sites?: Sites };
  const toClose: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    suite.fixture.server.app.fastify.server.prependListener('request', asWithAWindow);
    shared.sites = await startSites();
  });
  afterEach(async () => {
    await Promise.all(toClose.splice(0).map(async (close) => await close()));
  });
  afterAll(async () => await shared.sites?.close());

  /** Creates the website of a page with ad zones and a running ad in each, and publishes its files. */
  async function publish(seller: Client, { host, files }: HostilePage, count = 1) {
    const { ctx, url, app } = suite.fixture.server;
    const website = await makeWebsite(seller, { name: host, url: `https://${host}.example` });
    // The API takes public hosts only.
    await ctx.db
      .updateTable('websites')
      .set({ url: `http://${host}.localhost` })
      .where('id', '=', website.id)
      .execute();
    const zones: AdZone[] = [];
    const ads: number[] = [];
    for (let at = 0; at < count; at++) {
      const zone = await makeZone(seller, website, { name: `${host} ${at + 1}` });
      zones.push(zone);
      ads.push((await makeRunningAd(ctx, zone.id, { pricingModel: 'per_impression', amount: 1000 })).id);
    }
    await app.refreshDelivery();
    const codes = await Promise.all(zones.map(async (zone) => await codeOf(zone, url)));
    const origin = shared.sites!.put(host, files(codes[0]!, codes));
    return { origin, zone: zones[0]!, ads };
  }

  async function counted(adId: number): Promise<Counts> {
    const { ctx, app } = suite.fixture.server;
    await app.flushDelivery();
    const rows = await ctx.db
      .selectFrom('deliveryHourly')
      .select(['kind', 'reason', 'n'])
      .where('adId', '=', adId)
      .execute();
    const counts: Counts = {};
    for (const { kind, reason, n } of rows) {
      const name = `${kind} ${reason}`.trim();
      counts[name] = (counts[name] ?? 0) + n;
    }
    return counts;
  }

  async function visit(hostile: HostilePage, origin: string, adId: number): Promise<Page> {
    const context = await suite.fixture.browser.newContext({
      locale: 'en-US',
      viewport: { width: 1280, height: 900 },
    });
    toClose.push(async () => await context.close());
    const page = await context.newPage();
    const visitor: Visitor = {
      page,
      open: async (path) => void (await page.goto(origin + path)),
      viewed: async (views) =>
        await expect.poll(async () => await counted(adId), RARELY).toMatchObject({ view: views }),
    };
    await (hostile.visit ?? (async ({ open }) => await open('/')))(visitor);
    return page;
  }

  return {
    /** Visits the page, clicks the ad where it is on the screen, and expects each view and the click to be billed once. */
    async earns(hostile: EarningPage): Promise<void> {
      const { zones = 1, isUnattended, counted: all = { decision: 1, view: 1, click: 1 } } = hostile;
      const { origin, ads } = await publish(await suite.client('seller'), hostile, zones);
      const [first = 0, ...others] = ads;
      if (isUnattended) {
        const browser = await openFreeBrowser(`${origin}/`);
        toClose.push(async () => await browser.close());
        await expect.poll(async () => await counted(first), RARELY).toEqual(all);
        return;
      }
      const page = await visit(hostile, origin, first);
      for (const ad of ads)
        await expect.poll(async () => await counted(ad), RARELY).toMatchObject({ view: all['view'] });
      const [advertiser] = await Promise.all([
        page.context().waitForEvent('page'),
        page.locator('[data-ad], ad-zone').first().click(),
      ]);
      await advertiser.close();
      // A page that is left reports what it has not reported yet.
      await page.goto('about:blank');
      await expect.poll(async () => await counted(first), RARELY).toEqual(all);
      const { click: _, ...withoutClick } = all;
      for (const ad of others) expect(await counted(ad)).toEqual(withoutClick);
    },
    /** Opens 'Code' as the publisher, visits the page, and expects the sentence. */
    async says(hostile: SilentPage): Promise<void> {
      const { page, client } = await suite.enter('seller');
      const { origin, zone, ads } = await publish(client, hostile);
      await page.goto('/ad-zones');
      await page.getByRole('button', { name: `Code for ${zone.name}` }).click();
      const watch = page.getByRole('dialog').getByRole('region', { name: /tag/i });
      await watch.getByText('No ad requests yet.').waitFor();
      await visit(hostile, origin, ads[0]!);
      const { counted: all = {} } = hostile;
      await expect.poll(async () => await counted(ads[0]!), RARELY).toEqual(all);
      await watch.getByText(hostile.sentence).waitFor();
    },
  };
}

/** Under these rules a headless browser is a robot. Each request gets the headers of the same browser with a window. */
function asWithAWindow({ headers }: IncomingMessage): void {
  for (const name of ['user-agent', 'sec-ch-ua'])
    if (typeof headers[name] === 'string') headers[name] = headers[name].replaceAll('Headless', '');
  headers['accept-language'] ??= 'en-US,en;q=0.9';
}

async function codeOf(zone: AdZone, server: string): Promise<Code> {
  const embed = embedSnippet(zone, server);
  const pasted = embed.replace(/<script.* src=/, '<script async crossorigin src=');
  const scriptUrl = `${server}/api/serve/zone/${zone.publicId}`;
  const [zoneLine = '', script = ''] = pasted.split('\n');
  return {
    embed,
    pasted,
    zone: zoneLine,
    script,
    frame: frameSnippet(zone, server),
    scriptUrl,
    scriptText: await (await fetch(scriptUrl)).text(),
    server,
  };
}
