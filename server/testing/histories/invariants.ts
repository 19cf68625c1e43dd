/** The invariants after each step of a history. The ledger's own rules are those of `openslot money check`. */
import { sql } from 'kysely';
import type pg from 'pg';
import type { EndedReason } from '#domain/ads/ended.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Database } from '#server/platform/database/database.ts';
import { deliveredUnits } from '#server/money/ledger/accrue.ts';
import { checkLedger } from '#server/money/ledger/check.ts';
import type { AtBank, History } from './history.ts';

/** The tables that `checkLedger` reads. Of an ad, an ad zone and a website it reads nothing that changes in a history. */
const BOOKS = [
  'ad_earnings',
  'bank_payouts',
  'disputes',
  'documents',
  'earned_hours',
  'ledger_accounts',
  'ledger_balances',
  'ledger_months',
  'ledger_postings',
  'ledger_tx',
  'payments',
  'payout_transfers',
  'payouts',
  'refund_tries',
  'refunds',
];
/** The tables that say how much an ad has delivered, apart from the clock. */
const UNITS = ['ad_earnings', 'ads'];

/**
 * Tells whether the rows that the invariants read have changed. Most steps change none, and checking the books costs
 * more than such a step. Triggers count the changes in sequences, which a rollback does not take back.
 */
export class Changes {
  private readonly pool: pg.Pool;
  private seen = { books: '', units: '' };

  private constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  static async watch(pool: pg.Pool): Promise<Changes> {
    await pool.query(`
      create sequence changes_of_books;
      create sequence changes_of_units;
      create function count_change() returns trigger language plpgsql as $$ begin
        perform nextval(tg_argv[0]::regclass);
        return null;
      end $$`);
    for (const [name, tables] of Object.entries({ books: BOOKS, units: UNITS }))
      for (const table of tables)
        await pool.query(`create trigger count_change_of_${name} after insert or update or delete on ${table}
          for each row execute function count_change('changes_of_${name}')`);
    return new Changes(pool);
  }

  /** The changes since the last call. */
  async take(): Promise<{ books: boolean; units: boolean }> {
    const { rows } = await this.pool.query<{ books: string; units: string }>(
      'select b.last_value as books, u.last_value as units from changes_of_books b, changes_of_units u',
    );
    const [now, before] = [rows[0] as { books: string; units: string }, this.seen];
    this.seen = now;
    return { books: now.books !== before.books, units: now.units !== before.units };
  }
}

/** Throws if the ledger disagrees with itself, the payments, the earnings or the refunds. */
export async function checkBooks(db: Database): Promise<void> {
  const differences = await checkLedger(db);
  if (differences.length > 0) throw new Error(JSON.stringify(differences));
}

/** Throws unless each payout by bank transfer is in the files and the books as often as the bank had it, with its amount. */
export async function checkBank(db: Database, bank: ReadonlyMap<string, AtBank>): Promise<void> {
  const { rows } = await sql<{ id: string; amount: string; filed: number; booked: string }>`
    select b.end_to_end_id as id, p.amount_cents as amount, (b.file_id is not null)::integer as filed,
        (select coalesce(sum(g.amount_cents), 0)
          from ledger_tx t join ledger_postings g on g.tx_id = t.id
          join ledger_accounts a on a.id = g.account_id and a.kind = 'bank'
          where t.kind in ('transfer', 'reversal') and t.meta ->> 'payout' = p.id::text) as booked
      from bank_payouts b join payouts p on p.id = b.payout_id`.execute(db);
  for (const row of rows) {
    const { cents, filed, paid, returned } = bank.get(row.id) ?? { cents: 0, filed: 0, paid: 0, returned: 0 };
    const isSame = filed === row.filed && Number(row.booked) === (returned - paid) * Number(row.amount);
    if (!isSame || paid > 1 || returned > paid || (filed === 1 && cents !== Number(row.amount)))
      throw new Error(`Bank: ${JSON.stringify([row, { cents, filed, paid, returned }])}`);
  }
}

/** Throws if the tax of a sale in the ledger is not that of its documents. Call it when no refund waits to be sent. */
export async function checkTaxDocuments(db: Database): Promise<void> {
  const { rows } = await sql`
    select p.ad_id, b.owed, d.tax
      from payments p
      join lateral (
        select coalesce(sum(abs(tax_cents) * case kind when 'receipt' then 1 else -1 end), 0) as tax
          from documents where payment_id = p.id) d on true
      join lateral (
        select -coalesce(sum(g.amount_cents), 0) as owed
          from ledger_tx t join ledger_postings g on g.tx_id = t.id
          join ledger_accounts a on a.id = g.account_id and a.kind = 'tax_payable'
          where t.ad_id = p.ad_id) b on true
      where p.status = 'succeeded' and b.owed <> d.tax
        and not exists (select from refunds r where r.payment_id = p.id and r.status = 'owed')`.execute(db);
  if (rows.length > 0) throw new Error(`Tax: ${JSON.stringify(rows)}`);
}

/**
 * Throws if the tax of a self-billing document is not that of its earnings, or a month below zero does not take back tax as
 * the last document above zero gave it.
 */
export async function checkInputTax(db: Database): Promise<void> {
  const { rows } = await sql`
    with billed as (
      select d.id, d.number, d.amount_cents as amount, d.tax_cents as tax, d.tax_rate as rate,
          d.content ->> 'publisherTax' as paid,
          d.amount_cents - case d.content ->> 'publisherTax' when 'on_top' then d.tax_cents else 0 end as earned
        from documents d where d.kind = 'self_billing')
    select b.number, b.earned, b.tax, t.rate, t.paid from billed b
      left join lateral (
        select * from billed l where l.id < b.id and l.amount > 0 order by l.id desc limit 1) as l on b.amount < 0
      cross join lateral (
        select case when l.id is null then b.rate else l.rate end as rate,
            case when l.id is null then b.paid else l.paid end as paid) as t
      where coalesce(b.tax, 0) <> case t.paid
        when 'on_top' then round(b.earned::numeric * t.rate / 100000)
        when 'included' then round(b.earned::numeric * t.rate / (100000 + t.rate)) else 0 end`.execute(db);
  if (rows.length > 0) throw new Error(`Input tax: ${JSON.stringify(rows)}`);
}

/**
 * Throws if the last payout with tax of self-billing documents sent some that had not waited for the shortest time of earnings
 * when it began, or that belonged to an ad on hold.
 */
export async function checkTaxWaits({ ctx: { db, config } }: Pick<History, 'ctx'>): Promise<void> {
  const days = Math.min(config.payouts.holdDays, config.payouts.firstHoldDays);
  const { rows } = await sql`
    with begun as (
      select p.created_at as at, t.amount_cents as cents from payouts p join payout_transfers t on t.payout_id = p.id
        where t.ad_id is null and t.state <> 'refused' order by p.id desc limit 1
    ), taxed as (
      select d.* from documents d join begun b on d.issued_at < b.at where content ->> 'publisherTax' = 'on_top'
    ), held as (
      select coalesce(sum(greatest(0, floor(cents))), 0) as cents from (
        select r ->> 'adPublicId', sum((r ->> 'earnedCents')::numeric * d.tax_rate / 100000) as cents
          from taxed d cross join lateral jsonb_array_elements(d.content -> 'rows') as r
          join ads a on a.public_id::text = r ->> 'adPublicId'
          where exists (
            select from holds h join begun b on h.made_at < b.at and (h.released_at is null or h.released_at > b.at)
              where h.ad_id = a.id)
          group by 1) as of_ad
    ), sums as (
      select b.at, b.cents as begun, h.cents as held,
          (select sum(amount_cents - reversed_cents) from payout_transfers where ad_id is null and state <> 'refused') as sent,
          (select coalesce(sum(tax_cents), 0) from taxed) as earned,
          (select coalesce(sum(tax_cents) filter (
            where tax_cents > 0 and issued_at <= b.at - make_interval(days => ${days}::integer)), 0) from taxed) as ripe
        from begun b, held h)
    select * from sums where sent > ripe or earned - sent < least(earned - sent + begun, held)`.execute(db);
  if (rows.length > 0) throw new Error(`Tax was paid too early: ${JSON.stringify(rows)}`);
}

/** Throws if a card was charged beyond the limit of its consent, or an ad was charged other than with one payment. */
export async function checkConsents(db: Database): Promise<void> {
  const { rows } = await sql`
    select c.id, c.limit_cents, sum(a.amount_cents) as used, count(*) filter (where a.state = 'paid') as paid,
        count(p.id) filter (where a.state = 'paid' and p.amount_cents = a.amount_cents) as payments
      from payment_consents c
      join consent_ads a on a.consent_id = c.id and a.state in ('charging', 'paid')
      left join payments p on p.ad_id = a.ad_id and p.status = 'succeeded'
      group by c.id
      having sum(a.amount_cents) > c.limit_cents
        or count(*) filter (where a.state = 'paid') <> count(p.id) filter (where a.state = 'paid' and p.amount_cents = a.amount_cents)`.execute(
    db,
  );
  if (rows.length > 0) throw new Error(`Consents: ${JSON.stringify(rows)}`);
}

/** Remembers what each ad had delivered. */
export class UnitsNeverFall {
  private readonly known = new Map<number, number>();
  private ads: Awaited<ReturnType<typeof findDelivered>> = [];

  clear(): void {
    this.known.clear();
    this.ads = [];
  }

  /** `areChanged`: whether rows of UNITS have changed. `mayRun`: whether the clocks of ads by the day may have moved. */
  async check(
    db: Database,
    adIds: readonly number[],
    now: Date,
    { mayFall, mayRun, areChanged }: { mayFall: boolean; mayRun: boolean; areChanged: boolean },
  ): Promise<void> {
    if (areChanged) this.ads = await findDelivered(db, adIds);
    for (const ad of this.ads) {
      const isRunning = ad.pricingModel === 'per_day' && ad.status === 'active';
      if (isRunning ? !mayRun : !areChanged) continue;
      const units = isRunning
        ? await deliveredUnits(db, ad.id, now)
        : settledUnits({
            ...ad,
            units: ad.units,
            bought: ad.bought,
            settledUnits: ad.settledUnits,
          });
      const before = this.known.get(ad.id) ?? 0;
      if (units < before && !mayFall)
        throw new Error(`Ad ${ad.id} had delivered ${before} units, and now ${units}`);
      this.known.set(ad.id, units);
    }
  }
}

async function findDelivered(db: Database, adIds: readonly number[]) {
  return await db
    .selectFrom('ads as a')
    .innerJoin('adEarnings as e', 'e.adId', 'a.id')
    .select(['a.id', 'a.status', 'a.endedReason', 'a.pricingModel', 'a.totalImpressions', 'a.totalClicks'])
    .select(['e.units', 'e.bought', 'e.settledUnits'])
    .where('a.id', '=', (eb) => eb.fn.any(eb.val(adIds)))
    .execute();
}

/** The delivered units that are on record: all but those of a running clock. */
function settledUnits(ad: {
  pricingModel: PricingModel;
  endedReason: EndedReason | null;
  totalImpressions: number;
  totalClicks: number;
  units: number;
  bought: number;
  settledUnits: number | null;
}): number {
  if (ad.pricingModel === 'per_day')
    return ad.settledUnits ?? (ad.endedReason === 'delivered' ? ad.bought : ad.units);
  return Math.min(ad.pricingModel === 'per_click' ? ad.totalClicks : ad.totalImpressions, ad.bought);
}
