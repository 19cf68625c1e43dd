/** Cards that the sandbox saves for charges without their owner. It keeps their last four digits and expiry only. */
import { AUTHENTICATION_FAILED } from '#domain/payments/sandbox-cards.ts';
import type { Database } from '../../database/database.ts';
import {
  type Metadata,
  type PaymentProvider,
  ProviderError,
  type SavedCard,
  type Setup,
} from '../payment-provider.ts';
import { declinedError, type Saving } from './cards.ts';
import { intentOfSecret, newSecret, requireSecret } from './client-secret.ts';
import { addObject, changeObject, createOnce, newId, readObject, type Stored } from './objects.ts';

export type StoredCard = SavedCard & Stored & { customerId: string | null; isForgotten: boolean };
type StoredSetup = Setup & Stored & { waiting?: SavedCard | null; parameters?: unknown };

export type SandboxSetups = Pick<PaymentProvider, 'createSetup' | 'getSetup' | 'forgetCard'> & {
  /** Saves a card. Throws ProviderError 'declined'. A card that is already saved stays. */
  confirmSetup: (clientSecret: string, saving: Saving) => Promise<Setup>;
  authenticateSetup: (clientSecret: string, outcome: 'complete' | 'fail') => Promise<Setup>;
};

export function sandboxSetups(db: Database, now: () => Date): SandboxSetups {
  const change = async (
    clientSecret: string,
    work: (setup: StoredSetup) => Partial<StoredSetup>,
  ): Promise<Setup> => {
    const id = intentOfSecret(clientSecret);
    const changed = await changeObject<StoredSetup>(db, 'seti', id, now(), async (setup, tx) => {
      requireSecret(setup, clientSecret);
      if (setup.status === 'canceled') throw new ProviderError('conflict', 'This setup was canceled');
      if (setup.status === 'succeeded') return {};
      const changes = work(setup);
      const { card } = changes;
      if (card) {
        const kept: StoredCard = { ...card, customerId: setup.customerId, isForgotten: false };
        await addObject(tx, { kind: 'pm', id: card.id, parent: id, data: kept }, now());
      }
      return changes;
    });
    return setupOf(changed);
  };

  return {
    async createSetup({ customerId, metadata }: { customerId: string; metadata: Metadata }, key) {
      const id = newId('seti');
      const data: Setup = {
        id,
        clientSecret: newSecret(id),
        status: 'requires_card',
        customerId,
        card: null,
        metadata,
      };
      const parameters = { customerId, metadata };
      const made = await createOnce(db, { kind: 'seti', key, parameters, data, id }, now());
      return setupOf(await readObject<StoredSetup>(db, 'seti', made.id));
    },

    getSetup: async (id) => setupOf(await readObject<StoredSetup>(db, 'seti', id)),

    async confirmSetup(clientSecret, { error, isChallenged, card }) {
      const setup = await change(clientSecret, () => {
        if (error !== null || card === null) return { status: 'requires_card' };
        const saved = { ...card, id: newId('pm') };
        return isChallenged
          ? { status: 'requires_action', waiting: saved }
          : { status: 'succeeded', card: saved, waiting: null };
      });
      if (error !== null && setup.status !== 'succeeded') throw declinedError(error);
      return setup;
    },

    async authenticateSetup(clientSecret, outcome) {
      const setup = await change(clientSecret, ({ status, waiting }) => {
        if (status !== 'requires_action' || !waiting)
          throw new ProviderError('conflict', 'This card does not require authentication');
        return outcome === 'complete'
          ? { status: 'succeeded', card: waiting, waiting: null }
          : { status: 'requires_card', waiting: null };
      });
      if (setup.status !== 'succeeded') throw declinedError(AUTHENTICATION_FAILED);
      return setup;
    },

    async forgetCard(cardId) {
      try {
        await changeObject<StoredCard>(db, 'pm', cardId, now(), () => ({ isForgotten: true }));
      } catch (error) {
        if (!(error instanceof ProviderError && error.kind === 'not_found')) throw error;
      }
    },
  };
}

function setupOf({ due: _due, waiting: _waiting, parameters: _parameters, ...setup }: StoredSetup): Setup {
  return setup;
}
