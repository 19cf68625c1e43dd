import { later, MINUTE_MS } from '#domain/time.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { Payee, PaymentProvider } from '../payment-provider.ts';
import type { RecordEvent } from './events.ts';
import {
  changeIn,
  changeObject,
  createOnce,
  newId,
  objectsOf,
  readObject,
  type StoredPayee,
  type StoredPayout,
} from './objects.ts';
import { isOnTheWay } from './transfers.ts';

const DOCUMENTS = ['individual.verification.document', 'external_account'];
const LINK_LIFETIME_MS = 5 * MINUTE_MS;

/** The accounts of publishers in the sandbox. */
export function sandboxPayees(
  db: Database,
  now: () => Date,
): Pick<PaymentProvider, 'createPayee' | 'getPayee' | 'payeeLink' | 'closePayee'> {
  return {
    async createPayee({ metadata, country }, key) {
      const id = newId('acct');
      const data: StoredPayee = {
        id,
        transfersStatus: 'pending',
        requirements: DOCUMENTS,
        destinations: [],
        metadata,
      };
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
      if (payouts.some(isOnTheWay)) return 'balance_not_zero';
      await changeObject<StoredPayee>(db, 'acct', id, now(), () => ({
        transfersStatus: 'inactive',
        requirements: [],
      }));
      return 'closed';
    },
  };
}

function payeeOf({ id, transfersStatus, requirements, destinations }: StoredPayee): Payee {
  return { id, transfersStatus, requirements, destinations };
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

/** The payee has entered the bank account or card with this fingerprint for their payouts. */
export async function movePayouts(
  tx: Tx,
  record: RecordEvent,
  payeeId: string,
  { destination, now }: { destination: string; now: Date },
): Promise<void> {
  const { metadata } = await changeIn<StoredPayee>(tx, 'acct', payeeId, now, () => ({
    destinations: [destination],
  }));
  await record(tx, { type: 'account.updated', objectId: payeeId, metadata, accountId: payeeId });
}
