import { beforeAll, expect, it } from 'vitest';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import type { Client } from '#server/testing/client.ts';
import {
  type AdFields,
  adRow,
  makeSiteWithZone,
  makeRunningAd,
  SITE,
} from '#server/testing/delivery/delivery.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';

const DAY = 24 * 60 * 60 * 1000;

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { firstName: 'Ada', lastName: 'Lane' });
});

/** Requests an ad as a page does and reports a view of it. */
async function view(zone: string): Promise<void> {
  await server.app.refreshDelivery();
  const headers = { origin: SITE, 'user-agent': 'Mozilla/5.0 (X11) Chrome/150.0 Safari/537.36' };
  const { ads } = (await server.anyone().get(`/api/serve/ads?z=${zone}`, headers)).body;
  server.clock.advance(3000);
  expect((await server.anyone().send('POST', ads[0].view, undefined, headers)).status).toBe(204);
}

/** An ad with one counted view. */
async function seen(fields: AdFields = {}) {
  const place = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, place.zoneId, fields);
  await view(place.zone);
  return { ...place, ...ad };
}

async function titles(query = ''): Promise<string[]> {
  const { status, text } = await server.anyone().get(`/ad-archive${query}`);
  expect(status).toBe(200);
  return [...text.matchAll(/<h2[^>]*><a[^>]*>([^<]*)<\/a>/g)].map(([, title = '']) => title);
}
const pageOf = async (publicId: string) => await server.anyone().get(`/ad-archive/${publicId}`);

// Proves DEL-61
it('an ad enters the archive with its first counted view, and the newest comes first', async () => {
  const { zoneId, zone } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, { title: 'Never seen yet' });
  expect(await titles()).not.toContain('Never seen yet');
  expect((await pageOf(ad.publicId)).status).toBe(404);
  await view(zone);
  await seen({ title: 'Seen after it' });
  expect((await titles()).slice(0, 2)).toEqual(['Seen after it', 'Never seen yet']);
  expect((await pageOf(ad.publicId)).status).toBe(200);
  for (const unknown of ['nobody', 'a532d16d-4d7f-4440-bd29-2ec05553fc80'])
    expect((await pageOf(unknown)).status).toBe(404);
});

// Proves DEL-61
it('the page of an ad shows its advertiser and payer, where, when and why it ran, and its reach', async () => {
  const { zone, ad } = await makeLiveAd(seller, buyer, {
    ad: { title: 'Tea <script>', description: 'Two & a half', targetUrl: 'https://tea.example/x?y=1' },
    website: { name: 'The "Daily"', url: 'https://blog.daily.example' },
  });
  await view(zone.publicId);
  await server.ctx.db.updateTable('ads').set({ totalImpressions: 1249 }).where('id', '=', ad.id).execute();
  const { headers, text } = await pageOf(ad.publicId);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(text).toContain('<h1 dir="auto">Tea &lt;script&gt;</h1>');
  expect(text).toContain('Two &amp; a half');
  const fact = (name: string) =>
    new RegExp(`<dt>${name}</dt><dd>([^]*?)</dd>`)
      .exec(text)?.[1]
      ?.replaceAll(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"');
  expect(fact('Shown on behalf of')).toBe('Ada Lane');
  expect(fact('Paid for by')).toBe('Ada Lane');
  expect(fact('Shown on')).toBe('The "Daily" (blog.daily.example), in the ad zone “Sidebar”');
  expect(fact('When')).toMatch(/^Since \w{3} \d{1,2}, 20\d\d$/);
  expect(fact('Links to')).toBe('tea.example/x?y=1');
  expect(fact('Reach so far')).toBe('About 1,200 viewable impressions (how they are counted)');
  expect(fact('Who could see it')).toContain('booked this ad zone');
  expect(text).toContain(`href="/report-ad/${ad.publicId}"`);
  // The why page links to this page and shows the same advertiser.
  const why = await server.anyone().get(`/api/serve/why/${ad.publicId}`);
  expect(why.text).toContain(`${server.url}/ad-archive/${ad.publicId}`);
  expect(why.text).toContain('<bdi>Ada Lane</bdi>');
});

// Proves DEL-61
it('the ad is shown as it ran, with files of this server only', async () => {
  const image = await makeLiveAd(seller, buyer, {
    product: { adType: 'image' },
    ad: { imageUrl: await upload(buyer) },
  });
  const video = await makeLiveAd(seller, buyer, {
    product: { adType: 'video' },
    ad: { videoUrl: await upload(buyer, 'video/mp4'), imageUrl: 'https://spy.example/a.png' },
  });
  for (const { zone } of [image, video]) {
    await server.app.refreshDelivery();
    await view(zone.publicId);
  }
  const shownOn = async (publicId: string) => {
    const { text, headers } = await pageOf(publicId);
    expect(headers.get('content-security-policy')).toContain("img-src 'self'; media-src 'self'");
    expect(text).not.toMatch(/spy\.example/);
    return [...text.matchAll(/<(?:img|video) src="([^"]+)"/g)].map(([, src = '']) => src);
  };
  const [picture] = await shownOn(image.ad.publicId);
  expect(picture).toMatch(/^\/m\/[0-9a-f]{64}\.png$/);
  expect((await server.anyone().get(picture ?? '')).status).toBe(200);
  expect(await shownOn(video.ad.publicId)).toEqual([expect.stringMatching(/^\/m\/[0-9a-f]{64}\.mp4$/)]);
});

// Proves DEL-61
it('the search matches an ad’s texts and its advertiser, and takes every character literally', async () => {
  await seen({ title: 'Zebra crossings 100%' });
  await seen({ title: 'Zebra crossings 1000' });
  expect(await titles('?q=ZEBRA+cross')).toEqual(['Zebra crossings 1000', 'Zebra crossings 100%']);
  expect(await titles('?q=100%25')).toEqual(['Zebra crossings 100%']);
  expect(await titles('?q=ada+lane')).toContain('Zebra crossings 100%');
  expect(await titles(`?q=${encodeURIComponent('a\0"><script>')}`)).toEqual([]);
  const none = (await server.anyone().get('/ad-archive?q=%3Cb%3Equagga')).text;
  expect(none).toContain('matches “<bdi>&lt;b&gt;quagga</bdi>”');
});

// Proves DEL-61
it('an advertiser’s new name replaces the old one, and a deleted account leaves no name', async () => {
  const ada = await server.signIn('buyer', { firstName: 'Quirina', lastName: 'Oak' });
  const { zone, ad } = await makeLiveAd(seller, ada, {
    product: { pricingModel: 'per_impression', impressions: 1, duration: undefined },
    ad: { title: 'Renamed' },
  });
  await view(zone.publicId);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed' });
  expect(await titles('?q=quirina+oak')).toEqual(['Renamed']);
  await ada.patch('/api/user/profile', { firstName: 'Quintina' });
  expect(await titles('?q=quirina')).toEqual([]);
  expect(await titles('?q=quintina')).toEqual(['Renamed']);
  await ada.patch('/api/user/settings', { businessName: 'Oak & Sons' });
  expect(await titles('?q=quintina')).toEqual([]);
  expect(await titles('?q=oak+%26+sons')).toEqual(['Renamed']);
  // An advertiser may have no settings.
  await server.ctx.db.deleteFrom('userSettings').where('userId', '=', ada.user.id).execute();
  expect(await titles('?q=quintina')).toEqual(['Renamed']);
  await ada.patch('/api/user/settings', { businessName: 'Oak & Sons' });
  expect(await titles('?q=oak+%26+sons')).toEqual(['Renamed']);
  expect((await ada.delete('/api/user/account')).status).toBe(200);
  expect(await titles('?q=oak+%26+sons')).toEqual([]);
  expect((await pageOf(ad.publicId)).text).toContain('An advertiser who has left');
  expect(await titles('?q=renamed')).toEqual(['Renamed']);
});

// Proves DEL-61
it('the pages of the archive follow each other without a gap', async () => {
  for (let each = 0; each < 25; each++) await seen({ title: `Paged ${each}` });
  const all: string[] = [];
  let address = '/ad-archive?q=paged';
  for (let pages = 0; address && pages < 5; pages++) {
    const { text } = await server.anyone().get(address);
    all.push(...[...text.matchAll(/>(Paged \d+)</g)].map(([, title = '']) => title));
    address = /<a class="button" rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    if (pages === 0) expect(all).toHaveLength(24);
  }
  expect(all).toEqual(Array.from({ length: 25 }, (_, at) => `Paged ${24 - at}`));
  for (const broken of ['x', 'MSwy', '']) {
    const { status } = await server.anyone().get(`/ad-archive?after=${broken}`);
    expect([broken, status]).toEqual([broken, broken === 'MSwy' ? 200 : 400]);
  }
});

// Proves DEL-61
it('an ad stays for a year after its last day and is then removed', async () => {
  const { publicId, id } = await seen({ title: 'A week of socks', amount: 7 });
  const started = server.clock.now();
  server.clock.advance(8 * DAY);
  await completeDueAds(server.ctx);
  const { text } = await pageOf(publicId);
  const day = (at: Date) =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }).format(at);
  const { endDate } = await adRow(server.ctx, id);
  expect(text.replaceAll(/<[^>]+>/g, '')).toContain(`${day(started)} to ${day(endDate as Date)}`);
  expect(text).toContain('<dt>Reach</dt>');

  const rows = async () =>
    await server.ctx.db.selectFrom('adArchive').select('adId').where('adId', '=', id).execute();
  server.clock.set(new Date((endDate as Date).getTime() + 364 * DAY));
  await removeExpired(server.ctx);
  expect(await rows()).toHaveLength(1);
  expect(await titles('?q=socks')).toEqual(['A week of socks']);
  server.clock.advance(2 * DAY);
  // The ad disappears at once. The scheduled job only deletes its row.
  expect(await titles('?q=socks')).toEqual([]);
  expect((await pageOf(publicId)).status).toBe(404);
  await removeExpired(server.ctx);
  expect(await rows()).toEqual([]);
});
