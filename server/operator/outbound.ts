/** The wait of everything outgoing after a restore, for the operator. */
import { counted } from '#domain/format.ts';
import type { Context } from '#server/platform/context.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { endWait, type Outbound, readOutbound } from '#server/platform/outbound/wait.ts';
import { type Operator, perform, record } from './act.ts';

/** Such as '3 mails, 1 refund, 0 payouts, 2 other calls to the card provider'. */
export function waitingText({ mail, refunds, payouts, provider }: Outbound['waiting']): string {
  return `${counted(mail, 'mail')}, ${counted(refunds, 'refund')}, ${counted(payouts, 'payout')}, ${counted(provider, 'other call')} to the card provider`;
}

/**
 * Releases mail, refunds, payouts and calls to the card provider. Every server follows within seconds. Returns what waits
 * now. Throws 409 if nothing waits. [OPS-54]
 */
export async function releaseOutbound(
  ctx: Context,
  operator: Operator,
  { reason }: { reason: string },
): Promise<Outbound> {
  return await perform(ctx, operator, async (tx) => {
    if (!(await endWait(tx))) throw conflict('Nothing has to wait.');
    // It is about no person and no thing of the marketplace.
    const subject = { subject: 'job', subjectId: 0, subjectName: '', affectedId: null } as const;
    await record(ctx, tx, operator, { act: 'release-outbound', ...subject, reason });
    return await readOutbound(tx);
  });
}
