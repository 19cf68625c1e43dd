/**
 * The wait of everything outgoing. `openslot restore` sets it, so that a copy of an installation does not mail, refund or
 * pay a second time what the original has done since the backup. [OPS-54]
 */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Tx } from '../database/database.ts';
import { OUTGOING, type Outgoing } from './outgoing.ts';

/** Every refusal while everything waits, for the operator. */
export const MUST_WAIT =
  'Everything outgoing waits, because this database was restored from a backup. Make sure that the original server does not run, then run: openslot outbound release --reason TEXT';

/** How soon a running server follows a release. */
const LOOK_MS = 2000;

export type Outbound = {
  held: boolean;
  /** When the backup was restored. Null if nothing has to wait. */
  since: Date | null;
  /** Unsent mails, refunds and payouts that the provider has not taken, and other jobs that call the provider. */
  waiting: Record<Outgoing, number>;
};

/** As a part of a statement: since when everything outgoing waits; null if it doesn't. */
export const WAITING_SINCE = sql<Date | null>`(select held_since from outbound)`;

export async function mustWait(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ since: Date | null }>`select ${WAITING_SINCE} as since`.execute(tx);
  return rows[0]!.since !== null;
}

/**
 * Resolves as soon as everything outgoing waits, or with `isWaiting` false as soon as it does not, and when `signal` aborts. A
 * database that is away says nothing.
 */
export async function untilWaiting(db: Database, isWaiting: boolean, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if ((await mustWait(db).catch(() => null)) === isWaiting) return;
    await pause(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

/** Ends the wait, in the caller's transaction. Returns whether there was one. All servers follow within seconds. */
export async function endWait(tx: Tx): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outbound')
    .set({ heldSince: null })
    .where('heldSince', 'is not', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Since when everything waits, and what would wait now, also when nothing has to. */
export async function readOutbound(tx: Tx): Promise<Outbound> {
  const providerJobs = Object.entries(OUTGOING).flatMap(([job, what]) => (what === 'provider' ? [job] : []));
  const { rows } = await sql<Outbound['waiting'] & { since: Date | null }>`
    select ${WAITING_SINCE} as since,
      (select count(*) from messages where sent_at is null and not kept and not suppressed) as mail,
      (select count(*) from refunds where status = 'owed') as refunds,
      (select count(*) from payouts p where status = 'open'
        and exists (select from payout_transfers t where t.payout_id = p.id and t.state = 'trying')) as payouts,
      (select count(*) from graphile_worker.jobs where task_identifier = any(${providerJobs})) as provider
  `.execute(tx);
  const { since, ...waiting } = rows[0]!;
  return { held: since !== null, since, waiting };
}
