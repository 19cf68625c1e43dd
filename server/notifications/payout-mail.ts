import { isolated } from './isolated.ts';
import type { Mail } from './layout.ts';

/** The mail about a payout that did not arrive. `message` says why, and what mends it. */
export function payoutFailedMail(
  amount: string,
  message: string,
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  const where = mode === 'sandbox' ? 'the sandbox' : 'test mode';
  return {
    subject: 'Your payout failed',
    heading: 'Your payout failed',
    paragraphs: [`Your payout of ${amount} didn’t reach your bank account.`, isolated(message)],
    action: { label: 'Open your payout details', url: `${publicUrl}/settings?tab=billing` },
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
    ...(mode !== 'live' && { label: `TEST: payments run in ${where}, so no money moves.` }),
  };
}
