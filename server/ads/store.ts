import { type Insertable, type Selectable, sql } from 'kysely';
import { PAY_WITHIN_DAYS } from '#domain/ads/booking.ts';
import type { CampaignList } from '#domain/ads/campaign-lists.ts';
import type { AdContent } from '#domain/ads/changes.ts';
import type { AdCounts } from '#domain/ads/contract.ts';
import type { PauseReason } from '#domain/ads/ended.ts';
import { type AdAction, move } from '#domain/ads/status.ts';
import type { Reference } from '#domain/fields.ts';
import type { ConsentAdState } from '#domain/payments/consents.ts';
import type { RefundStatus } from '#domain/payments/refund-status.ts';
import { type Excludes, storedLimits, type Targeting } from '#domain/targeting/limits.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { containing, type Tx } from '#server/platform/database/database.ts';
import type { Ads } from '#server/platform/database/tables.ts';

/**
 * Ads with the fields of their zone and website that `adReply` shows. `suspendedSince` includes suspensions of the zone,
 * the website and the people.
 */
function adsWithZone(tx: Tx) {
  return tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .leftJoin('targetChecks', 'targetChecks.adId', 'ads.id')
    .leftJoin('plans', 'plans.id', 'ads.planId')
    .selectAll('ads')
    .select([
      'targetChecks.host as targetHost',
      'targetChecks.checkedAt as targetCheckedAt',
      'targetChecks.finalHost',
      'targetChecks.problem as targetProblem',
      'targetChecks.listedHost',
      'targetChecks.approvedHost',
      sql<boolean>`target_checks.problem is null and target_checks.content_hash <> target_checks.approved_hash`.as(
        'isContentChanged',
      ),
      'plans.publicId as planPublicId',
      'plans.name as planName',
      'adZones.publicId as adZonePublicId',
      'adZones.name as adZoneName',
      'adZones.zoneType',
      'adZones.width as adZoneWidth',
      'adZones.height as adZoneHeight',
      'adZones.look as adZoneLook',
      'adZones.accent as adZoneAccent',
      'adZones.excludes as zoneExcludes',
      'websites.id as websiteId',
      'websites.userId as publisherId',
      'websites.publicId as websitePublicId',
      'websites.shownName as websiteName',
      'websites.url as websiteUrl',
      'websites.verifiedAt as websiteVerifiedAt',
      sql<Date | null>`least(ad_zones.paused_at, websites.paused_at)`.as('zonePausedAt'),
      sql<Date | null>`ad_suspended_since(ads.id)`.as('suspendedSince'),
      // Of a live ad.
      sql<PauseReason | null>`(
        select cause from ad_pauses(ads.id) where ads.status = 'active' order by place limit 1)`.as('pause'),
      sql<Date | null>`(
        select p.until from advertiser_pauses p where p.ad_id = ads.id and p.ended_at is null)`.as(
        'advertiserPausedUntil',
      ),
      sql<Date | null>`ad_pay_by(ads)`.as('payBy'),
      sql<{ cents: number; status: RefundStatus } | null>`(
        select json_build_object('cents', sum(r.amount_cents), 'status', case
            when bool_or(r.status = 'owed') then 'owed' when bool_or(r.status = 'sent') then 'sent' else 'done' end)
          from payments p join refunds r on r.payment_id = p.id
          where p.ad_id = ads.id and p.status = 'succeeded'
          having count(*) > 0)`.as('refund'),
      // The fee of a taxed sale is known only with the payment.
      sql<number | null>`(
        select p.fee_cents from payments p where p.ad_id = ads.id and p.status = 'succeeded')`.as(
        'paidFeeCents',
      ),
      // The latest consent with a saved card (server/money/checkout/consent-rows.ts).
      sql<{ id: number; state: ConsentAdState; last4: string; limitCents: number } | null>`(
        select json_build_object('id', c.id, 'last4', c.card_last4, 'limitCents', c.limit_cents,
            'state', case ca.state when 'waiting' then 'active' else ca.state end)
          from consent_ads ca join payment_consents c on c.id = ca.consent_id
          where ca.ad_id = ads.id and c.confirmed_at is not null
          order by ca.id desc limit 1)`.as('consent'),
      sql<number | null>`case when ads.status = 'pending' then usual_answer_hours(websites.id) end`.as(
        'usualAnswerHours',
      ),
      sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`.as('isZoneOffered'),
    ]);
}

export type AdRow = Awaited<ReturnType<ReturnType<typeof adsWithZone>['executeTakeFirstOrThrow']>>;

function named(tx: Tx, ref: Reference) {
  return 'id' in ref
    ? adsWithZone(tx).where('ads.id', '=', ref.id)
    : adsWithZone(tx).where('ads.publicId', '=', ref.publicId);
}

export function findAd(tx: Tx, ref: Reference): Promise<AdRow | undefined> {
  return named(tx, ref).executeTakeFirst();
}

/** Locks the ad until the transaction ends, so that a concurrent change waits and then sees the new status. */
export function lockAd(tx: Tx, ref: Reference): Promise<AdRow | undefined> {
  return named(tx, ref).forNoKeyUpdate('ads').executeTakeFirst();
}

/** From one row of `ads`: the list of My Campaigns that it belongs to at this time. */
const listOf = (now: Date) => sql<CampaignList>`(case
  when ads.status = 'active' then case when ads.start_date > ${now} then 'waiting' else 'live' end
  when ads.status = 'completed' or ads.status = 'rejected' and ads.withdrawn_at is not null then 'ended'
  else 'waiting' end)`;

export type OwnAdsFilter = { list?: CampaignList | undefined; search?: string | undefined; now: Date };

/** Newest first, with ids below `before`. */
export function listAdsOfOwner(
  tx: Tx,
  userId: number,
  { list, search, now }: OwnAdsFilter,
  page: { before: number | null; limit: number },
): Promise<AdRow[]> {
  const words = sql`concat_ws(' ', ads.title, websites.shown_name, ad_zones.name, plans.name)`;
  return adsWithZone(tx)
    .where('ads.userId', '=', userId)
    .$if(list !== undefined, (query) => query.where(sql<boolean>`${listOf(now)} = ${list}`))
    .$if(!!search, (query) => query.where(sql<boolean>`${words} ilike ${containing(search as string)}`))
    .$if(page.before !== null, (query) => query.where('ads.id', '<', page.before as number))
    .orderBy('ads.id', 'desc')
    .limit(page.limit)
    .execute();
}

/** How many ads the advertiser has: all, those of status active, and those of each list. */
export async function countAdsOfOwner(tx: Tx, userId: number, now: Date): Promise<AdCounts> {
  const { rows } = await sql<AdCounts>`
    select count(*)::float8 as "all", count(*) filter (where status = 'active')::float8 as active,
        count(*) filter (where list = 'live')::float8 as live,
        count(*) filter (where list = 'waiting')::float8 as waiting,
        count(*) filter (where list = 'ended')::float8 as ended
      from (select status, ${listOf(now)} as list from ads where user_id = ${userId}) as own`.execute(tx);
  return rows[0] as AdCounts;
}

/** The ads of these plans, in the order of their submission. */
export function listAdsOfPlans(tx: Tx, planIds: readonly number[]): Promise<AdRow[]> {
  return adsWithZone(tx).where('ads.planId', 'in', planIds).orderBy('ads.id').execute();
}

/** Oldest first, with ids above `after`, so that the publisher reviews the longest-waiting ad first. */
export function listPendingOfPublisher(
  tx: Tx,
  userId: number,
  page: { after: number; limit: number },
): Promise<AdRow[]> {
  return adsWithZone(tx)
    .where('websites.userId', '=', userId)
    .where('ads.status', '=', 'pending')
    .where('ads.id', '>', page.after)
    .orderBy('ads.id')
    .limit(page.limit)
    .execute();
}

/**
 * Finds a zone that accepts ads, because it is offered. Locks it, so that a concurrent deletion of the zone waits for the
 * new ad and then handles it.
 */
export async function lockOfferedZone(
  tx: Tx,
  ref: Reference,
): Promise<{ id: number; publisherCommission: string | null; excludes: Excludes | null } | undefined> {
  const zone = await tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .select(['adZones.id', 'adZones.excludes', 'publisher.commissionPercent as publisherCommission'])
    .where((eb) => ('id' in ref ? eb('adZones.id', '=', ref.id) : eb('adZones.publicId', '=', ref.publicId)))
    .where(sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`)
    .forShare(['adZones', 'websites'])
    .executeTakeFirst();
  return zone && { ...zone, excludes: storedLimits(zone.excludes) };
}

/**
 * Locks these zones and then their websites until the transaction ends, each by ascending id: the order of
 * docs/decisions/049-lock-order.md, in which a submission to each zone by itself would not lock them.
 */
export async function lockZonesInOrder(tx: Tx, refs: readonly Reference[]): Promise<void> {
  const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []));
  const publicIds = refs.flatMap((ref) => ('publicId' in ref ? [ref.publicId] : []));
  const zones = await tx
    .selectFrom('adZones')
    .select(['id', 'websiteId'])
    .where(sql<boolean>`id = any(${ids}::integer[]) or public_id = any(${publicIds}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const websiteIds = zones.map(({ websiteId }) => websiteId);
  await sql`select from websites where id = any(${websiteIds}::integer[]) order by id for share`.execute(tx);
}

const QUANTITIES = ['price', 'minQuantity', 'maxQuantity', 'step', 'volumePrices'] as const;

/** Finds an active pricing option of this zone. Locks it, so that its price cannot change before the ad is stored. */
export function lockProduct(tx: Tx, zoneId: number, productId: number) {
  return tx
    .selectFrom('adZoneProducts')
    .select(['id', 'adType', 'pricingModel', 'duration', 'impressions', 'clicks', ...QUANTITIES])
    .where('id', '=', productId)
    .where('adZoneId', '=', zoneId)
    .where('isActive', '=', true)
    .forShare()
    .executeTakeFirst();
}

/** The advertiser's ads that wait for approval. */
export async function countPendingOf(tx: Tx, userId: number): Promise<number> {
  const { n } = await tx
    .selectFrom('ads')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return Number(n);
}

export async function insertAd(tx: Tx, ad: Insertable<Ads>): Promise<number> {
  const { id } = await tx.insertInto('ads').values(ad).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function writeMinDayViews(tx: Tx, adId: number, minDayViews: number | null): Promise<void> {
  await tx.updateTable('ads').set({ minDayViews }).where('id', '=', adId).execute();
}

type Changes = Partial<
  AdContent & { targeting: Targeting | null } & Pick<
      Selectable<Ads>,
      | 'approvedAt'
      | 'withdrawnAt'
      | 'reviewSince'
      | 'answerDueAt'
      | 'remindAt'
      | 'rejectionReason'
      | 'paymentIntentId'
      | 'startDate'
      | 'endDate'
      | 'endedReason'
      | 'takenDownReason'
      | 'minDayViews'
    >
>;

/** Applies one status change and writes `changes`. A resubmission and a correction are new versions. Returns false if the ad's status does not allow `action`. */
export async function moveAd(
  tx: Tx,
  adId: number,
  action: AdAction,
  at: Date,
  changes: Changes,
): Promise<boolean> {
  const { from, to } = move(action);
  const { numUpdatedRows } = await tx
    .updateTable('ads')
    .set({
      ...changes,
      status: to,
      updatedAt: at,
      ...((action === 'resubmit' || action === 'correct') && { version: sql<number>`version + 1` }),
    })
    .where('id', '=', adId)
    .where('status', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Rejects all pending ads of a zone and returns their ids. */
export async function rejectPending(tx: Tx, zoneId: number, reason: string, at: Date): Promise<number[]> {
  const { from, to } = move('reject');
  const rows = await tx
    .updateTable('ads')
    .set({ status: to, rejectionReason: reason, updatedAt: at })
    .where('adZoneId', '=', zoneId)
    .where('status', 'in', from)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The statuses of a zone's pending, approved and active ads. Locks these ads until the transaction ends. */
export async function lockOpenAdsOfZone(tx: Tx, zoneId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('ads')
    .select('status')
    .where('adZoneId', '=', zoneId)
    .where('status', 'in', ['pending', 'approved', 'active'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ status }) => status);
}

/** From one row of `ads`: whether the end of a per-day ad has come. If the ad was held before its end, its clock is stopped. */
const hasEnded = (now: Date) =>
  sql<boolean>`(ads.end_date <= ${now} and coalesce(ad_held_since(ads.id) >= ads.end_date, true))`;

/** Whether the end of an active ad has come, which the sweep of completeDueAds writes soon. */
export async function isAtItsEnd(tx: Tx, adId: number, now: Date): Promise<boolean> {
  const found = await tx
    .selectFrom('ads')
    .select('id')
    .where('id', '=', adId)
    .where(hasEnded(now))
    .executeTakeFirst();
  return found !== undefined;
}

/** Active ads that have ended at `now`. Skips ads that another instance is completing. */
export function lockEndedAds(tx: Tx, now: Date, limit: number) {
  return tx
    .selectFrom('ads')
    .select('ads.id')
    .where('ads.status', '=', 'active')
    .where(hasEnded(now))
    .orderBy('ads.endDate')
    .limit(limit)
    .forNoKeyUpdate('ads')
    .skipLocked()
    .execute();
}

/** A zone that is not deleted, with its owner and whether it is offered. Other users see offered zones only. */
export function findZone(tx: Tx, ref: Reference) {
  return tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('users as publisher', 'publisher.id', 'websites.userId')
    .select(['adZones.id', 'adZones.websiteId', 'adZones.excludes', 'websites.userId as ownerId'])
    .select('publisher.commissionPercent as publisherCommission')
    .select(sql<boolean>`is_zone_offered(ad_zones, websites, publisher)`.as('isOffered'))
    .where((eb) => ('id' in ref ? eb('adZones.id', '=', ref.id) : eb('adZones.publicId', '=', ref.publicId)))
    .where('adZones.deletedAt', 'is', null)
    .executeTakeFirst();
}

/** A pricing option of this zone. */
export function findProduct(tx: Tx, zoneId: number, productId: number) {
  return tx
    .selectFrom('adZoneProducts')
    .select(['pricingModel', 'duration', 'impressions', 'clicks', 'isActive', ...QUANTITIES])
    .where('id', '=', productId)
    .where('adZoneId', '=', zoneId)
    .executeTakeFirst();
}

/**
 * The running ads that share a zone at `now`, with the fields that the selection needs. The zone may be off the market: a
 * forecast is for the time when it is offered again.
 */
export function listSharingAds(tx: Tx, zoneId: number, now: Date) {
  return tx
    .selectFrom('ads')
    .innerJoin('users as advertiser', 'advertiser.id', 'ads.userId')
    .select([
      'ads.id',
      'ads.pricingModel',
      'ads.impressions',
      'ads.clicks',
      'ads.totalImpressions',
      'ads.totalClicks',
      'ads.startDate',
    ])
    .where('ads.adZoneId', '=', zoneId)
    .where('ads.status', '=', 'active')
    .where('ads.startDate', '<=', now)
    .where(sql<boolean>`not is_ad_blocked(ads, advertiser)`)
    .where((eb) => eb.or([eb('ads.endDate', 'is', null), eb('ads.endDate', '>', now)]))
    .execute();
}

/**
 * Pending ads whose answer time is over at `now`, or whose publisher is to be reminded, at most `limit`. Skips ads that are
 * being answered.
 */
export function lockWaiting(tx: Tx, due: 'answerDueAt' | 'remindAt', now: Date, limit: number) {
  return tx
    .selectFrom('ads')
    .select(['id', 'reviewSince', 'answerDueAt'])
    .where('status', '=', 'pending')
    .where(due, '<=', now)
    .orderBy(due)
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
}

/** Notes when the publisher of an ad is reminded next. */
export async function noteReminder(tx: Tx, adId: number, remindAt: Date | null): Promise<void> {
  await tx.updateTable('ads').set({ remindAt }).where('id', '=', adId).execute();
}

/**
 * Ids above `after` of unpaid ads whose time to pay is over at `now`, ascending: they were approved at `deadline` or
 * earlier, or nobody else can book their slots for longer.
 */
export async function listUnpaid(
  tx: Tx,
  { now, deadline }: { now: Date; deadline: Date },
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('ads')
    .select('id')
    .where('status', '=', 'approved')
    .where('approvedAt', '<=', later(now, -PAY_WITHIN_DAYS * DAY_MS))
    .where(sql<boolean>`(approved_at <= ${deadline} or ad_pay_by(ads) <= ${now})`)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The ads that a user submitted and those in the user's zones. Locks them until the transaction ends. */
export function lockAdsOfAccount(tx: Tx, userId: number) {
  return tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['ads.id', 'ads.userId', 'ads.status'])
    .where((eb) => eb.or([eb('ads.userId', '=', userId), eb('websites.userId', '=', userId)]))
    .orderBy('ads.id')
    .forNoKeyUpdate('ads')
    .execute();
}

export async function deleteAds(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('ads').where('id', 'in', ids).execute();
}

/** Notes that the payment of a running ad is disputed. Returns false if it is not running, or that is known. */
export async function markDisputed(tx: Tx, adId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('ads')
    .set({ disputedAt: at, updatedAt: at })
    .where('id', '=', adId)
    .where('status', '=', 'active')
    .where('disputedAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the pause of a dispute. Returns since when the ad was paused, or null if it was not. */
export async function clearDisputed(
  tx: Tx,
  adId: number,
  at: Date,
): Promise<{ from: Date; status: AdRow['status'] } | null> {
  const ad = await tx
    .selectFrom('ads')
    .select(['disputedAt', 'status'])
    .where('id', '=', adId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!ad?.disputedAt) return null;
  await tx.updateTable('ads').set({ disputedAt: null, updatedAt: at }).where('id', '=', adId).execute();
  return { from: ad.disputedAt, status: ad.status };
}
