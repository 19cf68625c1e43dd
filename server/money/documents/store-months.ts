/** The SQL of months: which are closed, and what their commission notes and statements say. Months are 'YYYY-MM'. */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { MailSettings } from '#domain/notifications/notices.ts';
import type { DocumentKind } from '#domain/payments/documents.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { MAIL_SETTINGS } from '#server/notify/notify.ts';
import { EARNING_KINDS } from '../ledger/balances.ts';
import { postingsOfMonths, type StatementAccount } from '../transparency-log/balance.ts';
import type { CommissionRow, StatementRow } from './store.ts';

/** When the first entry was recorded; null if there is none. */
export async function firstEntryAt(tx: Tx): Promise<Date | null> {
  const row = await tx
    .selectFrom('ledgerTx')
    .select('recordedAt')
    .orderBy('recordedAt')
    .limit(1)
    .executeTakeFirst();
  return row?.recordedAt ?? null;
}

/** The last closed month; null if there is none. */
export async function findLastClosed(tx: Tx): Promise<string | null> {
  const { rows } = await sql<{ month: string | null }>`
    select to_char(max(month), 'YYYY-MM') as month from closed_months`.execute(tx);
  return rows[0]!.month;
}

/**
 * Closes the months. `timeZone` is that of the marketplace, in which months of commission end. The lock waits for
 * transactions whose entries are not committed yet, and later ones see the closed months
 * (server/platform/database/functions/ledger/keep_months_closed.sql).
 */
export async function insertClosedMonths(
  tx: Tx,
  months: readonly string[],
  { timeZone, closedAt }: { timeZone: string; closedAt: Date },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(7305115)`.execute(tx);
  await sql`
    insert into closed_months (month, closed_at, commission_until)
      select month, ${closedAt}, (month + interval '1 month') at time zone known_timezone(${timeZone})
        from unnest(${months.map((month) => `${month}-01`)}::date[]) as month
      on conflict (month) do nothing`.execute(tx);
}

/** The end of a closed month for commission. */
const COMMISSION_UNTIL = sql`coalesce(commission_until, (month + interval '1 month') at time zone 'utc')`;

/**
 * The closed months, each with the time of its commission, as a table. A month begins where the one before has ended, so
 * that no entry is in two or in none, whatever time zone the marketplace had.
 */
export const COMMISSION_MONTHS = sql`(
  select month, documented_at, coalesce(lag(${COMMISSION_UNTIL}) over (order by month), month::timestamp at time zone 'utc') as begins,
      ${COMMISSION_UNTIL} as ends
    from closed_months)`;

/** Closed months whose documents are not all made, with the time of their commission, the oldest first. */
export async function listUndocumentedMonths(tx: Tx): Promise<{ month: string; from: Date; to: Date }[]> {
  const { rows } = await sql<{ month: string; from: Date; to: Date }>`
    select to_char(m.month, 'YYYY-MM') as month, begins as "from", ends as "to" from ${COMMISSION_MONTHS} as m
      where documented_at is null order by m.month`.execute(tx);
  return rows;
}

/** Locks a closed month, so that one transaction at a time makes its documents. False if they are all made. */
export async function lockUndocumented(tx: Tx, month: string): Promise<boolean> {
  const row = await tx
    .selectFrom('closedMonths')
    .select('documentedAt')
    .where('month', '=', `${month}-01`)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.documentedAt === null;
}

export async function markDocumented(tx: Tx, month: string, documentedAt: Date): Promise<void> {
  await tx
    .updateTable('closedMonths')
    .set({ documentedAt })
    .where('month', '=', `${month}-01`)
    .where('documentedAt', 'is', null)
    .execute();
}

/** A month of statements in UTC, and the time of its commission, in the time zone of the marketplace. */
export type Window = { month: string; from: Date; to: Date; commission: { from: Date; to: Date } };
export type Due = StatementAccount & { kind: 'commission_note' | 'statement' };

/**
 * The commission notes and statements of a month that are not made yet: one statement for each side of a user with a
 * line in the month, and one commission note for each publisher with an ad whose earnings or commission were booked.
 */
export async function listDue(
  tx: Tx,
  { month, from, to, commission }: Window,
  limit: number,
): Promise<Due[]> {
  type Row = {
    userId: number;
    side: 'buyer' | 'publisher';
    book: PaymentBook;
    currency: Currency;
    kind: Due['kind'];
  };
  const { rows } = await sql<Row>`
    with lines as materialized (
      select distinct a.kind as account, a.owner_id, a.book, a.currency, t.kind as entry, t.ad_id,
          t.recorded_at >= ${from} and t.recorded_at < ${to} as is_stated,
          t.recorded_at >= ${commission.from} and t.recorded_at < ${commission.to} as is_earned
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
        where t.recorded_at >= least(${from}::timestamptz, ${commission.from})
          and t.recorded_at < greatest(${to}::timestamptz, ${commission.to})
    ), due as (
      select owner_id as user_id, 'publisher' as side, book, currency, 'statement' as kind
        from lines where is_stated and account in ('publisher_payable', 'publisher_receivable')
      union
      select d.user_id, 'buyer', l.book, l.currency, 'statement'
        from lines l join ads d on d.id = l.owner_id
        where l.is_stated and l.account in ('deferred_publisher', 'deferred_commission', 'refund_payable')
      union
      select w.user_id, 'publisher', l.book, l.currency, 'commission_note'
        from lines l
        join ads d on d.id = l.ad_id
        join ad_zones z on z.id = d.ad_zone_id
        join websites w on w.id = z.website_id
        where l.is_earned and l.account in ('commission', 'publisher_payable', 'publisher_receivable')
          and l.entry in ${EARNING_KINDS} and l.entry <> 'tax'
    )
    select due.user_id as "userId", due.side, due.book, due.currency, due.kind
      from due
      where not exists (
        select from documents o
          where o.month = ${`${month}-01`}::date and o.user_id = due.user_id
            and o.kind = any(case due.kind
              when 'commission_note' then array['commission_note', 'self_billing'] else array[due.kind] end)
            and o.side is not distinct from case when due.kind = 'statement' then due.side end
            and o.book = due.book and o.currency = due.currency)
      order by due.kind, due.user_id, due.side, due.book
      limit ${limit}`.execute(tx);
  return rows;
}

/** The lines of a statement, summed up by ad and kind in the order of their first line. */
export async function sumLines(tx: Tx, account: StatementAccount, window: Window): Promise<StatementRow[]> {
  type Row = Omit<StatementRow, 'lines' | 'cents'> & { lines: string; cents: string };
  const { rows } = await sql<Row>`
    select d.public_id as "adPublicId", d.title, t.kind, count(*) as lines, -sum(p.amount_cents) as cents
      from ${postingsOfMonths(account, window)}
      left join ads d on d.id = t.ad_id
      group by d.id, t.kind
      order by min(t.id)`.execute(tx);
  return rows.map((row) => ({ ...row, lines: Number(row.lines), cents: Number(row.cents) }));
}

/**
 * The earnings of each ad of a publisher in a month, with their commission. Leaves out ads without entries in the
 * month.
 */
export async function sumCommission(
  tx: Tx,
  { userId, book, currency }: StatementAccount,
  { from, to }: Window['commission'],
): Promise<CommissionRow[]> {
  type Row = Omit<CommissionRow, 'earnedCents' | 'commissionCents'> & { earned: string; commission: string };
  const { rows } = await sql<Row>`
    select d.public_id as "adPublicId", d.title,
        -sum(p.amount_cents) filter (where a.kind <> 'commission') as earned,
        -sum(p.amount_cents) filter (where a.kind = 'commission') as commission
      from websites w
      join ad_zones z on z.website_id = w.id
      join ads d on d.ad_zone_id = z.id
      -- "offset 0" keeps the planner from reading the month of all publishers, or all months of the ad.
      cross join lateral (
        select * from ledger_tx
          where ad_id = d.id and recorded_at >= ${from} and recorded_at < ${to}
            and kind in ${EARNING_KINDS}
          offset 0) as t
      cross join lateral (select * from ledger_postings where tx_id = t.id offset 0) as p
      join ledger_accounts a on a.id = p.account_id
      where w.user_id = ${userId}
        and a.kind in ('commission', 'publisher_payable', 'publisher_receivable')
        and a.book = ${book} and a.currency = ${currency}
      group by d.id
      order by min(t.id)`.execute(tx);
  return rows.map(({ earned, commission, ...row }) => ({
    ...row,
    earnedCents: Number(earned ?? 0),
    commissionCents: Number(commission ?? 0),
  }));
}

/** Whether a document of a month exists. */
export async function hasDocument(tx: Tx, { month }: Window, due: Due): Promise<boolean> {
  const side = due.kind === 'statement' ? due.side : null;
  // A self-billing document takes the place of a commission note.
  const kinds = due.kind === 'statement' ? ['statement'] : ['commission_note', 'self_billing'];
  const { rows } = await sql`
    select from documents
      where month = ${`${month}-01`}::date and kind = any(${kinds}) and user_id = ${due.userId}
        and side is not distinct from ${side} and book = ${due.book} and currency = ${due.currency}`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Months whose documents are all made, and about which not everybody has got their mail, the oldest first. */
export async function listUnmailedMonths(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(closed_months.month, 'YYYY-MM') as month from closed_months
      where mailed_at is null and documented_at is not null order by closed_months.month`.execute(tx);
  return rows.map(({ month }) => month);
}

/** Locks the mailing of a month, and returns the number of the account that it has reached. Null if it is over. */
export async function lockMailing(tx: Tx, month: string): Promise<number | null> {
  const row = await tx
    .selectFrom('closedMonths')
    .select('mailedThrough')
    .where('month', '=', `${month}-01`)
    .where('mailedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.mailedThrough ?? null;
}

/** `mailedAt` is null while there are further accounts. */
export async function moveMailing(
  tx: Tx,
  month: string,
  reached: { mailedThrough?: number; mailedAt: Date | null },
): Promise<void> {
  await tx.updateTable('closedMonths').set(reached).where('month', '=', `${month}-01`).execute();
}

/** The documents of one kind, side and currency that somebody has for a month. */
export type Papers = {
  kind: DocumentKind;
  side: LedgerSide | null;
  currency: Currency;
  n: number;
  cents: number;
};
export type PersonPapers = MailSettings & {
  userId: number;
  email: string;
  isDeleted: boolean;
  papers: Papers[];
};

/** The first day of the month to which a document `d` belongs. The index documents_of_business_month has the same expression. */
const MONTH_OF = sql`coalesce(d.month,
  date_trunc('month', coalesce(d.issued_on::timestamp, d.issued_at at time zone 'utc'))::date)`;

/** The next people with documents for a month, by the numbers of their accounts. */
export async function listPapers(
  tx: Tx,
  { month, book, after, limit }: { month: string; book: PaymentBook; after: number; limit: number },
): Promise<PersonPapers[]> {
  const ofMonth = sql`d.book = ${book} and ${MONTH_OF} = ${`${month}-01`}::date`;
  const { rows } = await sql<PersonPapers>`
    select p.user_id, ${MAIL_SETTINGS}, u.deleted_at is not null as is_deleted, p.papers
      from (
        select user_id, json_agg(json_build_object('kind', kind, 'side', side, 'currency', currency, 'n', n, 'cents', cents)
            order by first) as papers
          from (
            select d.user_id, d.kind, d.side, d.currency, count(*) as n, sum(d.amount_cents) as cents, min(d.id) as first
              from (select distinct d.user_id from documents d where ${ofMonth} and d.user_id > ${after}
                order by d.user_id limit ${limit}) as next
              join documents d on d.user_id = next.user_id and ${ofMonth}
              group by d.user_id, d.kind, d.side, d.currency) as groups
          group by user_id) as p
      join users u on u.id = p.user_id
      left join user_settings s on s.user_id = u.id
      order by p.user_id`.execute(tx);
  return rows;
}
