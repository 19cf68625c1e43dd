import { type Notice, sidesToTell } from '#domain/notifications/notices.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { adMail } from './ad-mail.ts';
import { postMessage } from './post-message.ts';
import { findSubject } from './store.ts';

/**
 * Tells whom it concerns, as far as their settings allow, in the caller's transaction. The dashboards show the same,
 * so a notice that nobody wants by mail is not lost. Throws when there is no such ad.
 */
export async function notify(ctx: Context, tx: Tx, notice: Notice): Promise<void> {
  const subject = await findSubject(tx, notice.adId);
  if (!subject) throw new Error(`There is no ad ${notice.adId} to tell of`);
  const settings = { advertiser: subject.advertiser.settings, publisher: subject.publisher.settings };
  for (const side of sidesToTell(notice.kind, settings)) {
    const recipient = subject[side].email;
    if (recipient === null) continue;
    await postMessage(ctx, tx, {
      recipient,
      kind: notice.kind,
      mail: adMail(notice, side, subject, ctx.config.publicUrl),
    });
  }
}
