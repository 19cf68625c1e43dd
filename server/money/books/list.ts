/** Money work that waits for the provider or for a person. [BOOK-01] */
import { sql } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { entriesInSuspense } from './store-suspense.ts';

/** `id` names the row for the command line; `ad` is its publicId. Amounts in cents. */
export type WaitingMoney = {
  id: string;
  ad: string | null;
  intent: string | null;
  amountCents: number;
  currency: string;
  /** The reason, in a few words. */
  problem: string;
  since: Date;
};

export type MoneyList = { stuck: WaitingMoney[]; suspense: WaitingMoney[]; refundsOwed: WaitingMoney[] };

/** A short outage causes fewer failed tries than this. */
const STUCK_AFTER = 3;

/** To see more rows, query the database. */
const MAX_ROWS = 500;

/**
 * Payments, events, transfers and reversals that failed several times, money that is not as agreed, and refunds that the
 * provider has not taken. Rows of every book, oldest first, at most 500 of each kind.
 */
export async function listMoney({ config, db }: Pick<Context, 'config' | 'db'>): Promise<MoneyList> {
  type Row = Omit<WaitingMoney, 'amountCents'> & { amountCents: string };
  const read = async (query: ReturnType<typeof sql<Row>>): Promise<WaitingMoney[]> => {
    const { rows } = await query.execute(db);
    return rows.map((row) => ({ ...row, amountCents: Number(row.amountCents) }));
  };
  const stuckPayments = await read(sql<Row>`
    select 'payment:' || p.id as id, a.public_id as ad, p.intent_id as intent, p.amount_cents, p.currency,
        coalesce(p.problem, 'no answer') as problem, p.created_at as since
      from payments p join ads a on a.id = p.ad_id
      where p.next_check_at is not null and p.status <> 'suspense' and p.problem is not null
        and p.checks >= ${STUCK_AFTER}
      order by p.id limit ${MAX_ROWS}`);
  const stuckEvents = await read(sql<Row>`
    select 'event:' || e.id as id, a.public_id as ad, p.intent_id as intent, coalesce(p.amount_cents, 0) as amount_cents,
        coalesce(p.currency, ${config.currency}) as currency, e.type || ': ' || coalesce(e.last_error, '') as problem,
        e.received_at as since
      from provider_events e
      left join payments p on p.intent_id = e.payload ->> 'objectId'
      left join ads a on a.id = p.ad_id
      where e.done_at is null and e.tries >= ${STUCK_AFTER}
      order by e.received_at limit ${MAX_ROWS}`);
  const stuckTransfers = await read(sql<Row>`
    select t.kind || ':' || t.id as id, a.public_id as ad, p.intent_id as intent, t.amount_cents, o.currency,
        coalesce(t.error, 'no answer') as problem, t.began_at as since
      from (
        select 'transfer' as kind, id, payout_id, ad_id, charge_id, amount_cents, error, began_at
          from payout_transfers where state = 'trying' and attempts >= ${STUCK_AFTER}
        union all
        select 'reversal', r.id, s.payout_id, s.ad_id, s.charge_id, r.amount_cents, r.error, r.began_at
          from transfer_reversals r join payout_transfers s on s.id = r.transfer_id
          where r.state = 'trying' and r.attempts >= ${STUCK_AFTER}) as t
      join payouts o on o.id = t.payout_id
      left join ads a on a.id = t.ad_id
      left join payments p on p.charge_id = t.charge_id
      order by t.began_at limit ${MAX_ROWS}`);
  const paymentsInSuspense = await read(sql<Row>`
    select 'payment:' || p.id as id, a.public_id as ad, p.intent_id as intent,
        coalesce(p.received_cents
          - (select coalesce(sum(r.publisher_cents), 0) from refunds r where r.payment_id = p.id), p.amount_cents) as amount_cents, coalesce(p.received_currency, p.currency) as currency,
        coalesce(p.problem, 'not_as_agreed') as problem, coalesce(p.paid_at, p.updated_at) as since
      from payments p join ads a on a.id = p.ad_id
      where p.status = 'suspense' and not exists (select from suspense_decisions d where d.payment_id = p.id)
      order by p.id limit ${MAX_ROWS}`);
  const movementsInSuspense = await read(sql<Row>`
    select 'entry:' || e.id as id, null as ad, null as intent, e.cents as amount_cents, e.currency,
        'unexplained movement ' || e."externalRef" as problem, e.since
      from (${entriesInSuspense()}) as e
      where not exists (select from suspense_decisions d where d.tx_id = e.id)
      order by e.id limit ${MAX_ROWS}`);
  const refundsOwed = await read(sql<Row>`
    select r.ref::text as id, a.public_id as ad, p.intent_id as intent, r.amount_cents, p.currency,
        coalesce(r.last_error, r.status) as problem, r.created_at as since
      from refunds r join payments p on p.id = r.payment_id join ads a on a.id = p.ad_id
      where r.status <> 'done'
      order by r.id limit ${MAX_ROWS}`);
  return {
    stuck: [...stuckPayments, ...stuckEvents, ...stuckTransfers],
    suspense: [...paymentsInSuspense, ...movementsInSuspense],
    refundsOwed,
  };
}

/** The refund that has this id in the lists. */
export async function findRefundByRef(
  tx: Tx,
  ref: string,
): Promise<{ id: number; adId: number; status: 'owed' | 'sent' | 'done' } | undefined> {
  return await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(['refunds.id', 'payments.adId', 'refunds.status'])
    .where('refunds.ref', '=', ref)
    .executeTakeFirst();
}
