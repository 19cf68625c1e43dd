/** The acts of operators, in the words that the affected people, the console and the command line show. */

export const SUBJECTS = ['person', 'website', 'zone', 'ad'] as const;
/** The kinds of subject that an operator can find, suspend and restore. */
export type Subject = (typeof SUBJECTS)[number];

/** The subjects of acts. An operator can suspend only the first four. */
export const ACT_SUBJECTS = [
  ...SUBJECTS,
  'mail',
  'job',
  'setting',
  'tax',
  'bank_file',
  'document',
  'page',
  'announcement',
  'invitation',
  'fault',
] as const;
export type ActSubject = (typeof ACT_SUBJECTS)[number];

/** The acts that refund, book, hold or defend money. */
export const MONEY_ACTS = [
  'refund',
  'retry-refund',
  'settle-suspense',
  'pay-refund',
  'hold',
  'release',
  'send-evidence',
  'pay-tax',
  'refund-tax',
  'release-cancel',
  'refuse-cancel',
  'carry-out-cancel',
  'debt-paid',
  'write-off',
  'make-bank-file',
  'note-bank-paid',
  'note-bank-returned',
] as const;

/** The acts of the server itself: no operator has decided in time, or a file was changed. */
const ACTS_OF_SERVER: ReadonlySet<Act> = new Set(['carry-out-cancel', 'change-tax-table']);

export const ACTS = [
  'add-operator',
  'remove-operator',
  'set-operator-role',
  'suspend',
  'restore',
  'take-down',
  'dismiss-reports',
  'uphold',
  'reverse',
  'end-sessions',
  'reset-second-factor',
  'resend-mail',
  'retry-job',
  'drop-job',
  'decide-ownership',
  'refuse-claim',
  'overrule-withdrawal',
  'read-person',
  'view-as',
  'read-document',
  'request-add-operator',
  'request-remove-operator',
  'request-set-operator-role',
  'request-refund',
  'request-write-off',
  'decline-request',
  'set-setting',
  'unset-setting',
  'release-outbound',
  'set-commission',
  'show-website',
  'hide-website',
  'ask-website',
  'save-page',
  'publish-page',
  'remove-page',
  'invite-operator',
  'revoke-invitation',
  'announce',
  'end-announcement',
  'expect-fault',
  'change-tax-table',
  'send-test-mail',
  'confirm-test-mail',
  'check-keys',
  ...MONEY_ACTS,
] as const;
export type Act = (typeof ACTS)[number];

export const SUBJECT_WORDS: Record<ActSubject, string> = {
  person: 'account',
  website: 'website',
  zone: 'ad zone',
  ad: 'ad',
  mail: 'e-mail',
  job: 'job',
  setting: 'setting',
  tax: 'tax',
  bank_file: 'bank file',
  document: 'document',
  page: 'page',
  announcement: 'announcement',
  invitation: 'invitation',
  fault: 'delivery fault',
};

const ACT_WORDS: Record<Act, (subject: string) => string> = {
  'add-operator': (subject) => `Gave operator rights to ${subject}`,
  'remove-operator': (subject) => `Removed the operator rights of ${subject}`,
  'set-operator-role': (subject) => `Changed the operator role of ${subject}`,
  suspend: (subject) => `Suspended ${subject}`,
  restore: (subject) => `Restored ${subject}`,
  'take-down': (subject) => `Took down ${subject}`,
  'dismiss-reports': (subject) => `Dismissed the reports about ${subject}`,
  uphold: (subject) => `Upheld the decision about ${subject}`,
  reverse: (subject) => `Reversed the decision about ${subject}`,
  'end-sessions': (subject) => `Ended all sessions of ${subject}`,
  'reset-second-factor': (subject) => `Turned off the two-step verification of ${subject}`,
  'resend-mail': (subject) => `Queued ${subject} again`,
  'retry-job': (subject) => `Retried ${subject}`,
  'drop-job': (subject) => `Dropped ${subject}`,
  'decide-ownership': (subject) => `Confirmed the ownership of ${subject}`,
  'refuse-claim': (subject) => `Refused the claim to ${subject}`,
  'overrule-withdrawal': (subject) => `Overruled a withdrawal of traffic of ${subject}`,
  'read-person': (subject) => `Read the file of ${subject}`,
  'view-as': (subject) => `Looked at the product as the person of ${subject}`,
  'read-document': (subject) => `Read ${subject}`,
  'request-add-operator': (subject) => `Asked a second operator to give operator rights to ${subject}`,
  'request-remove-operator': (subject) =>
    `Asked a second operator to remove the operator rights of ${subject}`,
  'request-set-operator-role': (subject) =>
    `Asked a second operator to change the operator role of ${subject}`,
  'request-refund': (subject) => `Asked a second operator to refund ${subject}`,
  'request-write-off': (subject) => `Asked a second owner to write off the debt of ${subject}`,
  'decline-request': (subject) => `Declined the request of an operator about ${subject}`,
  'set-setting': (subject) => `Changed ${subject}`,
  'unset-setting': (subject) => `Put ${subject} back to its default`,
  'release-outbound': () => 'Released mail, refunds, payouts and calls to the card provider',
  'set-commission': (subject) => `Changed the commission of ${subject}`,
  'show-website': (subject) => `Let ${subject} into the marketplace`,
  'hide-website': (subject) => `Kept ${subject} out of the marketplace`,
  'ask-website': (subject) => `Asked a question about ${subject}`,
  'save-page': (subject) => `Saved ${subject}`,
  'publish-page': (subject) => `Published ${subject}`,
  'remove-page': (subject) => `Removed ${subject} from the site`,
  'invite-operator': (subject) => `Sent ${subject} to become an operator`,
  'revoke-invitation': (subject) => `Revoked ${subject}`,
  announce: (subject) => `Made ${subject}`,
  'end-announcement': (subject) => `Ended ${subject}`,
  'expect-fault': (subject) => `Marked ${subject} as expected`,
  'change-tax-table': (subject) => `Changed the table of tax rates in ${subject}`,
  'send-test-mail': () => 'Sent a test mail to their own address',
  'confirm-test-mail': () => 'Typed the code of the test mail, which arrived',
  'check-keys': (subject) => `Checked ${subject} at the card provider`,
  refund: (subject) => `Refunded ${subject}`,
  'retry-refund': (subject) => `Sent the refund of ${subject} again`,
  'settle-suspense': (subject) => `Decided about money in suspense of ${subject}`,
  'pay-refund': (subject) => `Paid the refund of ${subject} by bank transfer`,
  hold: (subject) => `Held the earnings of ${subject}`,
  release: (subject) => `Released held earnings of ${subject}`,
  'pay-tax': (subject) => `Booked that ${subject} was paid to the state`,
  'refund-tax': (subject) => `Booked that the state paid tax back: ${subject}`,
  'release-cancel': (subject) => `Released the canceled ${subject} for its refund`,
  'refuse-cancel': (subject) => `Refused the cancel of ${subject}`,
  'carry-out-cancel': (subject) => `Carried out the cancel of ${subject}`,
  'debt-paid': (subject) => `Booked that the debt of ${subject} was paid`,
  'write-off': (subject) => `Wrote off the debt of ${subject}`,
  'make-bank-file': (subject) => `Made ${subject}`,
  'note-bank-paid': (subject) => `Booked that the bank paid a payout of ${subject}`,
  'note-bank-returned': (subject) => `Booked that a payout of ${subject} came back or was not made`,
  'send-evidence': (subject) => `Answered the dispute about ${subject}`,
};

/**
 * 'Suspended the website “The Daily Slot”'. `ofReader` is for the affected person: 'Suspended your website “…”'. Names
 * of people are not stored, so `subjectId` stands for them.
 */
export function actWords(
  act: { act: Act; subject: ActSubject; subjectId: number; subjectName: string },
  ofReader = false,
): string {
  const { subject, subjectId, subjectName } = act;
  const word = SUBJECT_WORDS[subject];
  const name =
    subject === 'person' ? (ofReader ? '' : ` ${subjectId}`) : subjectName ? ` “${subjectName}”` : '';
  return ACT_WORDS[act.act](`${ofReader ? 'your' : subject === 'person' ? '' : 'the'} ${word}${name}`.trim());
}

/** The name of the tax table that the database holds, which a person has changed. */
export const STORED_TAX_TABLE = 'TAX_RATES';

/** The actor of an act, as operators read it. The command line and the server have no account. */
export function actorText({
  act,
  subjectName,
  operatorId,
  operatorEmail,
}: {
  act: Act;
  subjectName?: string;
  operatorId: number | null;
  operatorEmail?: string | null;
}): string {
  if (operatorId !== null) return operatorEmail ?? `operator ${operatorId}`;
  return ACTS_OF_SERVER.has(act) && subjectName !== STORED_TAX_TABLE ? 'the server' : 'command line';
}

/** The decisions that come with a statement of reasons, to which the affected person can answer once. */
export const APPEALABLE: readonly Act[] = ['suspend', 'take-down', 'refuse-claim', 'hide-website'];

/** How long a decision can be answered (Digital Services Act, article 20: at least six months). */
export const APPEAL_DAYS = 183;
