/** Sales and earnings of publishers in a period, for the report that an operator owes to a state. */
import { sql } from 'kysely';
import type { TaxStatus } from '#domain/accounts/tax-status.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { EARNING_KINDS } from '../../ledger/balances.ts';
import type { ExportWindow } from './store-export.ts';

/**
 * A publisher with a sale or earnings in the period. Cents: `gross` is the part of prices that was delivered, and `fees` the
 * commission in it, by quarter; `charged` are the prices of the ads that were paid, before refunds, and `sales` their
 * numbers, by month.
 */
export type ReportRow = {
  publisherId: number;
  name: string;
  email: string | null;
  taxStatus: TaxStatus | null;
  taxId: string | null;
  country: string | null;
  address: string | null;
  birthDate: string | null;
  registrationNumber: string | null;
  gross: number[];
  fees: number[];
  charged: number[];
  sales: number[];
};

/** The publishers of a report, with their present details, or those of the deletion of their account. [BOOK-230] */
export async function listReported(tx: Tx, { book, timeZone, from, to }: ExportWindow): Promise<ReportRow[]> {
  const during = sql`t.recorded_at >= ${from} and t.recorded_at < ${to}`;
  const part = (name: string) =>
    sql`extract(${sql.raw(name)} from t.recorded_at at time zone ${timeZone})::integer`;
  const ofSite = sql`join ads d on d.id = t.ad_id join ad_zones z on z.id = d.ad_zone_id join websites w on w.id = z.website_id`;
  /** A column of each quarter or month, of the user `u`. */
  const parts = (table: string, column: string, last: number) => sql`array(
    select coalesce(x.${sql.ref(column)}, 0)::float8 from generate_series(1, ${last}::integer) as i
      left join ${sql.table(table)} x on x.user_id = u.id and x.n = i order by i)`;
  const { rows } = await sql<ReportRow>`
    with earned as (
      select w.user_id, ${part('quarter')} as n, -sum(p.amount_cents) as gross,
          -coalesce(sum(p.amount_cents) filter (where a.kind = 'commission'), 0) as fees
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
        ${ofSite}
        where ${during} and a.book = ${book} and t.kind in ${EARNING_KINDS}
          and a.kind in ('commission', 'publisher_payable', 'publisher_receivable')
        group by 1, 2
    ), sold as (
      select w.user_id, ${part('month')} as n, -sum(p.amount_cents) as charged, count(distinct t.id) as sales
        from ledger_tx t
        join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id
        ${ofSite}
        where ${during} and a.book = ${book} and t.kind = 'paid' and a.kind in ('deferred_publisher', 'deferred_commission')
        group by 1, 2
    )
    select u.id as "publisherId",
        coalesce(c.party ->> 'name', nullif(s.business_name, ''), nullif(concat_ws(' ', u.first_name, u.last_name), ''),
          'Deleted account') as name,
        case when u.deleted_at is null then u.email end as email,
        coalesce(c.tax_status ->> 'taxStatus', s.tax_status) as "taxStatus",
        coalesce(c.party ->> 'taxId', s.tax_id) as "taxId", coalesce(c.party ->> 'country', s.country) as country,
        coalesce(c.party ->> 'address', s.address) as address,
        coalesce(c.report ->> 'birthDate', s.birth_date::text) as "birthDate",
        coalesce(c.report ->> 'registrationNumber', s.registration_number) as "registrationNumber",
        ${parts('earned', 'gross', 4)} as gross, ${parts('earned', 'fees', 4)} as fees,
        ${parts('sold', 'charged', 12)} as charged, ${parts('sold', 'sales', 12)} as sales
      from users u
      left join user_settings s on s.user_id = u.id
      left join closing_parties c on c.user_id = u.id
      where u.id in (select user_id from earned union select user_id from sold)
      order by u.id`.execute(tx);
  return rows;
}
