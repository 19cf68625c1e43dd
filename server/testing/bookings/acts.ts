/** Acts of people and jobs on the calendar of one ad zone. Each is one transaction of the product's own use cases. */
import { sql } from 'kysely';
import { endDate } from '#domain/ads/completion.ts';
import type { AdStatus } from '#domain/ads/status.ts';
import { DAY_MS, addDays, later, utcDay } from '#domain/time.ts';
import { followEndDates } from '#server/ads/booking/follow-ends.ts';
import { bookAllDays, bookDays, takeStart } from '#server/ads/booking/book-days.ts';
import { join, offerDueDays } from '#server/ads/booking/waiting-list.ts';
import { changeCalendar } from '#server/ads/booking/zone-calendar.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError } from '#server/platform/http/errors.ts';

export type Act =
  | { act: 'submit'; user: number; start: number | null; duration: number }
  | { act: 'reject' | 'approve' | 'pay' | 'end' | 'extend'; nth: number; days: number }
  | { act: 'slots'; slots: number | null }
  | { act: 'block'; days: number[] }
  | { act: 'wait'; user: number; start: number }
  | { act: 'offer' };

/** One history has a zone of its own. `day` is how many days have passed in it. */
export type Scene = { zoneId: number; productId: number; userIds: number[]; now: number };

/** Plays one act. Returns 'refused' if the product refused it, as it may. Any other failure is thrown. */
export async function playAct(ctx: Context, scene: Scene, act: Act): Promise<'done' | 'refused'> {
  try {
    await play({ ...ctx, now: () => new Date(scene.now) }, scene, act);
    return 'done';
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return 'refused';
    throw error;
  }
}

async function play(ctx: Context, scene: Scene, act: Act): Promise<void> {
  const { zoneId } = scene;
  const now = ctx.now();
  const day = (offset: number) => addDays(utcDay(now), offset);
  const user = (index: number) => scene.userIds[index % scene.userIds.length] as number;
  switch (act.act) {
    case 'submit':
      return await ctx.db.transaction().execute(async (tx) => {
        const plan = {
          pricingModel: 'per_day',
          duration: act.duration,
          impressions: null,
          clicks: null,
        } as const;
        const adId = await insertAd(tx, scene, user(act.user), act.duration);
        const startDay = act.start === null ? null : day(act.start);
        await bookDays(ctx, tx, { adId, zoneId, userId: user(act.user), plan, startDay });
      });
    case 'reject':
      return await onAd(ctx, zoneId, act.nth, ['pending'], (tx, ad) =>
        write(tx, ad.id, sql`status = 'rejected', rejection_reason = 'No'`),
      );
    case 'approve':
      return await onAd(ctx, zoneId, act.nth, ['pending'], async (tx, ad) => {
        const plan = {
          pricingModel: 'per_day',
          duration: ad.duration,
          impressions: null,
          clicks: null,
        } as const;
        const { userId, chosenStart } = ad;
        await bookAllDays(tx, { adId: ad.id, zoneId, userId, plan, chosenStart }, now);
        await write(tx, ad.id, sql`status = 'approved', approved_at = ${now}`);
      });
    case 'pay':
      return await onAd(ctx, zoneId, act.nth, ['approved'], async (tx, ad) => {
        const plan = {
          pricingModel: 'per_day',
          duration: ad.duration,
          impressions: null,
          clicks: null,
        } as const;
        const booking = { adId: ad.id, zoneId, userId: ad.userId, plan, chosenStart: ad.chosenStart };
        const start = await takeStart(tx, booking, now);
        if (start === null) return;
        await write(
          tx,
          ad.id,
          sql`status = 'active', payment_intent_id = 'pi_' || id, start_date = ${start}, end_date = ${endDate(plan, start)}`,
        );
        await followEndDates(tx, [ad.id], now);
      });
    case 'end':
      return await onAd(ctx, zoneId, act.nth, ['active'], (tx, ad) =>
        write(tx, ad.id, sql`status = 'completed', end_date = ${now}`),
      );
    case 'extend':
      return await onAd(ctx, zoneId, act.nth, ['active'], async (tx, ad) => {
        await write(tx, ad.id, sql`end_date = end_date + ${`${act.days} days`}::interval`);
        await followEndDates(tx, [ad.id], now);
      });
    case 'slots':
    case 'block':
      return await ctx.db.transaction().execute(async (tx) => {
        const zone = await tx
          .selectFrom('adZones')
          .select(['id', 'slots', 'blockedDays'])
          .where('id', '=', zoneId)
          .forNoKeyUpdate()
          .executeTakeFirstOrThrow();
        const change = act.act === 'slots' ? { slots: act.slots } : { blockedDays: act.days.map(day) };
        await changeCalendar(ctx, tx, zone, change);
      });
    case 'wait': {
      const body = { productId: scene.productId, quantity: 1, startDate: day(act.start) };
      const who = { id: user(act.user), role: 'buyer' } as const;
      await join(ctx, who, { params: { ref: { id: zoneId } }, query: undefined, body });
      return;
    }
    case 'offer':
      await offerDueDays(ctx);
  }
}

async function insertAd(tx: Tx, scene: Scene, userId: number, duration: number): Promise<number> {
  const { id } = await tx
    .insertInto('ads')
    .values({
      userId,
      adZoneId: scene.zoneId,
      adType: 'text',
      title: 'Tea',
      description: 'Leaves',
      targetUrl: 'https://tea.example/',
      totalAmount: '10.00',
      commissionAmount: '1.50',
      pricingModel: 'per_day',
      duration,
      createdAt: later(new Date(scene.now), -DAY_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

type PlayedAd = { id: number; userId: number; duration: number; chosenStart: string | null };

/** Locks the nth ad of the zone with one of these states, if there is one. */
async function onAd(
  ctx: Context,
  zoneId: number,
  nth: number,
  statuses: readonly AdStatus[],
  work: (tx: Tx, ad: PlayedAd) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const ads = await tx
      .selectFrom('ads')
      .select('id')
      .where('adZoneId', '=', zoneId)
      .where('status', 'in', statuses)
      .orderBy('id')
      .execute();
    const found = ads[nth % Math.max(1, ads.length)];
    const ad =
      found &&
      (await tx
        .selectFrom('ads')
        .select(['id', 'userId', 'duration', 'chosenStart'])
        .where('id', '=', found.id)
        .where('status', 'in', statuses)
        .forNoKeyUpdate()
        .executeTakeFirst());
    if (ad?.duration) await work(tx, { ...ad, duration: ad.duration });
  });
}

async function write(tx: Tx, adId: number, changes: ReturnType<typeof sql>): Promise<void> {
  await sql`update ads set ${changes} where id = ${adId}`.execute(tx);
}
