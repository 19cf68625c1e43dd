import { sql } from 'kysely';
import {
  type MailSettings,
  type Notice,
  type PersonalKind,
  personalSwitch,
} from '#domain/notifications/notices.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { adMail, sidesToTell } from './ad-mail.ts';
import { type Mail, testLabel } from './layout.ts';
import { postMessage } from './post-message.ts';
import { findSubject, type Subject } from './store.ts';

/**
 * Mails a notice to the publisher, the advertiser or both, as their settings allow, in the caller's transaction. Their
 * dashboards show the same. Throws if the ad does not exist.
 */
export async function notify(ctx: Context, tx: Tx, notice: Notice): Promise<void> {
  const subject = await findSubject(tx, notice.adId);
  if (!subject) throw new Error(`A notice is about ad ${notice.adId}, but there is no ad with this id`);
  const settings = { advertiser: subject.advertiser.settings, publisher: subject.publisher.settings };
  for (const { side, offSwitch } of sidesToTell(notice.kind, settings)) {
    const recipient = subject[side].email;
    if (recipient === null) continue;
    await postMessage(ctx, tx, {
      recipient,
      kind: notice.kind,
      offSwitch,
      gathers: hasFollowers(notice, subject),
      mail: { ...adMail(notice, side, subject, ctx.config, ctx.now()), ...testLabel(ctx.payments.mode) },
    });
  }
}

/** Whether more mails of the same minute are likely: about the other ads of a plan, or the charge that an approval begins. */
const hasFollowers = (notice: Notice, { planId }: Subject): boolean =>
  planId !== null || (notice.kind === 'ad-approved' && notice.card !== null);

/** The address and the settings of a user `u` with `user_settings s`, which a user without changes has not. */
export const MAIL_SETTINGS = sql`
  u.email, coalesce(s.email_notifications, true) as email_notifications,
  coalesce(s.campaign_updates, true) as campaign_updates, coalesce(s.payment_alerts, true) as payment_alerts`;

/** Mails a person about something else than one ad, if their settings allow it, in the caller's transaction. */
export async function notifyPerson(
  ctx: Context,
  tx: Tx,
  { email, ...settings }: MailSettings & { email: string },
  { kind, mail }: { kind: PersonalKind; mail: Mail },
): Promise<void> {
  const offSwitch = personalSwitch(kind, settings);
  if (offSwitch !== null) await postMessage(ctx, tx, { recipient: email, kind, offSwitch, mail });
}
