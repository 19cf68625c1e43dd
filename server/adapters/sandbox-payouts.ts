import { later, MINUTE_MS } from '#domain/time.ts';
import type { Database } from '../db/database.ts';
import { type Payee, type PaymentProvider, ProviderError, type Transfer } from './payment-provider.ts';
import { createOnce, newId, readObject } from './sandbox-objects.ts';

/** The sandbox's payouts to publishers. Every payee can be paid at once, and no money moves. */
export function sandboxPayouts(
  db: Database,
  now: () => Date,
): Pick<PaymentProvider, 'createPayee' | 'getPayee' | 'payeeLink' | 'transfer'> {
  return {
    async createPayee(payee, key) {
      const id = newId('acct');
      const data: Payee = { id, transfersStatus: 'active', requirements: [] };
      const parameters = { metadata: payee.metadata, country: payee.country };
      return createOnce(db, { kind: 'acct', key, parameters, data, id }, now());
    },

    getPayee: (id) => readObject<Payee>(db, 'acct', id),

    async payeeLink(id, urls) {
      await readObject(db, 'acct', id);
      // A sandbox payee has no form to fill in, so the link leads back at once.
      return { url: urls.return, expiresAt: later(now(), 5 * MINUTE_MS) };
    },

    async transfer(transfer, key) {
      await readObject(db, 'acct', transfer.payeeId);
      if (!transfer.sourceChargeId.startsWith('sbx_ch_')) {
        throw new ProviderError('not_found', `No such charge: ${transfer.sourceChargeId}`, {
          code: 'resource_missing',
        });
      }
      const id = newId('tr');
      const data: Transfer = { id, amount: transfer.amount };
      return createOnce(db, { kind: 'tr', key, parameters: transfer, data, id }, now());
    },
  };
}
