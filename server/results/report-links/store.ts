/** The SQL of links to reports. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** What a link shows. */
export type Subject = { adId: number } | { planId: number };

export type LinkRow = {
  id: number;
  key: string;
  name: string | null;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
};

const COLUMNS = ['id', 'key', 'name', 'createdAt', 'expiresAt', 'revokedAt'] as const;

/** Inserts a link, unless `most` links of its subject work already. Two insertions at once can exceed this by one. */
export async function insertLink(
  tx: Tx,
  link: {
    subject: Subject;
    userId: number;
    key: string;
    name: string | null;
    createdAt: Date;
    expiresAt: Date;
  },
  most: number,
): Promise<LinkRow | undefined> {
  const { subject, userId, key, name, createdAt, expiresAt } = link;
  const { rows } = await sql<LinkRow>`
    insert into report_links (key, user_id, ad_id, plan_id, name, created_at, expires_at)
      select ${key}, ${userId}, ${'adId' in subject ? subject.adId : null}::integer,
          ${'planId' in subject ? subject.planId : null}::integer, ${name}, ${createdAt}::timestamptz, ${expiresAt}::timestamptz
        where (
          select count(*) from report_links
            where ${ofSubject(subject)} and revoked_at is null and expires_at > ${createdAt}
        ) < ${most}
      returning id, key, name, created_at, expires_at, revoked_at`.execute(tx);
  return rows[0];
}

const ofSubject = (subject: Subject) =>
  'adId' in subject ? sql<boolean>`ad_id = ${subject.adId}` : sql<boolean>`plan_id = ${subject.planId}`;

/** Newest first, with ids below `before`. */
export function listLinks(
  tx: Tx,
  subject: Subject,
  page: { before: number | null; limit: number },
): Promise<LinkRow[]> {
  return tx
    .selectFrom('reportLinks')
    .select(COLUMNS)
    .where(ofSubject(subject))
    .$if(page.before !== null, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

export type OwnLinkRow = LinkRow & { adPublicId: string | null; planPublicId: string | null };

/** All links of a user, oldest first, with ids above `after`. */
export function listLinksOf(
  tx: Tx,
  userId: number,
  page: { after: number; limit: number },
): Promise<OwnLinkRow[]> {
  return tx
    .selectFrom('reportLinks')
    .leftJoin('ads', 'ads.id', 'reportLinks.adId')
    .leftJoin('plans', 'plans.id', 'reportLinks.planId')
    .select([
      'reportLinks.id',
      'reportLinks.key',
      'reportLinks.name',
      'reportLinks.createdAt',
      'reportLinks.expiresAt',
      'reportLinks.revokedAt',
      'ads.publicId as adPublicId',
      'plans.publicId as planPublicId',
    ])
    .where('reportLinks.userId', '=', userId)
    .where('reportLinks.id', '>', page.after)
    .orderBy('reportLinks.id')
    .limit(page.limit)
    .execute();
}

/** Returns whether the user has this link. A link that was revoked before keeps its time. */
export async function revokeLink(tx: Tx, id: number, userId: number, at: Date): Promise<boolean> {
  const row = await tx
    .updateTable('reportLinks')
    .set({ revokedAt: sql`coalesce(revoked_at, ${at})` })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes the links of a user that work: all, or those that were made since then. */
export async function revokeLinksSince(tx: Tx, userId: number, since: Date | null, at: Date): Promise<void> {
  await tx
    .updateTable('reportLinks')
    .set({ revokedAt: at })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .$if(since !== null, (query) => query.where('createdAt', '>=', since as Date))
    .execute();
}

export type OpenLink = { userId: number; adId: number | null; planId: number | null; expiresAt: Date };

/** The link with this key, while it works and its owner's account is not suspended. */
export function findOpenLink(tx: Tx, key: string, at: Date): Promise<OpenLink | undefined> {
  return tx
    .selectFrom('reportLinks')
    .innerJoin('users', 'users.id', 'reportLinks.userId')
    .select(['reportLinks.userId', 'reportLinks.adId', 'reportLinks.planId', 'reportLinks.expiresAt'])
    .where('reportLinks.key', '=', key)
    .where('reportLinks.revokedAt', 'is', null)
    .where('reportLinks.expiresAt', '>', at)
    .where('users.suspendedAt', 'is', null)
    .executeTakeFirst();
}

/** Deletes the links that ended before `at`. */
export async function deleteEndedLinks(tx: Tx, at: Date): Promise<void> {
  await sql`delete from report_links where least(expires_at, revoked_at) < ${at}`.execute(tx);
}

export async function deleteLinksOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('reportLinks').where('userId', '=', userId).execute();
}
