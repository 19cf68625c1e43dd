/** The steps that objects take by themselves, when they are due. */
import { DISPUTED_LAST4 } from '#domain/payments/sandbox-cards.ts';
import type { Tx } from '../../database/database.ts';
import { dispute } from './disputes.ts';
import type { RecordEvent, Sandbox } from './events.ts';
import { chargeFee, moveBalance } from './money.ts';
import {
  changeIn,
  dueObjects,
  lockDue,
  type ObjectKind,
  readObject,
  type Stored,
  type StoredIntent,
  type StoredPayout,
} from './objects.ts';
import { arriving, failing, type StoredRefund } from './refunds.ts';
import { paid } from './transfers.ts';

/** Takes the due step of an object before reading it, so that the result does not depend on when the job runs. */
export async function readSettled<T extends Stored>(
  sandbox: Sandbox,
  kind: ObjectKind,
  id: string,
): Promise<T> {
  const object = await readObject<T>(sandbox.db, kind, id);
  if (!object.due || object.due.at > sandbox.now()) return object;
  await settleOne(sandbox, id);
  return await readObject<T>(sandbox.db, kind, id);
}

/** Takes the due step of one object or of all, such as a fee, the end of a pending refund or a bank payout. */
export async function settle(sandbox: Sandbox, objectId?: string): Promise<void> {
  if (objectId !== undefined) return settleOne(sandbox, objectId);
  for (;;) {
    const due = await dueObjects(sandbox.db, sandbox.now());
    for (const id of due) await settleOne(sandbox, id);
    if (due.length === 0) return;
  }
}

async function settleOne({ db, now, record }: Sandbox, id: string): Promise<void> {
  const at = now();
  await db.transaction().execute(async (tx) => {
    const locked = await lockDue(tx, id, at);
    if (!locked) return;
    const { kind, data } = locked;
    await changeIn<Stored>(tx, kind, id, at, async () => ({
      due: null,
      ...(await goOn(tx, record, data, at)),
    }));
  });
}

async function goOn(tx: Tx, record: RecordEvent, object: Stored, at: Date): Promise<Stored> {
  switch (object.due?.step) {
    case 'settle_charge':
      return settleCharge(tx, record, object as StoredIntent, at);
    case 'refund_succeeds':
      return arriving(tx, record, object as StoredRefund, at);
    case 'refund_fails':
      return failing(tx, record, object as StoredRefund, at);
    case 'payout_paid':
      return paid(tx, record, object as StoredPayout);
    case undefined:
      return {};
  }
}

/** Sets the fee of a charge. A charge of the card for disputes is then disputed. */
async function settleCharge(
  tx: Tx,
  record: RecordEvent,
  intent: StoredIntent,
  at: Date,
): Promise<Partial<StoredIntent>> {
  const { chargeId, amount, currency, metadata, card } = intent;
  const sourceId = chargeId as string;
  const balanceTransaction = await moveBalance(
    tx,
    { type: 'charge', sourceId, amount, fee: chargeFee(amount), currency },
    at,
  );
  await record(tx, { type: 'charge.updated', objectId: sourceId, metadata });
  if (card?.last4 === DISPUTED_LAST4) await dispute(tx, record, intent, { kind: 'dispute', now: at });
  return { balanceTransaction };
}
