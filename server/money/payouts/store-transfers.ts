/** The SQL of transfers and their reversals. */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isByBank } from './store.ts';

export type TransferRow = {
  id: number;
  key: string;
  payoutId: number;
  /** Null for the tax of self-billing documents, which no charge has paid for. */
  adId: number | null;
  publicId: string | null;
  publisherId: number;
  book: PaymentBook;
  currency: Currency;
  accountId: string;
  chargeId: string | null;
  amountCents: number;
  reversedCents: number;
  state: 'trying' | 'sent' | 'refused';
  providerId: string | null;
  attempts: number;
  beganAt: Date;
  /** The payout leaves by bank transfer, and is nothing at the provider. */
  isByBank: boolean;
};

function transfers(tx: Tx) {
  return tx
    .selectFrom('payoutTransfers as t')
    .innerJoin('payouts as p', 'p.id', 't.payoutId')
    .leftJoin('ads as a', 'a.id', 't.adId')
    .select([
      't.id',
      't.key',
      't.payoutId',
      't.adId',
      'a.publicId',
      'p.userId as publisherId',
      'p.book',
      'p.currency',
      'p.accountId',
      't.chargeId',
      't.amountCents',
      't.reversedCents',
      't.state',
      't.providerId',
      't.attempts',
      't.beganAt',
    ])
    .select(isByBank.as('isByBank'));
}

export async function findTransfer(tx: Tx, id: number, { lock = false } = {}): Promise<TransferRow | null> {
  const row = await transfers(tx)
    .where('t.id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate('t'))
    .executeTakeFirst();
  return row ?? null;
}

/** The transfer of the provider's object. Finds it by our key if we never learned the provider's id. */
export async function findTransferOf(
  tx: Tx,
  { providerId, key }: { providerId: string; key: string | null },
): Promise<TransferRow | null> {
  const row = await transfers(tx)
    .where((eb) =>
      eb.or([
        eb('t.providerId', '=', providerId),
        ...(key === null ? [] : [eb.and([eb('t.key', '=', key), eb('t.providerId', 'is', null)])]),
      ]),
    )
    .executeTakeFirst();
  return row ?? null;
}

export async function updateTransfer(
  tx: Tx,
  id: number,
  changes: {
    state?: 'sent' | 'refused';
    providerId?: string;
    bankStatus?: 'paid' | 'failed';
    bankMessage?: string;
    reversedCents?: number;
    attempts?: number;
    lookAt?: Date | null;
    error?: string | null;
  },
): Promise<void> {
  await tx.updateTable('payoutTransfers').set(changes).where('id', '=', id).execute();
}

type Due = { id: number; state: TransferRow['state']; accountId: string };

/**
 * Takes transfers that are to be sent or asked about at `now`, and puts their next look off, so that no other instance
 * takes them meanwhile.
 */
export async function takeDueTransfers(tx: Tx, now: Date, until: Date, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    update payout_transfers t set look_at = ${until}
      from payouts p
      where p.id = t.payout_id and t.id in (
        select id from payout_transfers where look_at <= ${now} order by look_at limit ${limit} for no key update skip locked)
      returning t.id, t.state, p.account_id as "accountId"`.execute(tx);
  return rows;
}

export async function listTrying(tx: Tx, payoutId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('payoutTransfers')
    .select('id')
    .where('payoutId', '=', payoutId)
    .where('state', '=', 'trying')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/* The publisher's bank */

/** The transfers of an account that may still arrive at its bank or come back from there, the oldest first. */
export async function listAtBank(
  tx: Tx,
  accountId: string,
  since: Date,
): Promise<{ id: number; beganAt: Date; bankStatus: string | null }[]> {
  return await tx
    .selectFrom('payoutTransfers as t')
    .innerJoin('payouts as p', 'p.id', 't.payoutId')
    .select(['t.id', 't.beganAt', 't.bankStatus'])
    .where('p.accountId', '=', accountId)
    .where('t.state', '=', 'sent')
    .where((eb) => eb.or([eb('t.bankStatus', 'is distinct from', 'paid'), eb('t.beganAt', '>', since)]))
    .orderBy('t.beganAt')
    .execute();
}

export type BankPayoutRow = {
  id: string;
  status: 'pending' | 'paid' | 'failed';
  message: string | null;
  transferIds: readonly string[];
  retriedIds: readonly string[];
};

/**
 * Locks the transfers of an account that these bank payouts carried, and those that may still arrive, in the order of
 * their ids. The payouts carry them in any order.
 */
export async function lockAtBank(
  tx: Tx,
  accountId: string,
  since: Date,
  payouts: readonly Pick<BankPayoutRow, 'id' | 'transferIds' | 'retriedIds'>[],
): Promise<void> {
  const carried = payouts.flatMap(({ transferIds }) => transferIds);
  const ids = payouts.flatMap(({ id, retriedIds }) => [id, ...retriedIds]);
  await sql`
    select t.id from payout_transfers t join payouts p on p.id = t.payout_id
      where p.account_id = ${accountId} and t.state = 'sent'
        and (t.bank_status is distinct from 'paid' or t.began_at > ${since}
          or t.provider_id = any(${carried}) or t.bank_payout_id = any(${ids}))
      order by t.id for no key update of t`.execute(tx);
}

/**
 * Records the outcome of the transfers that a bank payout of the account carried. A transfer stays with the bank payout
 * that carried it last. Returns our payouts whose transfers changed to this status.
 */
export async function noteBankPayout(
  tx: Tx,
  accountId: string,
  { id, status, message, transferIds, retriedIds }: BankPayoutRow,
): Promise<number[]> {
  const { rows } = await sql<{ payoutId: number }>`
    update payout_transfers t set bank_payout_id = ${id}, bank_status = ${status}, bank_message = ${message}
      from payouts p
      where p.id = t.payout_id and p.account_id = ${accountId} and t.state = 'sent'
        and ((t.provider_id = any(${transferIds}) and (t.bank_payout_id is null or t.bank_payout_id = ${id}))
          or t.bank_payout_id = any(${[id, ...retriedIds]}))
        and (t.bank_payout_id, t.bank_status) is distinct from (${id}, ${status})
      returning t.payout_id as "payoutId"`.execute(tx);
  return [...new Set(rows.map(({ payoutId }) => payoutId))];
}

/* Reversals */

export type ReversalRow = {
  id: number;
  key: string;
  transferId: number;
  amountCents: number;
  state: 'trying' | 'done' | 'refused';
  providerId: string | null;
  attempts: number;
  beganAt: Date;
};

function reversals(tx: Tx) {
  return tx
    .selectFrom('transferReversals')
    .select(['id', 'key', 'transferId', 'amountCents', 'state', 'providerId', 'attempts', 'beganAt']);
}

export async function findReversal(tx: Tx, id: number): Promise<ReversalRow | null> {
  const row = await reversals(tx).where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function findReversalOf(
  tx: Tx,
  transferId: number,
  { providerId, key }: { providerId: string; key: string | null },
): Promise<ReversalRow | null> {
  const row = await reversals(tx)
    .where('transferId', '=', transferId)
    .where((eb) =>
      eb.or([
        eb('providerId', '=', providerId),
        ...(key === null ? [] : [eb.and([eb('key', '=', key), eb('providerId', 'is', null)])]),
      ]),
    )
    .executeTakeFirst();
  return row ?? null;
}

export async function insertReversal(
  tx: Tx,
  reversal: { transferId: number; amountCents: number; beganAt: Date; lookAt: Date | null },
): Promise<ReversalRow> {
  const row = await tx
    .insertInto('transferReversals')
    .values(reversal)
    .returning(['id', 'key', 'transferId', 'amountCents', 'state', 'providerId', 'attempts', 'beganAt'])
    .executeTakeFirstOrThrow();
  return row;
}

export async function updateReversal(
  tx: Tx,
  id: number,
  changes: {
    state?: 'done' | 'refused';
    providerId?: string;
    attempts?: number;
    lookAt?: Date | null;
    error?: string | null;
  },
): Promise<void> {
  await tx.updateTable('transferReversals').set(changes).where('id', '=', id).execute();
}

/** Takes reversals that are to be sent at `now`, and puts their next look off. */
export async function takeDueReversals(tx: Tx, now: Date, until: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update transfer_reversals set look_at = ${until}
      where id in (
        select id from transfer_reversals where look_at <= ${now} order by look_at limit ${limit} for no key update skip locked)
      returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * The ended ads that were reduced since `since` and were sent more than they have earned, beyond what is being taken back.
 * Their refunds are sent first, because a reversal that came before a failed refund could not be undone.
 */
export async function listExcess(
  tx: Tx,
  book: PaymentBook,
  since: Date,
  adId: number | null = null,
): Promise<{ adId: number; excessCents: number }[]> {
  const { rows } = await sql<{ adId: number; excess: string }>`
    select a.id as "adId", t.sent - e.publisher_cents + d.borne as excess
      from (
        select distinct ad_id from ledger_tx
          where kind in ('correction', 'dispute_lost') and recorded_at > ${since}
            and (${adId}::integer is null or ad_id = ${adId}::integer)) as reduced
      join ads a on a.id = reduced.ad_id and a.status = 'completed'
      join ad_earnings e on e.ad_id = a.id
      join payments p on p.ad_id = a.id and p.status = 'succeeded' and p.book = ${book}
      cross join lateral (
        select coalesce(sum(borne_cents), 0) as borne, count(lost_at) > 0 as "isLost"
          from disputes where payment_id = p.id) as d
      cross join lateral (
        select coalesce(sum(amount_cents - reversed_cents - (
              select coalesce(sum(r.amount_cents), 0) from transfer_reversals r
                where r.transfer_id = payout_transfers.id and r.state = 'trying')), 0) as sent
          from payout_transfers where ad_id = a.id and state = 'sent') as t
      where t.sent > e.publisher_cents - d.borne
        and e.due_at is null
        and (d."isLost" or not exists (select from refunds r where r.payment_id = p.id and r.status = 'owed'))
        and not exists (
          select from ledger_accounts l join ledger_balances b on b.account_id = l.id
            where l.kind = 'deferred_publisher' and l.owner_id = a.id and b.amount_cents <> 0)
      order by a.id`.execute(tx);
  return rows.map(({ excess, ...row }) => ({ ...row, excessCents: Number(excess) }));
}

/**
 * The transfers of an ad from which something can be taken back, the oldest first, locked. What left by bank transfer
 * cannot be taken back: later earnings settle it.
 */
export async function lockReversible(tx: Tx, adId: number): Promise<{ id: number; leftCents: number }[]> {
  const { rows } = await sql<{ id: number; leftCents: number }>`
    select t.id, t.amount_cents - t.reversed_cents as "leftCents"
      from payout_transfers t
      where t.ad_id = ${adId} and t.state = 'sent' and t.amount_cents > t.reversed_cents
        and not exists (select from bank_payouts b where b.payout_id = t.payout_id)
        -- A publisher's balance that did not have the money is not asked again: later earnings settle it.
        and not exists (select from transfer_reversals r where r.transfer_id = t.id and r.state <> 'done')
      order by t.id
      for no key update of t`.execute(tx);
  return rows;
}

/** Whether something is being taken back from the transfers of an ad. */
export async function isReversing(tx: Tx, adId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('transferReversals as r')
    .innerJoin('payoutTransfers as t', 't.id', 'r.transferId')
    .select('r.id')
    .where('t.adId', '=', adId)
    .where('r.state', '=', 'trying')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
