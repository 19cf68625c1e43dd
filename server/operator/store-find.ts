/** Finds people, websites, ad zones and ads. Only reads tables of other domains. */
import { type RawBuilder, sql } from 'kysely';
import { asciiEmail } from '#domain/email-address.ts';
import { asciiHost } from '#domain/public-host.ts';
import type { Subject } from '#domain/operator/acts.ts';
import { rowNumber } from '#domain/operator/forms.ts';
import type { Caller } from '#server/platform/context.ts';
import { type Tx, containing } from '#server/platform/database/database.ts';

/** One line of a search. */
export type FoundRow = { id: number; name: string; about: string; suspendedAt: Date | null };

/** For each subject: its rows as `s`, the text that the search compares (an index has it), and the line to show. */
const FROM: Record<Subject, { table: string; words: RawBuilder<string>; line: RawBuilder<unknown> }> = {
  person: {
    table: 'users',
    // The expressions of the indexes *_operator_search. Another one would not use them.
    words: sql`(s.email || ' ' || coalesce(s.first_name, '') || ' ' || coalesce(s.last_name, ''))`,
    line: sql`s.email as name, concat_ws(' ', s.first_name, s.last_name) as about`,
  },
  website: {
    table: 'websites',
    words: sql`(s.name || ' ' || s.url)`,
    line: sql`s.name, s.url as about`,
  },
  zone: {
    table: 'ad_zones',
    words: sql`s.name`,
    line: sql`s.name, (select w.name || ', ' || w.url from websites w where w.id = s.website_id) as about`,
  },
  ad: {
    table: 'ads',
    words: sql`(s.title || ' ' || s.description || ' ' || s.target_url)`,
    line: sql`s.title as name, s.status || ', ' || s.target_url as about`,
  },
};

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function matches(subject: Subject, search: string): RawBuilder<unknown> {
  if (search === '') return sql`true`;
  if (UUID.test(search) && subject === 'ad')
    return sql`s.id in (
      select id from ads where public_id = ${search} union all select ad_id from ad_variants where public_id = ${search})`;
  if (UUID.test(search) && subject !== 'person') return sql`s.public_id = ${search}`;
  const number = rowNumber(search);
  const has = (text: string) => sql`${FROM[subject].words} ilike ${containing(text)}`;
  // Hosts are stored in Punycode, and names as they were typed.
  const stored = search.includes('@') ? asciiEmail(search) : asciiHost(search);
  const words = stored === search ? has(search) : sql`(${has(search)} or ${has(stored)})`;
  return number === null ? words : sql`(s.id = ${number} or ${words})`;
}

/** Newest first, with ids below `before`. Leaves out deleted accounts and ad zones. */
export async function selectFound(
  tx: Tx,
  subject: Subject,
  { search, before, limit }: { search: string; before: number | null; limit: number },
): Promise<FoundRow[]> {
  const { table, line } = FROM[subject];
  const present = subject === 'person' || subject === 'zone' ? sql`and s.deleted_at is null` : sql``;
  const page = before === null ? sql`` : sql`and s.id < ${before}`;
  const { rows } = await sql<FoundRow>`
    select s.id, ${line}, s.suspended_at
      from ${sql.table(table)} s
      where ${matches(subject, search)} ${present} ${page}
      order by s.id desc
      limit ${limit}`.execute(tx);
  return rows;
}

/** A subject of decisions, with its owner. */
export type SubjectRow = {
  id: number;
  publicId: string | null;
  name: string;
  about: string;
  /** The account that owns it. */
  ownerId: number;
  /** Null if the account was deleted. */
  ownerEmail: string | null;
  /** The ad zone and website that it belongs to. */
  zoneId: number | null;
  zoneName: string | null;
  websiteId: number | null;
  websiteName: string | null;
  status: string;
  createdAt: Date;
  suspendedAt: Date | null;
  suspendedReason: string | null;
};

const OWNER = sql`u.id as owner_id, case when u.deleted_at is null then u.email end as owner_email`;
const STATE = sql`s.created_at, s.suspended_at, s.suspended_reason`;

const ONE: Record<Subject, RawBuilder<unknown>> = {
  person: sql`
    select s.id, null as public_id, s.email as name, concat_ws(' ', s.first_name, s.last_name) as about, ${OWNER},
        null::integer as zone_id, null as zone_name, null::integer as website_id, null as website_name,
        case when s.is_email_verified then 'verified' else 'not verified' end as status, ${STATE}
      from users s join users u on u.id = s.id where s.deleted_at is null`,
  website: sql`
    select s.id, s.public_id, s.name, s.url as about, ${OWNER}, null::integer as zone_id, null as zone_name,
        s.id as website_id, s.name as website_name,
        case when s.archived_at is not null then 'archived' when s.review = 'waiting' then 'waiting for review'
          when s.review = 'hidden' then 'refused' when s.is_active then 'active' else 'hidden' end as status, ${STATE}
      from websites s join users u on u.id = s.user_id where true`,
  zone: sql`
    select s.id, s.public_id, s.name, w.name || ', ' || w.url as about, ${OWNER}, s.id as zone_id, s.name as zone_name,
        w.id as website_id, w.name as website_name,
        case when s.deleted_at is not null then 'deleted' when s.is_active then 'active' else 'paused' end as status, ${STATE}
      from ad_zones s join websites w on w.id = s.website_id join users u on u.id = w.user_id where true`,
  ad: sql`
    select s.id, s.public_id, s.title as name, s.target_url as about, ${OWNER}, s.ad_zone_id as zone_id, z.name as zone_name,
        z.website_id, w.name as website_name,
        s.status, ${STATE}
      from ads s join ad_zones z on z.id = s.ad_zone_id join websites w on w.id = z.website_id join users u on u.id = s.user_id where true`,
};

export async function findSubject(tx: Tx, subject: Subject, id: number): Promise<SubjectRow | undefined> {
  const { rows } = await sql<SubjectRow>`${ONE[subject]} and s.id = ${id}`.execute(tx);
  return rows[0];
}

/** A website or an ad of a person. */
export type OwnRow = Pick<SubjectRow, 'id' | 'publicId' | 'name' | 'about' | 'status' | 'suspendedAt'>;

/** The newest websites or ads of a person. */
export async function listOwn(
  tx: Tx,
  subject: 'website' | 'ad',
  userId: number,
  limit: number,
): Promise<OwnRow[]> {
  const { rows } = await sql<SubjectRow>`
    ${ONE[subject]} and s.user_id = ${userId} order by s.id desc limit ${limit}`.execute(tx);
  return rows.map(({ id, publicId, name, about, status, suspendedAt }) => ({
    id,
    publicId,
    name,
    about,
    status,
    suspendedAt,
  }));
}

export async function findRole(tx: Tx, userId: number): Promise<Caller['role']> {
  const { role } = await tx
    .selectFrom('users')
    .select('role')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return role;
}

/** The number of a row, given by its number, its uuid or, for a person, the e-mail address. */
export async function findNumber(tx: Tx, subject: Subject, named: string): Promise<number | null> {
  const number = rowNumber(named);
  if (number !== null) return number;
  if (subject === 'person') {
    const { rows } = await sql<{ id: number }>`
      select id from users where email = ${asciiEmail(named.trim().toLowerCase())} and deleted_at is null`.execute(
      tx,
    );
    return rows[0]?.id ?? null;
  }
  if (subject === 'website' && !UUID.test(named)) return await findByHost(tx, named);
  if (!UUID.test(named)) return null;
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(FROM[subject].table)} where public_id = ${named}`.execute(tx);
  return rows[0]?.id ?? null;
}

/** The website at this address or host; null without one, or with several, whose owners disagree. */
async function findByHost(tx: Tx, named: string): Promise<number | null> {
  const host = named
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
  const { rows } = await sql<{ id: number }>`
    select id from websites where host = ${host} and archived_at is null limit 2`.execute(tx);
  return rows.length === 1 ? rows[0]!.id : null;
}

/** What an ad looks like in a list. */
export async function findCreatives(tx: Tx, adIds: readonly number[]) {
  if (adIds.length === 0) return new Map<number, never>();
  const rows = await tx
    .selectFrom('ads')
    .select(['id', 'title', 'description', 'targetUrl', 'adType', 'imageUrl'])
    .where('id', 'in', adIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export type NamedAd = { id: number; title: string };

/** The ads with these public ids, by them. */
export async function findAdsNamed(tx: Tx, publicIds: readonly string[]): Promise<Map<string, NamedAd>> {
  if (publicIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('ads')
    .select(['id', 'publicId', 'title'])
    .where('publicId', 'in', [...new Set(publicIds)])
    .execute();
  return new Map(rows.map(({ id, publicId, title }) => [publicId, { id, title }]));
}
