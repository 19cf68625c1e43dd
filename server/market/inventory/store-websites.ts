/** The SQL of changing, hiding and deleting a website. */
import { sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import type { SiteRules } from '#domain/inventory/rules.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  matchesReference,
  NO_TEXTS,
  page,
  type RuleColumns,
  type ShownWebsiteRow,
  type WebsiteRow,
  type WebsiteTexts,
} from './store.ts';

/**
 * Locks the owner's website until the transaction ends. No ad is submitted to it and no zone is added in the meantime.
 * Leaves out deleted websites.
 */
export function lockOwnWebsite(tx: Tx, ref: Reference, userId: number): Promise<WebsiteRow | undefined> {
  return tx
    .selectFrom('websites')
    .selectAll()
    .where(matchesReference('websites', ref))
    .where('userId', '=', userId)
    .where('archivedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** The columns of a website's rules. Lists that are left out keep what they have; each text stands once. */
export function ruleColumns({ subjects, domains, words }: Rules = {}): Partial<RuleColumns> {
  const once = (texts: string[]) => [...new Set(texts)];
  return {
    ...(subjects && { refusedSubjects: once(subjects) }),
    ...(domains && { refusedDomains: once(domains) }),
    ...(words && { refusedWords: once(words) }),
  };
}
type Rules = { [Name in keyof SiteRules]?: string[] | undefined };

/** The columns of a website's texts. An empty text is null, and one that is left out keeps what it has. */
export function textColumns(typed: {
  [Name in keyof WebsiteTexts]?: string | null | undefined;
}): Partial<WebsiteTexts> {
  const names = Object.keys(NO_TEXTS) as (keyof WebsiteTexts)[];
  const given = names.filter((name) => typed[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, typed[name] || null]));
}

export type WebsiteChange = Partial<
  Pick<
    WebsiteRow,
    | 'name'
    | 'url'
    | 'category'
    | 'monthlyVisitors'
    | 'isActive'
    | 'isListed'
    | 'pausedAt'
    | 'picture'
    | 'review'
    | 'reviewSince'
    | 'reviewText'
    | keyof RuleColumns
    | keyof WebsiteTexts
  >
>;

export function writeWebsite(tx: Tx, id: number, change: WebsiteChange, now: Date): Promise<ShownWebsiteRow> {
  return tx
    .updateTable('websites')
    .set({ ...change, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .returning(page)
    .executeTakeFirstOrThrow();
}

/** Whether an ad was ever submitted to one of the website's zones, deleted ones included. */
export async function hasAds(tx: Tx, websiteId: number): Promise<boolean> {
  const ad = await adsOf(tx, websiteId).select('ads.id').limit(1).executeTakeFirst();
  return ad !== undefined;
}

export type OpenAd = { title: string; status: (typeof OPEN)[number] };
const OPEN = ['pending', 'approved', 'active'] as const;

/** The ads that prevent the deletion of the website, in the order in which the publisher can act on them. */
export async function selectOpenAds(tx: Tx, websiteId: number): Promise<OpenAd[]> {
  const rows = await adsOf(tx, websiteId)
    .select(['ads.title', 'ads.status'])
    .where('ads.status', 'in', OPEN)
    .orderBy(sql`array_position(${sql.val(OPEN)}::text[], ads.status)`)
    .orderBy('ads.id')
    .execute();
  return rows as OpenAd[];
}

const adsOf = (tx: Tx, websiteId: number) =>
  tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .where('adZones.websiteId', '=', websiteId);

/** Forgets when the tags of the website's zones were seen, because its address has changed. */
export async function forgetTags(tx: Tx, websiteId: number): Promise<void> {
  await tx.updateTable('adZones').set({ tagSeenAt: null }).where('websiteId', '=', websiteId).execute();
}

/**
 * Archives the website with its zones. Returns false and writes nothing while it has pending, approved or active ads. The
 * caller has locked the website, so every ad that was submitted before is visible here.
 */
export async function archiveWebsite(tx: Tx, id: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update websites set archived_at = ${now}, is_active = false, paused_at = null, picture = null,
        verification_token = null, updated_at = ${now}
      where id = ${id} and archived_at is null
        and not exists (
          select from ads a join ad_zones z on z.id = a.ad_zone_id
            where z.website_id = ${id} and a.status = any(${sql.val(OPEN)}::text[]))
      returning id`.execute(tx);
  if (rows.length === 0) return false;
  await tx
    .updateTable('adZones')
    .set({ deletedAt: now, isActive: false, updatedAt: now })
    .where('websiteId', '=', id)
    .where('deletedAt', 'is', null)
    .execute();
  return true;
}

/** Locks the website's zones, before the website, in the same order as a submission does. */
export async function lockZonesOfWebsite(tx: Tx, websiteId: number): Promise<void> {
  await tx
    .selectFrom('adZones')
    .select('id')
    .where('websiteId', '=', websiteId)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Finds a website in any state. */
export function findWebsite(tx: Tx, id: number): Promise<WebsiteRow | undefined> {
  return tx.selectFrom('websites').selectAll().where('id', '=', id).executeTakeFirst();
}
