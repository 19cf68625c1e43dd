import { later, SECOND_MS } from '#domain/time.ts';
import type { Tx } from '../../database/database.ts';
import { type PaymentIntent, type PaymentProvider, ProviderError } from '../payment-provider.ts';
import { newSecret } from './client-secret.ts';
import type { Sandbox } from './events.ts';
import { requireLeast } from './money.ts';
import {
  addObject,
  changeObject,
  createOnce,
  newestObjects,
  newId,
  settleSoon,
  type StoredIntent,
} from './objects.ts';
import { readSettled } from './steps.ts';

/** The time between a charge and its fee. */
const FEE_AFTER_MS = 2 * SECOND_MS;

/** Payment intents, without the ways to pay them. */
export function sandboxIntents(
  sandbox: Sandbox,
): Pick<PaymentProvider, 'createIntent' | 'getIntent' | 'cancelIntent' | 'intentsSince'> {
  const { db, now } = sandbox;
  const readIntent = async (id: string): Promise<PaymentIntent> =>
    intentOf(await readSettled<StoredIntent>(sandbox, 'pi', id));

  return {
    async createIntent(intent, key) {
      requireLeast(intent.amount, intent.currency);
      const id = newId('pi');
      const at = now();
      const data: StoredIntent = {
        id,
        clientSecret: newSecret(id),
        status: 'requires_payment',
        amount: intent.amount,
        amountReceived: 0,
        currency: intent.currency,
        customerId: intent.customerId,
        chargeId: null,
        chargedAt: null,
        card: null,
        balanceTransaction: null,
        lastError: null,
        metadata: intent.metadata,
        live: false,
        createdAt: at,
      };
      const { id: made } = await createOnce(db, { kind: 'pi', key, parameters: intent, data, id }, at);
      // With a reused key the intent may be an older one in a later state.
      return readIntent(made);
    },

    getIntent: readIntent,

    async cancelIntent(id) {
      return changeIntent(sandbox, id, (intent) => {
        if (intent.status === 'succeeded') {
          throw new ProviderError('conflict', 'This intent has already succeeded', {
            code: 'payment_intent_unexpected_state',
          });
        }
        return intent.status === 'canceled' ? {} : { status: 'canceled' };
      });
    },

    async *intentsSince(since) {
      for await (const intent of newestObjects<StoredIntent>(db, 'pi', since)) yield intentOf(intent);
    },
  };
}

/** Changes an intent. If its state changes, the same transaction records the event about it. */
export async function changeIntent(
  { db, now, record }: Sandbox,
  id: string,
  change: (intent: StoredIntent, tx: Tx) => Partial<StoredIntent> | Promise<Partial<StoredIntent>>,
): Promise<PaymentIntent> {
  const stored = await changeObject<StoredIntent>(db, 'pi', id, now(), async (intent, tx) => {
    const changes = await change(intent, tx);
    const type = eventOf(changes);
    if (type) await record(tx, { type, objectId: id, metadata: intent.metadata });
    return changes;
  });
  return intentOf(stored);
}

/** Charges an intent. The caller changes it to what this returns. */
export async function charge(
  { now }: Sandbox,
  tx: Tx,
  { id, amount }: StoredIntent,
): Promise<Partial<StoredIntent>> {
  const at = now();
  const chargeId = newId('ch');
  await addObject(tx, { kind: 'ch', id: chargeId, parent: id, data: { intentId: id } }, at);
  await settleSoon(tx, id);
  return {
    status: 'succeeded',
    amountReceived: amount,
    chargeId,
    chargedAt: at,
    lastError: null,
    due: { step: 'settle_charge', at: later(at, FEE_AFTER_MS) },
  };
}

function intentOf(stored: StoredIntent & { parameters?: unknown }): PaymentIntent {
  const { due: _due, parameters: _parameters, chargeKey: _chargeKey, ...intent } = stored;
  return intent;
}

function eventOf(changes: Partial<StoredIntent>): string | null {
  if (changes.status === 'succeeded') return 'payment_intent.succeeded';
  if (changes.status === 'canceled') return 'payment_intent.canceled';
  return changes.lastError ? 'payment_intent.payment_failed' : null;
}
