import { DAY_MS, later, MINUTE_MS } from '#domain/time.ts';
import type { Database, Tx } from '../db/database.ts';
import {
  type Cents,
  type Metadata,
  type Payee,
  type PaymentProvider,
  ProviderError,
  type Transfer,
} from './payment-provider.ts';
import type { RecordEvent } from './sandbox-events.ts';
import { moveBalance } from './sandbox-money.ts';
import {
  addObject,
  changeIn,
  changeObject,
  createOnce,
  newId,
  objectsOf,
  readObject,
  type Stored,
} from './sandbox-objects.ts';
import type { StoredIntent } from './sandbox-payments.ts';

type StoredPayee = Payee & Stored & { metadata: Metadata };
type StoredTransfer = Transfer & Stored & { currency: string };
/** The payout of a transfer to the payee's own bank. */
export type StoredPayout = Stored & {
  id: string;
  payeeId: string;
  transferId: string;
  amount: Cents;
  currency: string;
  status: 'pending' | 'paid' | 'failed';
};

const DOCUMENTS = ['individual.verification.document', 'external_account'];
const LINK_LIFETIME_MS = 5 * MINUTE_MS;
const BANK_TAKES_MS = 2 * DAY_MS;

/** The sandbox's payouts to publishers. No money moves. */
export function sandboxPayouts(
  db: Database,
  now: () => Date,
  record: RecordEvent,
): Pick<PaymentProvider, 'createPayee' | 'getPayee' | 'payeeLink' | 'closePayee' | 'transfer'> {
  return {
    async createPayee({ metadata, country }, key) {
      const id = newId('acct');
      const data: StoredPayee = { id, transfersStatus: 'pending', requirements: DOCUMENTS, metadata };
      const made = await createOnce(
        db,
        { kind: 'acct', key, parameters: { metadata, country }, data, id },
        now(),
      );
      return payeeOf(made);
    },

    getPayee: async (id) => payeeOf(await readObject<StoredPayee>(db, 'acct', id)),

    async payeeLink(id, urls) {
      await readObject(db, 'acct', id);
      const url = new URL('/api/sandbox/onboarding', urls.return);
      return { url: url.href, expiresAt: later(now(), LINK_LIFETIME_MS) };
    },

    async closePayee(id) {
      const payouts = await objectsOf<StoredPayout>(db, id, 'po');
      // A payout that failed has come back to the account.
      if (payouts.some(({ status }) => status !== 'paid')) return 'balance_not_zero';
      await changeObject<StoredPayee>(db, 'acct', id, now(), () => ({
        transfersStatus: 'inactive',
        requirements: [],
      }));
      return 'closed';
    },

    async transfer(transfer, key) {
      const { payeeId, amount, currency, sourceChargeId, metadata } = transfer;
      const at = now();
      const payee = await readObject<StoredPayee>(db, 'acct', payeeId);
      const { intentId } = await readObject<{ intentId: string }>(db, 'ch', sourceChargeId);
      let made: StoredTransfer | undefined;
      await changeObject<StoredIntent>(db, 'pi', intentId, at, async (intent, tx) => {
        const id = newId('tr');
        const data: StoredTransfer = { id, amount, currency };
        made = await createOnce(
          tx,
          { kind: 'tr', key, parameters: transfer, data, id, parent: sourceChargeId },
          at,
        );
        if (made.id !== id) return {};
        if (payee.transfersStatus !== 'active') throw refused('This account cannot receive transfers yet');
        if (currency !== intent.currency) throw refused('A transfer must be in the currency of its charge');
        const sent = (await objectsOf<StoredTransfer>(tx, sourceChargeId, 'tr')).reduce(
          (sum, each) => sum + each.amount,
          0,
        );
        if (sent > intent.amountReceived) throw refused('The transfers of this charge exceed its amount');
        await moveBalance(tx, { type: 'transfer', sourceId: id, amount: -amount, currency }, at);
        await record(tx, { type: 'transfer.created', objectId: id, metadata });
        const payout: StoredPayout = {
          id: newId('po'),
          payeeId,
          transferId: id,
          amount,
          currency,
          status: 'pending',
          due: { step: 'payout_paid', at: later(at, BANK_TAKES_MS) },
        };
        await addObject(tx, { kind: 'po', id: payout.id, parent: payeeId, data: payout }, at);
        return {};
      });
      const { id } = made as StoredTransfer;
      return { id, amount };
    },
  };
}

function refused(message: string): ProviderError {
  return new ProviderError('invalid', message, { code: 'transfer_refused' });
}

function payeeOf({ id, transfersStatus, requirements }: StoredPayee): Payee {
  return { id, transfersStatus, requirements };
}

/** The provider has checked the payee's documents, or asks for them again. */
export async function reviewPayee(
  tx: Tx,
  record: RecordEvent,
  payeeId: string,
  { isComplete, now }: { isComplete: boolean; now: Date },
): Promise<void> {
  const { metadata } = await changeIn<StoredPayee>(tx, 'acct', payeeId, now, () => ({
    transfersStatus: isComplete ? 'active' : 'inactive',
    requirements: isComplete ? [] : DOCUMENTS,
  }));
  for (const type of ['account.updated', 'capability.updated'])
    await record(tx, { type, objectId: payeeId, metadata, accountId: payeeId });
}

/** The payee's bank has received a payout. */
export async function paid(
  tx: Tx,
  record: RecordEvent,
  { id, payeeId }: StoredPayout,
): Promise<Partial<StoredPayout>> {
  await record(tx, { type: 'payout.paid', objectId: id, metadata: {}, accountId: payeeId });
  return { status: 'paid', due: null };
}

/** The payee's bank sends the last payout back. Throws 'conflict' if there is none. */
export async function failLastPayout(tx: Tx, record: RecordEvent, payeeId: string, now: Date): Promise<void> {
  const last = (await objectsOf<StoredPayout>(tx, payeeId, 'po')).at(-1);
  if (!last) throw new ProviderError('conflict', 'This publisher has had no payout yet.');
  await changeIn<StoredPayout>(tx, 'po', last.id, now, async ({ status }) => {
    if (status === 'failed') throw new ProviderError('conflict', 'The last payout has already failed.');
    await record(tx, { type: 'payout.failed', objectId: last.id, metadata: {}, accountId: payeeId });
    return { status: 'failed', due: null };
  });
}
