import type { Jobs } from '../database/job-queue.ts';

/** The kinds of work that wait while everything outgoing waits, as `openslot outbound status` counts it. */
export type Outgoing = 'mail' | 'refunds' | 'payouts' | 'provider';

/**
 * What each queued job sends out of the installation. Null: it changes only our own database and files, or only reads a
 * public page, so it runs while everything outgoing waits. With the sandbox, the provider is in our database as well.
 * Its jobs wait all the same, so that a rehearsal of a restore shows what a real one does. The work about money that the
 * clock starts says the same in server/money/books/run.ts. [OPS-54]
 */
export const OUTGOING: Readonly<Record<keyof Jobs, Outgoing | null>> = {
  'send-message': 'mail',
  'send-refund': 'refunds',
  'send-payout': 'payouts',
  // It reads the present state of the event's object from the provider.
  'apply-provider-event': 'provider',
  'cancel-intent': 'provider',
  'charge-consented': 'provider',
  'forget-card': 'provider',
  'forget-customer': 'provider',
  'close-payee': 'provider',
  'settle-sandbox-object': null,
  'check-target': null,
  'remove-files': null,
  'remove-avatar': null,
  'remove-site-picture': null,
  // It posts messages and notifications, and sends none.
  'tell-completed': null,
  'tell-ended': null,
  'mail-announcement': null,
};
