import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { adStyle } from '#domain/delivery/ad-style.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { asciiJson } from '#server/platform/http/raw-answer.ts';
import { BROWSER, makeRunningAd, makeSiteWithZone, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { heapInUse } from '#server/testing/delivery/heap.ts';
import { createStyles } from './fragments.ts';
import { loadZones } from './load.ts';
import type { LiveZone } from './snapshot.ts';

const server = useOwnAdServer();

const SIZE = { width: 300, height: 250, look: 'plain', accent: null } as const;

/** The answer for one zone, byte by byte. */
async function answerOf(zone: string): Promise<{ text: string; ad: ServedAd }> {
  const { text } = await server.caller.get(`/api/serve/ads?z=${zone}`, {
    origin: SITE,
    'user-agent': BROWSER,
  });
  return { text, ad: (JSON.parse(text) as { ads: ServedAd[] }).ads[0]! };
}

it('answers text, video and house ads with the same bytes as if each were written as a whole', async () => {
  const { publicUrl } = server.ctx.config;
  const text = await makeSiteWithZone(server.ctx);
  const title = 'Café "css": 日本\\';
  const { publicId } = await makeRunningAd(server.ctx, text.zoneId, { title });
  const video = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, video.zoneId, { adType: 'video' });
  const house = await makeSiteWithZone(server.ctx);
  await server.ctx.db
    .updateTable('adZones')
    .set({ houseTitle: title, houseDescription: 'Ours', houseUrl: 'https://www.own.example/a' })
    .where('id', '=', house.zoneId)
    .execute();
  const open = await makeSiteWithZone(server.ctx);
  await server.app.refreshDelivery();

  const shown = await answerOf(text.zone);
  const css = adStyle(SIZE, 'text');
  expect(shown.text).toBe(
    asciiJson({
      ads: [
        {
          zone: text.zone,
          kind: 'text',
          title,
          text: shown.ad.text,
          site: 'coffee.example',
          css,
          why: `${publicUrl}/api/serve/why/${publicId}`,
          area: 300 * 250,
          view: shown.ad.view,
          click: shown.ad.click,
        },
      ],
    }),
  );
  const played = await answerOf(video.zone);
  expect(Object.keys(played.ad).join(' ')).toBe(
    'zone kind title text src width height css why area view click',
  );
  expect(played.text).toBe(asciiJson({ ads: [{ ...played.ad, css: adStyle(SIZE, 'media') }] }));
  expect((await answerOf(house.zone)).text).toBe(
    asciiJson({
      ads: [
        {
          zone: house.zone,
          kind: 'house',
          title,
          text: 'Ours',
          site: 'own.example',
          css,
          click: 'https://www.own.example/a',
        },
      ],
    }),
  );
  const advertised = await answerOf(open.zone);
  expect(Object.keys(advertised.ad).join(' ')).toBe('zone kind title text css click');
  expect(advertised.text).toBe(asciiJson({ ads: [{ ...advertised.ad, css: adStyle(SIZE, 'open') }] }));
});

it('keeps one copy of a style for all ads of a zone', async () => {
  const ADS = 4000;
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const { id } = await makeRunningAd(server.ctx, zoneId);
  await sql`alter table ads disable trigger user`.execute(server.owner);
  await sql`
    insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
        pricing_model, duration, status, payment_intent_id, start_date, end_date, approved_at)
      select user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, duration, status, 'copy ' || n, start_date, end_date, approved_at
        from ads, generate_series(2, ${ADS}) n where id = ${id}`.execute(server.owner);
  await sql`alter table ads enable trigger user`.execute(server.owner);
  const styleOf = createStyles();
  const zones: LiveZone[][] = [];
  for (let each = 0; each < 3; each++) zones.push(await loadZones(server.ctx, [zoneId], styleOf));
  expect(zones.map(([zone]) => zone?.ads.length)).toEqual([ADS, ADS, ADS]);
  // What the connections of the pool keep of their last answers is in both figures.
  const held = heapInUse();
  zones.length = 0;
  const perAd = (held - heapInUse()) / (3 * ADS);
  // The style alone is as large.
  expect(perAd).toBeGreaterThan(100);
  expect(perAd).toBeLessThan(adStyle(SIZE, 'text').length);
});
