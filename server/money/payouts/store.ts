/** The SQL of payouts. Amounts are cents. PostgreSQL returns their sums as text. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { TransferState } from '#domain/payments/payout-history.ts';
import type { Accrual } from '#domain/payments/payouts.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type Book = { book: PaymentBook; currency: Currency };

/** An ad that was paid for in one book, with what its publisher has earned and been sent for it. */
export type SoldAd = {
  adId: number;
  publicId: string;
  chargeId: string;
  earnedCents: number;
  /** The part that deliveries posted. A lost dispute may have taken some of it back. */
  accruedCents: number;
  /** Transferred, or on its way, and not taken back. */
  sentCents: number;
  /** Until when its delivery is posted. */
  until: Date;
  /** Whether something may have been delivered since. */
  isDue: boolean;
};

/** The ads of a publisher that have ever run, the oldest first. */
export async function listSoldAds(tx: Tx, publisherId: number, { book, currency }: Book): Promise<SoldAd[]> {
  type Row = Omit<SoldAd, 'earnedCents' | 'accruedCents' | 'sentCents'> &
    Record<'accrued' | 'borne' | 'sent', string>;
  const { rows } = await sql<Row>`
    select a.id as "adId", a.public_id as "publicId", p.charge_id as "chargeId", e.until,
        e.due_at is not null as "isDue", e.publisher_cents as accrued,
        (select coalesce(sum(d.borne_cents), 0) from disputes d where d.payment_id = p.id) as borne,
        (select coalesce(sum(t.amount_cents - t.reversed_cents), 0) from payout_transfers t
          where t.ad_id = a.id and t.state <> 'refused') as sent
      from websites w
      join ad_zones z on z.website_id = w.id
      join ads a on a.ad_zone_id = z.id
      join ad_earnings e on e.ad_id = a.id
      join payments p on p.ad_id = a.id and p.status = 'succeeded'
      where w.user_id = ${publisherId} and p.book = ${book} and p.currency = ${currency}
      order by a.id`.execute(tx);
  return rows.map(({ accrued, borne, sent, ...row }) => ({
    ...row,
    accruedCents: Number(accrued),
    earnedCents: Number(accrued) - Number(borne),
    sentCents: Number(sent),
  }));
}

/** Whether a campaign runs in an ad zone of this publisher. */
export async function hasRunningAds(tx: Tx, publisherId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('ads as a')
    .innerJoin('adZones as z', 'z.id', 'a.adZoneId')
    .innerJoin('websites as w', 'w.id', 'z.websiteId')
    .select('a.id')
    .where('w.userId', '=', publisherId)
    .where('a.status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The earnings of these ads by deliveries that ended after `since`, the oldest first. */
export async function listAccruals(tx: Tx, adIds: readonly number[], since: Date): Promise<Accrual[]> {
  const { rows } = await sql<{ adId: number; at: Date; cents: string }>`
    select t.ad_id as "adId", t.occurred_at as at, -p.amount_cents as cents
      from ledger_tx t
      join ledger_postings p on p.tx_id = t.id
      join ledger_accounts a on a.id = p.account_id and a.kind = 'publisher_payable'
      where t.kind = 'accrual' and t.ad_id = any(${adIds}) and t.occurred_at > ${since}
      order by t.occurred_at, t.id`.execute(tx);
  return rows.map(({ cents, ...row }) => ({ ...row, cents: Number(cents) }));
}

/** Keeps the account from being deleted until the transaction ends. Returns false if it was deleted. */
export async function lockPublisher(tx: Tx, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Lets one transaction at a time begin a payout of a publisher. */
export async function lockPayoutsOf(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(7305114, ${userId}::integer)`.execute(tx);
}

/**
 * Locks the ads of a publisher that have earned more than was sent, by id. The transfers of a payout lock the earnings of
 * their ads (server/platform/database/functions/money/guard_payout_transfer.sql), which otherwise change under the lock of the ad only.
 */
export async function lockUnpaidAds(tx: Tx, publisherId: number, book: Book): Promise<void> {
  const unpaid = (await listSoldAds(tx, publisherId, book)).filter(
    ({ earnedCents, sentCents }) => earnedCents > sentCents,
  );
  const ids = unpaid.map(({ adId }) => adId);
  await sql`select from ads where id = any(${ids}) order by id for no key update`.execute(tx);
}

export type RequestedBy = 'schedule' | 'publisher';

/**
 * Records a payout with its transfers. Nothing is sent yet. `isSent`: a job sends the transfers, and looks at those that
 * it could not send. Returns its id.
 */
export async function insertPayout(
  tx: Tx,
  payout: Book & { userId: number; accountId: string; amountCents: number; requestedBy: RequestedBy },
  transfers: readonly { adId: number | null; chargeId: string | null; cents: number }[],
  { at, isSent }: { at: Date; isSent: boolean },
): Promise<number> {
  const { id } = await tx
    .insertInto('payouts')
    .values({ ...payout, createdAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('payoutTransfers')
    .values(
      transfers
        .toSorted((one, other) => (one.adId ?? 0) - (other.adId ?? 0))
        .map(({ adId, chargeId, cents }) => ({
          payoutId: id,
          adId,
          chargeId,
          amountCents: cents,
          beganAt: at,
          lookAt: isSent ? at : null,
        })),
    )
    .execute();
  return id;
}

/** A payout that leaves with a file for the operator's bank. The random part keeps installations of one bank account apart. */
export async function insertBankPayout(
  tx: Tx,
  { payoutId, bankAccountId }: { payoutId: number; bankAccountId: number },
): Promise<void> {
  const endToEndId = `P${payoutId}-${randomBytes(6).toString('hex')}`;
  await tx.insertInto('bankPayouts').values({ payoutId, bankAccountId, endToEndId }).execute();
}

/** Whether a payout leaves by bank transfer, for a payout in `p`. */
export const isByBank = sql<boolean>`exists (select from bank_payouts b where b.payout_id = p.id)`;

/** Whether the publisher of a payout `p` is suspended. */
export const isOfSuspended = sql<boolean>`exists (
  select from users u where u.id = p.user_id and u.suspended_at is not null)`;

/** Locks a payout, so that its transfers change one after the other. */
export async function lockPayout(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('payouts').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Closes a payout if none of its transfers waits for an answer. Returns true if it was open until now. */
export async function closePayout(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .updateTable('payouts')
    .set({ status: 'closed' })
    .where('id', '=', id)
    .where('status', '=', 'open')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payoutTransfers')
            .select('id')
            .where('payoutId', '=', id)
            .where('state', '=', 'trying'),
        ),
      ),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export type ListedPayout = {
  id: number;
  createdAt: Date;
  amountCents: number;
  transfers: TransferState[];
};

/** A publisher's payouts with their transfers, the newest first. */
export async function listPayouts(
  tx: Tx,
  userId: number,
  book: PaymentBook,
  limit: number,
): Promise<ListedPayout[]> {
  const payouts = await tx
    .selectFrom('payouts')
    .select(['id', 'createdAt', 'amountCents'])
    .where('userId', '=', userId)
    .where('book', '=', book)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const transfers = await listTransferStates(
    tx,
    payouts.map(({ id }) => id),
  );
  return payouts.map(({ amountCents, ...payout }) => ({
    ...payout,
    amountCents,
    transfers: transfers.get(payout.id) ?? [],
  }));
}

/**
 * The closed payouts, begun after `since`, of which the provider refused a part or the bank sent one back. `isLatest`: their
 * publisher has no later one.
 */
export async function listFailing(
  tx: Tx,
  book: PaymentBook,
  since: Date,
): Promise<{ id: number; userId: number; amountCents: number; currency: Currency; isLatest: boolean }[]> {
  return await tx
    .selectFrom('payouts as p')
    .select(['p.id', 'p.userId', 'p.amountCents', 'p.currency'])
    .select(
      sql<boolean>`not exists (
        select from payouts n where n.user_id = p.user_id and n.book = p.book and n.id > p.id)`.as(
        'isLatest',
      ),
    )
    .where('p.book', '=', book)
    .where('p.status', '=', 'closed')
    .where('p.id', 'in', (transfers) =>
      transfers
        .selectFrom('payoutTransfers')
        .select('payoutId')
        .where('beganAt', '>', since)
        .where((eb) => eb.or([eb('state', '=', 'refused'), eb('bankStatus', '=', 'failed')])),
    )
    .orderBy('p.id')
    .execute();
}

/** The states of the transfers of these payouts, by payout. */
export async function listTransferStates(
  tx: Tx,
  payoutIds: readonly number[],
): Promise<Map<number, TransferState[]>> {
  const rows = await tx
    .selectFrom('payoutTransfers as t')
    .innerJoin('payouts as p', 'p.id', 't.payoutId')
    .select(['payoutId', 'state', 't.amountCents', 'reversedCents', 'bankStatus', 'bankMessage', 'error'])
    .select(isByBank.as('isByBank'))
    .where('payoutId', '=', (eb) => eb.fn.any(eb.val(payoutIds)))
    .orderBy('t.id')
    .execute();
  const byPayout = new Map<number, TransferState[]>();
  for (const { payoutId, amountCents, reversedCents, ...row } of rows) {
    const states = byPayout.get(payoutId) ?? [];
    states.push({ ...row, amountCents, reversedCents });
    byPayout.set(payoutId, states);
  }
  return byPayout;
}

const payable = ({ book, currency }: Book) => sql`
  select -b.amount_cents as cents from ledger_accounts a join ledger_balances b on b.account_id = a.id
    where a.kind = 'publisher_payable' and a.owner_id = w.user_id and a.book = ${book} and a.currency = ${currency}
    offset 0`;

/**
 * Takes the turns of this week of the publishers with less than `leastCents` payable, so that they are not read again in the
 * same week. A publisher whose earnings are not posted up to the beginning of the week keeps the turn.
 */
export async function passTurns(
  tx: Tx,
  money: Book,
  { week, leastCents }: { week: Date; leastCents: number },
): Promise<void> {
  await sql`
    with below as (
      select w.user_id from payout_weeks w
        where w.book = ${money.book} and w.week < ${week}
          and not exists (select from (${payable(money)}) as balance where cents >= ${leastCents})
          and not exists (
            select from websites s
              join ad_zones z on z.website_id = s.id
              join ads d on d.ad_zone_id = z.id
              join ad_earnings e on e.ad_id = d.id
              where s.user_id = w.user_id and e.due_at is not null and e.until < ${week}
              offset 0)
        for no key update of w skip locked)
    update payout_weeks w set week = ${week} from below
      where w.user_id = below.user_id and w.book = ${money.book}`.execute(tx);
}

/** The publishers with at least `leastCents` payable who have not had their turn of this week, by id. */
export async function listForWeek(
  tx: Tx,
  money: Book,
  { week, leastCents, after, limit }: { week: Date; leastCents: number; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id
      from payout_weeks w
      join users u on u.id = w.user_id
      cross join lateral (${payable(money)}) as balance
      where w.book = ${money.book} and w.week < ${week} and w.user_id > ${after} and cents >= ${leastCents}
        and u.suspended_at is null and u.deleted_at is null
      order by u.id
      limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Takes a publisher's turn of this week. Returns false if another instance has taken it, or the account was deleted. */
export async function takeWeek(tx: Tx, userId: number, book: PaymentBook, week: Date): Promise<boolean> {
  // The lock on the user waits for a deletion, which locks the user first, too.
  const { rows } = await sql`
    insert into payout_weeks as w (user_id, book, week)
      select id, ${book}, ${week} from users where id = ${userId} and deleted_at is null for share
      on conflict (user_id, book) do update set week = excluded.week where w.week < excluded.week
      returning 1`.execute(tx);
  return rows.length > 0;
}

/** The publishers with both a debt and a payable balance. */
export async function listToNet(tx: Tx, { book, currency }: Book): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select r.owner_id as id
      from ledger_accounts r
      join ledger_balances b on b.account_id = r.id
      where r.kind = 'publisher_receivable' and r.book = ${book} and r.currency = ${currency} and b.amount_cents > 0
        and exists (
          select from ledger_accounts a join ledger_balances p on p.account_id = a.id
            where a.kind = 'publisher_payable' and a.owner_id = r.owner_id and a.book = r.book
              and a.currency = r.currency and p.amount_cents < 0)
      order by r.owner_id`.execute(tx);
  return rows.map(({ id }) => id);
}
