import { sql } from 'kysely';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import { mailboxOf } from '#domain/notifications/mailbox.ts';
import type { MailSettings } from '#domain/notifications/notices.ts';
import type { Switch } from '#domain/notifications/switches.ts';
import { utcDay } from '#domain/time.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { queued } from '#server/platform/database/job-queue.ts';

export type NewMessage = {
  recipient: string;
  kind: string;
  offSwitch: Switch | null;
  subject: string;
  text: string;
  html: string;
};

/** Stores a message and queues the job that sends it, now or at the time `heldUntil`. */
export async function insertMessage(
  tx: Tx,
  message: NewMessage,
  { createdAt, heldUntil }: { createdAt: Date; heldUntil: Date | null },
): Promise<void> {
  const { recipient, kind, offSwitch, subject, text, html } = message;
  await tx
    .with('message', (query) =>
      query
        .insertInto('messages')
        .values({
          recipient,
          mailbox: mailboxOf(recipient),
          kind,
          offSwitch,
          subject,
          bodyText: text,
          bodyHtml: html,
          createdAt,
          heldUntil,
        })
        .returning('id'),
    )
    .selectFrom('message')
    .select(queued('send-message', sql`json_build_object('messageId', id)`, heldUntil).as('job'))
    .execute();
}

/**
 * Notes that the operator is mailed about a cause on this UTC day. Returns false if they were mailed about it on this day
 * already, by any instance.
 */
export async function takeDayOf(tx: Tx, cause: string, now: Date): Promise<boolean> {
  const day = utcDay(now);
  const row = await tx
    .insertInto('alarmMails')
    .values({ cause, day })
    .onConflict((conflict) =>
      conflict
        .column('cause')
        .doUpdateSet({ day })
        .where('alarmMails.day', '<', sql<string>`excluded.day`),
    )
    .returning('cause')
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes the causes about which the operator was not mailed on this UTC day. */
export async function forgetPastAlarms(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('alarmMails').where('day', '<', utcDay(now)).execute();
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

/** Marks messages that the relay has accepted, and deletes their text, which may contain a code. */
export async function markSent(tx: Tx, ids: number[], sentAt: Date): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ sentAt, bodyText: '', bodyHtml: '', lastError: null })
    .where('id', 'in', ids)
    .execute();
}

export async function markSuppressed(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('messages').set({ suppressed: true, heldUntil: null }).where('id', '=', id).execute();
}

export async function markKept(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('messages').set({ kept: true }).where('id', '=', id).execute();
}

/** Lets one transaction at a time decide about messages to this mailbox. */
export async function lockMailbox(tx: Tx, mailbox: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('mail'), hashtext(${mailbox}))`.execute(tx);
}

/** When mails to this mailbox were claimed since `since`, newest first. */
export async function claimedTimes(tx: Tx, mailbox: string, since: Date): Promise<Date[]> {
  const rows = await tx
    .selectFrom('messages')
    .select('claimedAt')
    .where('mailbox', '=', mailbox)
    .where('claimedAt', '>', since)
    .where('mergedInto', 'is', null)
    .orderBy('claimedAt', 'desc')
    .execute();
  return rows.map(({ claimedAt }) => claimedAt as Date);
}

export async function claimMessage(tx: Tx, id: number, claimedAt: Date): Promise<void> {
  await tx.updateTable('messages').set({ claimedAt, heldUntil: null }).where('id', '=', id).execute();
}

export async function holdMessage(tx: Tx, id: number, heldUntil: Date): Promise<void> {
  await tx.updateTable('messages').set({ heldUntil }).where('id', '=', id).execute();
}

/** Returns the id of the newest later message of the same kind to the same address. */
export async function findNewerOfKind(tx: Tx, message: MessageRow): Promise<number | undefined> {
  const row = await tx
    .selectFrom('messages')
    .select('id')
    .where('recipient', '=', message.recipient)
    .where('kind', '=', message.kind)
    .where('id', '>', message.id)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.id;
}

export async function mergeInto(tx: Tx, id: number, mergedInto: number): Promise<void> {
  await tx.updateTable('messages').set({ mergedInto, heldUntil: null }).where('id', '=', id).execute();
}

/** Merges all other held messages of these kinds to the same address into this one. */
export async function mergeHeldInto(tx: Tx, message: MessageRow, kinds: string[]): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ mergedInto: message.id, heldUntil: null })
    .where('recipient', '=', message.recipient)
    .where('heldUntil', 'is not', null)
    .where('kind', 'in', kinds)
    .where('id', '<>', message.id)
    .execute();
}

/** Oldest first. */
export async function selectMergedInto(tx: Tx, id: number): Promise<MessageRow[]> {
  return await tx
    .selectFrom('messages')
    .selectAll()
    .where('mergedInto', '=', id)
    .where('sentAt', 'is', null)
    .orderBy('id')
    .execute();
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

/** The account that has this e-mail address. */
export async function findAddressee(tx: Tx, email: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

export async function findAddressOf(tx: Tx, userId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  return row?.email;
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
  planId: number | null;
  pricingModel: PricingModel;
  isPausedByAdvertiser: boolean;
  /** When a paid ad starts; null before the payment. */
  startDate: Date | null;
  /** Until when an approved ad holds its booked days; null if it holds none. */
  payBy: Date | null;
  totalAmount: string;
  /** The publisher's part of the price. */
  earnings: string;
  commissionPercent: number;
  /** The tax that is beside the fee. */
  taxAmount: string;
  advertiser: Party;
  publisher: Party;
};

export async function findSubject(tx: Tx, adId: number): Promise<Subject | null> {
  const row = await tx
    .selectFrom('noticeSubjects')
    // The view has only the names and amounts for the sentences. The joins add how the ad looks.
    .innerJoin('ads', 'ads.id', 'noticeSubjects.adId')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .leftJoin('payments as paid', (join) =>
      join.onRef('paid.adId', '=', 'ads.id').on('paid.status', '=', 'succeeded'),
    )
    .selectAll('noticeSubjects')
    .select([
      'ads.description',
      'ads.imageUrl',
      'ads.pricingModel',
      'ads.advertiserPausedAt',
      'ads.commissionPercent',
      'paid.commissionCents as paidCommissionCents',
      'paid.feeCents as paidFeeCents',
      'ads.startDate',
      'ads.planId',
      sql<Date | null>`ad_pay_by(ads)`.as('payBy'),
      'adZones.width as zoneWidth',
      'adZones.height as zoneHeight',
    ])
    .where('noticeSubjects.adId', '=', adId)
    .executeTakeFirst();
  if (!row) return null;
  // PostgreSQL reports every column of a view as nullable. These columns come from tables where they are not.
  const given = row as { [Name in keyof typeof row]: NonNullable<(typeof row)[Name]> };
  // A taxed sale has another one than its ad, because the tax is known only with the payment.
  const commissionCents = row.paidCommissionCents ?? centsOf(given.commissionAmount);
  const feeCents = row.paidFeeCents ?? commissionCents;
  return {
    title: given.title,
    description: given.description,
    imageUrl: row.imageUrl,
    zoneWidth: given.zoneWidth,
    zoneHeight: given.zoneHeight,
    zoneName: given.zoneName,
    websiteName: given.websiteName,
    publicId: given.publicId,
    planId: row.planId,
    pricingModel: row.pricingModel,
    isPausedByAdvertiser: row.advertiserPausedAt !== null,
    startDate: row.startDate,
    payBy: row.payBy,
    totalAmount: given.totalAmount,
    earnings: decimalOf(centsOf(given.totalAmount) - commissionCents),
    taxAmount: decimalOf(commissionCents - feeCents),
    commissionPercent: Number(row.commissionPercent),
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

/** Messages that wait or failed, or all messages to `to`. Newest first, with ids below `before`. */
export async function selectOutgoing(
  tx: Tx,
  { to, before, limit }: { to?: string | undefined; before: number | null; limit: number },
) {
  return await tx
    .selectFrom('messages')
    .select(['id', 'recipient', 'kind', 'subject', 'createdAt', 'sentAt', 'kept', 'suppressed', 'attempts'])
    .select(['lastError', 'heldUntil'])
    .$if(to !== undefined, (query) => query.where('recipient', '=', to as string))
    .$if(to === undefined, (query) =>
      query.where('sentAt', 'is', null).where('kept', '=', false).where('suppressed', '=', false),
    )
    .$if(before !== null, (query) => query.where('id', '<', before as number))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function lockMessage(tx: Tx, id: number) {
  return await tx
    .selectFrom('messages')
    .select(['recipient', 'subject', 'sentAt', 'suppressed'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function markWaiting(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('messages').set({ kept: false, suppressed: false }).where('id', '=', id).execute();
}
