import { isolated, type Mail, testLabel } from '../layout.ts';

/** The mail about a payout that did not arrive. `message` gives the reason and the next step. */
export function payoutFailedMail(
  amount: string,
  message: string,
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  return {
    subject: 'Your payout failed',
    heading: 'Your payout failed',
    paragraphs: [`Your payout of ${amount} didn’t reach your bank account.`, isolated(message)],
    action: { label: 'Open your payout details', url: `${publicUrl}/earnings` },
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
    ...testLabel(mode),
  };
}

/**
 * The mail about a payout account that was ready and cannot receive payouts any more. `steps` tell the publisher the
 * missing details.
 */
export function payoutAccountMail(
  steps: readonly string[],
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  return {
    subject: 'Your payout account needs your attention',
    heading: 'Your payout account needs your attention',
    paragraphs: [
      'We can’t pay you at the moment. Your earnings stay in your balance until we can.',
      ...(steps.length > 0 ? steps : ['The card provider is checking your details.']),
    ],
    action: { label: 'Open your payout account', url: `${publicUrl}/earnings` },
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
    ...testLabel(mode),
  };
}

/** The mail about a payout that was sent. `message` says what is missing of it; null if nothing is. */
export function payoutSentMail(
  amount: string,
  message: string | null,
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  return {
    subject: 'Your payout is on its way',
    heading: 'Your payout is on its way',
    paragraphs: [
      `We have sent ${amount} to your payout account. Your bank usually has it within a few days.`,
      ...(message === null ? [] : [isolated(message)]),
    ],
    action: { label: 'Open your payouts', url: `${publicUrl}/earnings` },
    settingsUrl: `${publicUrl}/settings?tab=notifications`,
    ...testLabel(mode),
  };
}

const NOT_YOU =
  'If this wasn’t you, change your password right away, sign out everywhere else, and tell the marketplace operator.';

/** The mail about the first account for payouts: a saved IBAN, of which `last4` is the end, or the provider's page. */
export function payoutSetUpMail(
  last4: string | null,
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  const title =
    last4 === null ? 'You started to set up your payouts' : 'The bank account for your payouts is saved';
  return {
    subject: title,
    heading: title,
    paragraphs: [
      last4 === null
        ? 'The card provider asks for your bank account and your details. Earnings shows when your first payout leaves.'
        : `We send your payouts to the account whose IBAN ends in ${last4}. Earnings shows when the first one leaves.`,
    ],
    action: { label: 'Open your earnings', url: `${publicUrl}/earnings` },
    note: NOT_YOU,
    ...testLabel(mode),
  };
}

/**
 * The mail about a change of the account that receives the payouts: a saved IBAN, of which `last4` is the end, or the
 * opened page of the card provider (null). `until` is the end of the hold.
 */
export function payoutChangeMail(
  { last4, until }: { last4: string | null; until: string | null },
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  const title =
    last4 === null
      ? 'Your payout details were opened for changes'
      : 'The bank account for your payouts was changed';
  return {
    subject: title,
    heading: title,
    paragraphs: [
      last4 === null
        ? 'Someone signed in to your account opened the card provider’s page that says where your payouts go.'
        : `Someone signed in to your account saved a bank account for your payouts. Its IBAN ends in ${last4}.`,
      ...(until ? [`We hold all your payouts until ${until}. After that, they go on by themselves.`] : []),
    ],
    action: { label: 'Review your sessions', url: `${publicUrl}/settings?tab=security` },
    note: NOT_YOU,
    ...testLabel(mode),
  };
}

/** The mail about a payout that was requested in Settings. */
export function payoutRequestedMail(
  amount: string,
  publicUrl: string,
  mode: 'live' | 'test' | 'sandbox',
): Mail {
  return {
    subject: 'You requested a payout',
    heading: 'You requested a payout',
    paragraphs: [`We are sending ${amount} to your payout account.`],
    action: { label: 'Open your payouts', url: `${publicUrl}/earnings` },
    note: NOT_YOU,
    ...testLabel(mode),
  };
}
