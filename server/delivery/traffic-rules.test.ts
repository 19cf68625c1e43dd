/** The attacks and the honest traffic of a server with the traffic rules of production. */
import { expect, it } from 'vitest';
import { CAPS } from '#domain/delivery/caps.ts';
import { renderProof } from '#domain/delivery/render-proof.ts';
import { type BrowserName, BROWSERS, headersOf, sendExactly } from '#server/testing/delivery/browsers.ts';
import { adRow, figures, makeSiteWithZone, makeRunningAd, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer({ TRAFFIC_RULES: 'production', TRUSTED_PROXIES: '127.0.0.1' });

async function running(fields: Parameters<typeof makeRunningAd>[2] = {}) {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const { id } = await makeRunningAd(server.ctx, zoneId, fields);
  await server.app.refreshDelivery();
  return { zone, id };
}

type Client = { name?: BrowserName; address?: string; headers?: Record<string, string> };
type Served = { view: string; click: string };
const CHROME = 'Chrome on Windows';

/** A page in a browser, which requests an ad and reports or clicks it. */
function pageIn({ name = CHROME, address = '91.64.1.1', headers = {} }: Client = {}) {
  const sent = (as: 'fetch' | 'navigation' | 'image') => ({
    ...headersOf(name, as),
    'x-forwarded-for': address,
    ...headers,
  });
  return {
    ask: async (zone: string): Promise<Served> => {
      const { text } = await sendExactly(
        `${server.caller.url}/api/serve/ads?z=${zone}`,
        'GET',
        sent('fetch'),
      );
      const [ad] = (JSON.parse(text) as { ads: Partial<Served>[] }).ads;
      return { view: ad?.view ?? '', click: ad?.click ?? '' };
    },
    view: async (url: string) => await sendExactly(`${url}?${renderProof(url)}`, 'POST', sent('fetch')),
    rendered: async (url: string) =>
      await sendExactly(`${url}?rendered=${renderProof(url)}`, 'POST', sent('fetch')),
    pixel: async (url: string) => await sendExactly(url, 'GET', sent('image')),
    click: async (url: string) => await sendExactly(url, 'GET', sent('navigation')),
  };
}

/** Every client requests an ad and, two seconds later, reports a view and, if `clicks`, clicks. */
async function visit(zone: string, clients: Client[], clicks = false): Promise<void> {
  const pages = clients.map(pageIn);
  const served: Served[] = [];
  for (const page of pages) served.push(await page.ask(zone));
  server.clock.advance(2000);
  for (let at = 0; at < pages.length; at += 50)
    await Promise.all(
      pages.slice(at, at + 50).map(async (page, index) => await page.view(served[at + index]!.view)),
    );
  if (clicks) for (const [index, page] of pages.entries()) await page.click(served[index]!.click);
}

/** Begins the next minute by the clock, so that the caps of a minute have a whole one. */
function nextMinute(): void {
  const now = server.clock.now().getTime();
  server.clock.advance(60_000 - (now % 60_000));
}

// Proves IVT-01, IVT-02
it.each(Object.keys(BROWSERS) as BrowserName[])('counts a view and a click by %s', async (name) => {
  const { zone, id } = await running();
  await visit(zone, [{ name }], true);
  expect(await figures(server.ctx, id)).toEqual({ view: 1, click: 1 });
});

// Proves IVT-01, IVT-04
it('bills nothing for a script that sends the headers of curl and Sec-GPC, and still shows it the ad', async () => {
  const { zone, id } = await running();
  const script = {
    origin: SITE,
    'user-agent': BROWSERS[CHROME]['user-agent'],
    'sec-gpc': '1',
    'x-forwarded-for': '91.64.2.1',
  };
  const { text } = await sendExactly(`${server.caller.url}/api/serve/ads?z=${zone}`, 'GET', script);
  const [ad] = (JSON.parse(text) as { ads: Served[] }).ads;
  server.clock.advance(2000);
  await sendExactly(ad!.view, 'POST', script);
  const click = await sendExactly(ad!.click, 'GET', script);
  expect(click).toMatchObject({ status: 302, location: 'https://coffee.example/start' });
  // An honest page requested the ad, and a script only reports its view.
  const page = pageIn();
  const served = await page.ask(zone);
  server.clock.advance(2000);
  await sendExactly(served.view, 'POST', script);
  expect(await figures(server.ctx, id)).toEqual({ 'view not_a_browser': 2, 'click not_a_browser': 1 });
});

// Proves IVT-04
it('bills as much as for one visitor if one address with Sec-GPC copies all headers and invents browsers', async () => {
  const { zone, id } = await running();
  nextMinute();
  const clients = Array.from({ length: 120 }, (_, index) => ({
    address: '91.64.3.1',
    name: Object.keys(BROWSERS)[index % 15] as BrowserName,
    headers: { 'sec-gpc': '1' },
  }));
  await visit(zone, clients.slice(0, 60), true);
  nextMinute();
  await visit(zone, clients.slice(60), true);
  const { totalImpressions, totalClicks } = await adRow(server.ctx, id);
  expect([totalImpressions, totalClicks]).toEqual([30, 1]);
});

// Proves IVT-04
it('counts no more views of one kind of browser in a network if a client invents names of browsers', async () => {
  const { zone, id } = await running();
  let total = 0;
  for (let minute = 0; minute < 4; minute++) {
    nextMinute();
    const clients = Array.from({ length: 55 }, () => ({
      name: 'an app on Android with its own User-Agent' as const,
      address: '91.64.4.1',
      headers: {
        'user-agent': `${BROWSERS['an app on Android with its own User-Agent']['user-agent']} App/${total++}`,
      },
    }));
    await visit(zone, clients);
  }
  expect(await figures(server.ctx, id)).toEqual({
    view: CAPS.browser.perDay.view,
    'view browser_cap': 220 - CAPS.browser.perDay.view,
  });
});

// Proves IVT-04
it('bills at most a minute’s cap of an ad for twenty networks that report at once', async () => {
  const { zone, id } = await running();
  nextMinute();
  const clients = Array.from({ length: 400 }, (_, index) => ({ address: `91.${100 + (index % 20)}.7.1` }));
  await visit(zone, clients);
  expect(await figures(server.ctx, id)).toEqual({
    // Each of the twenty has had its share of the ad when half of the minute's room is used. [SIVT-10]
    view: CAPS.ad.perMinute.view / 2,
    'view network_cap': 400 - CAPS.ad.perMinute.view / 2,
  });
});

// Proves IVT-04
it('caps the events of one network in a minute, and treats a loopback client as a network', async () => {
  const { zone, id } = await running();
  nextMinute();
  const names = Object.keys(BROWSERS) as BrowserName[];
  const local = Array.from({ length: 70 }, (_, index) => ({
    name: names[index % 15]!,
    address: '127.0.0.1',
  }));
  await visit(zone, local);
  expect(await figures(server.ctx, id)).toEqual({
    view: CAPS.network.perMinute.view,
    'view network_cap': 70 - CAPS.network.perMinute.view,
  });
});

// Proves IVT-02
it('counts a click when its page reports the ad, and not the click of a page that reports nothing', async () => {
  const { zone, id } = await running();
  const [alone, early] = [pageIn(), pageIn({ address: '91.65.1.1' })];
  const [first, second] = [await alone.ask(zone), await early.ask(zone)];
  server.clock.advance(700);
  await alone.click(first.click);
  await early.click(second.click);
  expect(await figures(server.ctx, id)).toEqual({ 'click not_rendered': 2 });
  // The page of the second click reports the rendered ad when it is covered.
  await early.rendered(second.view);
  expect(await figures(server.ctx, id)).toMatchObject({ view: 1, click: 1, 'click not_rendered': 1 });
});

// Proves IVT-03
it('counts no view by GET of an ad that was sent to a page', async () => {
  const { zone, id } = await running();
  const page = pageIn();
  const { view } = await page.ask(zone);
  server.clock.advance(3000);
  expect((await page.pixel(view)).status).toBe(204);
  expect(await figures(server.ctx, id)).toEqual({ 'view wrong_format': 1 });
});

// Proves IVT-09
it('counts no view and no click of a script that does not lay out the page', async () => {
  const { zone, id } = await running();
  const [blind, guessing, clicking] = [
    pageIn(),
    pageIn({ address: '91.65.2.1' }),
    pageIn({ address: '91.65.3.1' }),
  ];
  const served = [await blind.ask(zone), await guessing.ask(zone), await clicking.ask(zone)] as const;
  server.clock.advance(2000);
  const headers = { ...headersOf(CHROME, 'fetch'), 'x-forwarded-for': '91.65.1.1' };
  await sendExactly(served[0].view, 'POST', headers);
  // The proof of another decision.
  await sendExactly(`${served[1].view}?${renderProof('another decision')}`, 'POST', headers);
  await sendExactly(`${served[2].view}?rendered`, 'POST', headers);
  await clicking.click(served[2].click);
  expect(await figures(server.ctx, id)).toEqual({
    'view no_proof': 2,
    'rendered no_proof': 1,
    'click not_rendered': 1,
  });
});

// Proves IVT-10
it('counts a view by a video player without a proof, and few of one network in a day', async () => {
  const { zone, id } = await running({ adType: 'video' });
  const names = Object.keys(BROWSERS) as BrowserName[];
  for (let index = 0; index < CAPS.player.perDay.view + 20; index += 1) {
    if (index % 20 === 0) nextMinute();
    const name = names[index % names.length]!;
    const from = { 'x-forwarded-for': '91.68.1.1' };
    const document = `${server.caller.url}/api/serve/vast/${zone}`;
    const { text } = await sendExactly(document, 'GET', { ...headersOf(name, 'fetch'), ...from });
    const address = /<Viewable>(?:<!\[CDATA\[)?([^<\]]*)/.exec(text)?.[1] ?? '';
    server.clock.advance(2500);
    expect(await sendExactly(address, 'GET', { ...headersOf(name, 'image'), ...from })).toMatchObject({
      status: 204,
    });
  }
  const { view = 0, ...filtered } = await figures(server.ctx, id);
  expect(view).toBe(CAPS.player.perDay.view);
  expect(Object.keys(filtered)).toEqual(['view network_cap']);
});

// Proves IVT-04
it('counts all views of a lecture hall behind one address and of a carrier’s shared addresses', async () => {
  const names = Object.keys(BROWSERS) as BrowserName[];
  const hall = await running();
  // 150 students with several kinds of browsers, within ten minutes.
  for (let minute = 0; minute < 10; minute++) {
    nextMinute();
    const students = Array.from({ length: 15 }, (_, index) => ({
      name: names[(minute * 15 + index) % names.length]!,
      address: '91.66.1.1',
    }));
    await visit(hall.zone, students);
  }
  expect(await figures(server.ctx, hall.id)).toEqual({ view: 150 });

  const mobile = await running();
  // 160 addresses of a carrier in 16 networks, with several phones of the same kind in each.
  const phones = ['Chrome on Android', 'Safari on iOS', 'Samsung Internet', 'an app on iOS'] as const;
  for (let minute = 0; minute < 3; minute++) {
    nextMinute();
    await visit(
      mobile.zone,
      Array.from({ length: 80 }, (_, index) => ({
        name: phones[index % phones.length]!,
        address: `91.67.${index % 16}.${(index + minute) % 10}`,
      })),
    );
  }
  expect(await figures(server.ctx, mobile.id)).toEqual({ view: 240 });
});
