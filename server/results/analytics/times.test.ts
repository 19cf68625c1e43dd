import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import { chooseTimezone, countAt } from '#server/testing/figures.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useServer();

it('sums an own ad by the hour of the day and its conversions by day, in the advertiser’s timezone', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad, zone } = await makeLiveAd(seller, buyer);
  const path = `/api/ads/${ad.publicId}/times`;
  expect((await buyer.get(path)).body).toEqual({ timezone: 'UTC', hours: [], conversions: [] });

  const yesterday = utcDay(later(server.ctx.now(), -DAY_MS));
  await countAt(server.ctx, ad, `${yesterday}T02:10:00Z`, 30, 2);
  await countAt(server.ctx, ad, `${utcDay(later(server.ctx.now(), -2 * DAY_MS))}T02:50:00Z`, 10, 1);
  await countAt(server.ctx, ad, `${yesterday}T22:00:00Z`, 5);
  for (const at of ['21:59', '22:30', '23:30'])
    await sql`insert into conversions (ad_id, zone_id, user_id, converted_at)
      values (${ad.id}, ${zone.id}, ${buyer.user.id}, ${`${yesterday}T${at}:00Z`})`.execute(server.ctx.db);
  expect((await buyer.get(path)).body).toEqual({
    timezone: 'UTC',
    hours: [
      { hour: 2, impressions: 40, clicks: 3 },
      { hour: 22, impressions: 5, clicks: 0 },
    ],
    conversions: [{ day: yesterday, count: 3 }],
  });

  await chooseTimezone(buyer, 'Asia/Tokyo');
  expect((await buyer.get(path)).body).toEqual({
    timezone: 'Asia/Tokyo',
    hours: [
      { hour: 7, impressions: 5, clicks: 0 },
      { hour: 11, impressions: 40, clicks: 3 },
    ],
    conversions: [{ day: utcDay(server.ctx.now()), count: 3 }],
  });
  expect((await seller.get(path)).status).toBe(404);
});
