import { type Notice, sidesToTell } from '#domain/notifications/notices.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { adMail } from './ad-mail.ts';
import { postMessage } from './post-message.ts';
import { findSubject } from './store.ts';

/** While payments move no real money, each mail about a campaign says so. */
function testLabel({ mode }: Pick<Context['payments'], 'mode'>): { label?: string } {
  if (mode === 'live') return {};
  return {
    label: `TEST: payments run in ${mode === 'sandbox' ? 'the sandbox' : 'test mode'}, so no money moves.`,
  };
}

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
      mail: { ...adMail(notice, side, subject, ctx.config, ctx.now()), ...testLabel(ctx.payments) },
    });
  }
}
