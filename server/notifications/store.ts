import { sql } from 'kysely';
import type { MailSettings } from '#domain/notifications/notices.ts';
import type { Tx } from '../db/database.ts';

export type NewMessage = { recipient: string; kind: string; subject: string; text: string; html: string };

export async function insertMessage(tx: Tx, message: NewMessage, createdAt: Date): Promise<number> {
  const { recipient, kind, subject, text, html } = message;
  const { id } = await tx
    .insertInto('messages')
    .values({ recipient, kind, subject, bodyText: text, bodyHtml: html, createdAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function findMessage(tx: Tx, id: number) {
  return await tx.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();
}
export type MessageRow = NonNullable<Awaited<ReturnType<typeof findMessage>>>;

/** Newest first, at most 200. */
export async function listMessages(tx: Tx, recipient?: string): Promise<MessageRow[]> {
  return await tx
    .selectFrom('messages')
    .selectAll()
    .$if(recipient !== undefined, (query) => query.where('recipient', '=', recipient as string))
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
}

/** Marks a message that the relay has accepted, and deletes its text, which may contain a code. */
export async function markSent(tx: Tx, id: number, sentAt: Date): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ sentAt, bodyText: '', bodyHtml: '', lastError: null })
    .where('id', '=', id)
    .execute();
}

export async function markKept(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('messages').set({ kept: true }).where('id', '=', id).execute();
}

export async function countFailure(tx: Tx, id: number, lastError: string): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ attempts: sql<number>`attempts + 1`, lastError })
    .where('id', '=', id)
    .execute();
}

export async function deleteMessagesBefore(tx: Tx, instant: Date): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('messages')
    .where('createdAt', '<', instant)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteMessagesTo(tx: Tx, recipient: string): Promise<void> {
  await tx.deleteFrom('messages').where('recipient', '=', recipient).execute();
}

/** The advertiser or the publisher of an ad. The address is null when the account has been deleted. */
export type Party = { email: string | null; settings: MailSettings };

export type Subject = {
  title: string;
  description: string;
  imageUrl: string | null;
  zoneWidth: number;
  zoneHeight: number;
  zoneName: string;
  websiteName: string;
  publicId: string;
  totalAmount: string;
  commissionAmount: string;
  advertiser: Party;
  publisher: Party;
};

export async function findSubject(tx: Tx, adId: number): Promise<Subject | null> {
  const row = await tx
    .selectFrom('noticeSubjects')
    // The view has only the names and amounts for the sentences. The joins add how the ad looks.
    .innerJoin('ads', 'ads.id', 'noticeSubjects.adId')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .selectAll('noticeSubjects')
    .select(['ads.description', 'ads.imageUrl', 'adZones.width as zoneWidth', 'adZones.height as zoneHeight'])
    .where('noticeSubjects.adId', '=', adId)
    .executeTakeFirst();
  if (!row) return null;
  // PostgreSQL reports every column of a view as nullable. These columns come from tables where they are not.
  const given = row as { [Name in keyof typeof row]: NonNullable<(typeof row)[Name]> };
  return {
    title: given.title,
    description: given.description,
    imageUrl: row.imageUrl,
    zoneWidth: given.zoneWidth,
    zoneHeight: given.zoneHeight,
    zoneName: given.zoneName,
    websiteName: given.websiteName,
    publicId: given.publicId,
    totalAmount: given.totalAmount,
    commissionAmount: given.commissionAmount,
    advertiser: {
      email: given.advertiserExists ? given.advertiserEmail : null,
      settings: {
        emailNotifications: given.advertiserEmailNotifications,
        campaignUpdates: given.advertiserCampaignUpdates,
        paymentAlerts: given.advertiserPaymentAlerts,
      },
    },
    publisher: {
      email: given.publisherExists ? given.publisherEmail : null,
      settings: {
        emailNotifications: given.publisherEmailNotifications,
        campaignUpdates: given.publisherCampaignUpdates,
        paymentAlerts: given.publisherPaymentAlerts,
      },
    },
  };
}
