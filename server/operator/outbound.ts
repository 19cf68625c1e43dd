/** The hold of everything outgoing after a restore, for the operator. */
import type { Context } from '../context.ts';
import { conflict } from '../http/errors.ts';
import { endHold, type Outbound, readOutbound } from '../outbound/hold.ts';
import { type Operator, perform, record } from './act.ts';

/** Such as '3 mails, 1 refund, 0 payouts, 2 other calls to the card provider'. */
export function waitingText({ mail, refunds, payouts, provider }: Outbound['waiting']): string {
  const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
  const calls = count(provider, 'other call', 'other calls');
  return `${count(mail, 'mail')}, ${count(refunds, 'refund')}, ${count(payouts, 'payout')}, ${calls} to the card provider`;
}

/**
 * Releases mail, refunds, payouts and calls to the card provider. Every server follows within seconds. Returns what waits
 * now. Throws 409 if nothing is on hold. [OPS-55]
 */
export async function releaseOutbound(
  ctx: Context,
  operator: Operator,
  { reason }: { reason: string },
): Promise<Outbound> {
  return await perform(ctx, operator, async (tx) => {
    if (!(await endHold(tx))) throw conflict('Nothing is on hold.');
    // It is about no person and no thing of the marketplace.
    const subject = { subject: 'job', subjectId: 0, subjectName: '', affectedId: null } as const;
    await record(ctx, tx, operator, { act: 'release-outbound', ...subject, reason });
    return await readOutbound(tx);
  });
}
