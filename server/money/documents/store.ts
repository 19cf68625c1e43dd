/** The SQL of documents. Amounts are cents. PostgreSQL returns their sums as text. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { EndedReason } from '#domain/ads/ended.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import type { Currency } from '#domain/money.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import type { PublisherTax } from '#domain/payments/input-tax.ts';
import type { TaxReason } from '#domain/payments/tax.ts';
import type { LedgerSide } from '#domain/payments/ledger-sides.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { UserSettings } from '#server/platform/database/tables.ts';
import { listKept } from '../ledger/kept.ts';
import { later, utcDay } from '#domain/time.ts';

/** The marketplace and the person whom a document is for, as they were when it was made. Only the marketplace has legal lines. */
export type Party = {
  name: string;
  address: string | null;
  taxId: string | null;
  country: string | null;
  legal?: string | null;
};

/** The sold ad. */
export type Sale = {
  adPublicId: string;
  title: string;
  zone: string;
  website: string;
  /** Such as '7 days' or '10,000 impressions'. */
  bought: string;
  /** ISO 8601. */
  paidAt: string;
  /** The day of the charge that the document prints, YYYY-MM-DD. Absent in earlier documents, which print the day in UTC. */
  paidOn?: string;
  /** The advertiser's own reference, if they gave one at the checkout. */
  reference?: string;
  /** Of the campaign, as it was planned when the document was made. */
  period?: Period;
};

/** The commission of one ad in a month, in cents. Negative amounts correct earlier months. */
export type CommissionRow = {
  adPublicId: string;
  title: string;
  earnedCents: number;
  commissionCents: number;
};

/** All lines of one kind about one ad in a month: their number and their sum, plus in the reader's favor. */
export type StatementRow = {
  adPublicId: string | null;
  title: string | null;
  kind: string;
  lines: number;
  cents: number;
};

export type Content =
  /** The receipt of a disputed payment that came back names the earlier receipt and its credit note in `returned`. */
  | { kind: 'receipt'; sale: Sale; returned?: { receipt: string; creditNote: string } }
  | {
      kind: 'credit_note';
      sale: Sale;
      receipt: string;
      cause: EndedReason | 'too_late' | 'dispute_lost';
      /** The card provider's fee that was kept of this refund; left out if none was. */
      keptCents?: number;
    }
  | { kind: 'commission_note'; rows: CommissionRow[]; earnedCents: number }
  /**
   * In place of a commission note. The publisher is its seller, the marketplace its customer, and its amount is what the
   * publisher earned, with the tax on top of it. `text` is the setting SELF_BILLING_TEXT when it was made.
   */
  | {
      kind: 'self_billing';
      rows: CommissionRow[];
      commissionCents: number;
      taxStatus: 'small_business' | 'business';
      text: string;
      /** Whether the publisher is in another country than the marketplace. Absent: not known, or the same one. */
      isAbroad?: true;
      /**
       * How its tax is paid and booked as input tax. Absent: it has none, or is from before there was input tax. Then the
       * earnings contain the tax, and no entry has it.
       */
      publisherTax?: PublisherTax;
    }
  | { kind: 'statement'; rows: StatementRow[]; lines: number; openingCents: number };

/** Country, reason and sentence are those of the sale. */
export type DocumentTax = {
  rate: number;
  cents: number;
  country: string;
  reason: TaxReason | null;
  sentence: string | null;
};

export type Document = {
  book: PaymentBook;
  number: string;
  issuedAt: Date;
  /**
   * The day that it prints, YYYY-MM-DD: that of a new one in the time zone of the marketplace, unless the one before it has a
   * later day. Null in earlier documents, which print the day in UTC (`issueDayOf`).
   */
  issuedOn: string | null;
  /** YYYY-MM */
  month: string | null;
  side: LedgerSide | null;
  amountCents: number;
  currency: Currency;
  /** The rate in thousandths of a percent, and the tax inside the amount in cents. Null if none is shown. */
  tax: DocumentTax | null;
  seller: Party;
  customer: Party;
  content: Content;
  salt: Buffer;
};

export type NewDocument = Omit<Document, 'number' | 'salt'> & {
  userId: number;
  paymentId: number | null;
  refundId: number | null;
  disputeId: number | null;
};

/** Adds a document under the next number of its series, and returns the number. Holds the series until the transaction ends. */
export async function insertDocument(tx: Tx, document: NewDocument): Promise<string> {
  const { tax, seller, customer, content, month, ...columns } = document;
  const { number } = await tx
    .insertInto('documents')
    .values({
      ...columns,
      kind: content.kind,
      month: month === null ? null : `${month}-01`,
      taxRate: tax?.rate ?? null,
      taxCents: tax?.cents ?? null,
      taxCountry: tax?.country ?? null,
      taxReason: tax?.reason ?? null,
      taxSentence: tax?.sentence ?? null,
      seller: JSON.stringify(seller),
      customer: JSON.stringify(customer),
      content: JSON.stringify(content),
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}

export type Row = Omit<Document, 'tax'> & {
  id: number;
  taxRate: number | null;
  taxCents: number | null;
  taxCountry: string | null;
  taxReason: TaxReason | null;
  taxSentence: string | null;
};

export const COLUMNS = sql`id, book, number, issued_at as "issuedAt", issued_on as "issuedOn", to_char(month, 'YYYY-MM') as month, side,
  amount_cents as "amountCents", currency, tax_rate as "taxRate", tax_cents as "taxCents",
  tax_country as "taxCountry", tax_reason as "taxReason", tax_sentence as "taxSentence", seller, customer, content, salt`;

export const documentOf = (given: Row): Document & { id: number } => {
  const { taxRate, taxCents, taxCountry, taxReason, taxSentence, ...row } = given;
  const about = { country: taxCountry!, reason: taxReason, sentence: taxSentence };
  return { ...row, tax: taxRate === null ? null : { rate: taxRate, cents: Number(taxCents), ...about } };
};

/** The documents of a user with ids below `before`, newest first. */
export async function listDocumentsOf(
  tx: Tx,
  owner: { userId: number; book: PaymentBook },
  page: { side: LedgerSide | undefined; before: number | null; limit: number },
): Promise<(Document & { id: number })[]> {
  const { rows } = await sql<Row>`select ${COLUMNS} from documents
    where user_id = ${owner.userId} and book = ${owner.book}
      and ${page.before === null ? sql`true` : sql`id < ${page.before}`}
      and ${page.side === undefined ? sql`true` : IS_OF_SIDE[page.side]}
    order by id desc limit ${page.limit}`.execute(tx);
  return rows.map(documentOf);
}

const IS_OF_SIDE: Record<LedgerSide, RawBuilder<boolean>> = {
  buyer: sql`(kind in ('receipt', 'credit_note') or side = 'buyer')`,
  publisher: sql`(kind in ('commission_note', 'self_billing') or side = 'publisher')`,
};

/** The receipt of a payment. */
export async function findReceipt(tx: Tx, paymentId: number): Promise<Document | null> {
  const { rows } = await sql<Row>`select ${COLUMNS} from documents
    where kind = 'receipt' and dispute_id is null and payment_id = ${paymentId}`.execute(tx);
  return rows[0] ? documentOf(rows[0]) : null;
}

/** The credit note of a refund. */
export async function findCreditNote(tx: Tx, refundId: number): Promise<Document | null> {
  const { rows } = await sql<Row>`select ${COLUMNS} from documents where refund_id = ${refundId}`.execute(tx);
  return rows[0] ? documentOf(rows[0]) : null;
}

/** The credit note of a lost dispute, or the receipt of its money that came back. */
export async function findDisputeDocument(
  tx: Tx,
  disputeId: number,
  kind: 'receipt' | 'credit_note',
): Promise<Document | null> {
  const { rows } = await sql<Row>`select ${COLUMNS} from documents
    where dispute_id = ${disputeId} and kind = ${kind}`.execute(tx);
  return rows[0] ? documentOf(rows[0]) : null;
}

/** The amount that each lost dispute took from the sale, in cents, while its money has not come back. */
export const LOSSES = sql`(
  select d.id, d.payment_id, d.currency, d.lost_at, coalesce(sum(p.amount_cents), 0)::bigint as cents
    from disputes d
    join ledger_tx t on t.kind = 'dispute_lost' and t.external_ref = d.dispute_id
    join ledger_postings p on p.tx_id = t.id
    join ledger_accounts a on a.id = p.account_id
      -- A loss beyond the sale is that of an owed refund, which has a credit note of its own.
      and a.kind not in ('dispute_receivable', 'dispute_losses')
    where d.lost_at is not null and d.recovered_at is null
    group by d.id)`;

/**
 * The part of the receipt of the payment `p` that no credit note is about or will be, in cents, given all its refunds and
 * lost disputes. Leaves out the documents of the dispute `except`. [FIELD-76]
 */
export const leftToNote = (except: RawBuilder<unknown>) => sql`greatest(0, p.amount_cents
  - (select coalesce(sum(coalesce(note_cents, amount_cents)), 0) from refunds where payment_id = p.id)
  - (select coalesce(sum(case kind when 'receipt' then -amount_cents else amount_cents end), 0)
      from documents where payment_id = p.id and dispute_id is not null and dispute_id is distinct from ${except}))`;

/**
 * The amount that the credit note of a lost dispute is about, in cents: what the dispute took from the sale, at most what
 * is left of the receipt, because a refund that the marketplace bore has a credit note too. Null for a dispute that is not
 * lost, or no longer.
 */
export async function findLoss(
  tx: Tx,
  disputeId: number,
): Promise<{ paymentId: number; amountCents: number } | null> {
  const { rows } = await sql<{ paymentId: number; cents: string }>`
    select p.id as payment_id, least(l.cents, ${leftToNote(sql`l.id`)}) as cents
      from ${LOSSES} as l join payments p on p.id = l.payment_id
      where l.id = ${disputeId}`.execute(tx);
  const [row] = rows;
  return row ? { paymentId: row.paymentId, amountCents: Number(row.cents) } : null;
}

/** The part of a payment's receipt that no credit note is about or will be, in cents. */
export async function findLeftToNote(tx: Tx, paymentId: number): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select ${leftToNote(sql`null`)} as cents from payments p where p.id = ${paymentId}`.execute(tx);
  return Number(rows[0]?.cents);
}

/** The amount that the documents of a payment have taken back from its receipt so far, in cents. */
export async function sumReversed(
  tx: Tx,
  paymentId: number,
): Promise<{ amountCents: number; taxCents: number }> {
  const { rows } = await sql<{ amount: string; tax: string }>`
    select coalesce(sum(sign * amount_cents), 0) as amount, coalesce(sum(sign * tax_cents), 0) as tax
      from documents, lateral (select case kind when 'receipt' then -1 else 1 end as sign) as s
      where payment_id = ${paymentId} and (kind = 'credit_note' or dispute_id is not null)`.execute(tx);
  return { amountCents: Number(rows[0]?.amount), taxCents: Number(rows[0]?.tax) };
}

/** A user as documents name them. The business name comes before the person's. */
export async function findParty(tx: Tx, userId: number): Promise<Party> {
  const closing = await findClosing(tx, userId);
  if (closing) return closing.party;
  const row = await tx
    .selectFrom('users')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .select([
      'users.firstName',
      'users.lastName',
      'users.deletedAt',
      'userSettings.businessName',
      'userSettings.address',
      'userSettings.taxId',
      'userSettings.country',
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  const { firstName, lastName, deletedAt, businessName, address, taxId, country } = row;
  const name = businessName || [firstName, lastName].filter(Boolean).join(' ');
  return {
    name: deletedAt === null ? name : 'Deleted account',
    address: address || null,
    taxId: taxId || null,
    country: country || null,
  };
}

/** `isClosed`: the account was deleted. */
type TaxStatusRow = Pick<
  Selectable<UserSettings>,
  'taxStatus' | 'chargesTax' | 'agreesToSelfBilling' | 'country' | 'taxId'
> & { isClosed?: true };

/** The data of a deleted account that are kept until the documents of its last month are made. */
async function findClosing(tx: Tx, userId: number) {
  return (await tx
    .selectFrom('closingParties')
    .select(['party', 'taxStatus'])
    .where('userId', '=', userId)
    .executeTakeFirst()) as { party: Party; taxStatus: TaxStatusRow } | undefined;
}

/** The tax status that a publisher states. */
export async function findTaxStatus(tx: Tx, userId: number): Promise<TaxStatusRow> {
  const closing = await findClosing(tx, userId);
  if (closing) return { ...closing.taxStatus, isClosed: true };
  const said = await tx
    .selectFrom('userSettings')
    .select(['taxStatus', 'chargesTax', 'agreesToSelfBilling', 'country', 'taxId'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return (
    said ?? { taxStatus: null, chargesTax: false, agreesToSelfBilling: false, country: null, taxId: null }
  );
}

/** The earnings that a self-billing document is about, in cents: its amount without the tax on top. */
export const earningsOf = ({
  amountCents,
  tax,
  content,
}: Pick<Document, 'amountCents' | 'tax' | 'content'>): number =>
  'publisherTax' in content && content.publisherTax === 'on_top' ? amountCents - tax!.cents : amountCents;

/** The newest self-billing document of a publisher that is above zero; null if there is none. */
export async function findLastBilled(
  tx: Tx,
  { userId, book, currency }: { userId: number; book: PaymentBook; currency: Currency },
): Promise<Document | null> {
  const { rows } = await sql<Row>`select ${COLUMNS} from documents
    where user_id = ${userId} and book = ${book} and currency = ${currency} and kind = 'self_billing' and amount_cents > 0
    order by id desc limit 1`.execute(tx);
  return rows[0] ? documentOf(rows[0]) : null;
}

export type SoldPayment = {
  userId: number;
  /** Whom the documents of this payment name. */
  customer: Party;
  book: PaymentBook;
  amountCents: number;
  currency: Currency;
  /** The tax that was agreed with the payment. */
  tax: DocumentTax | null;
  sale: Sale;
};

/** A payment with its sale. */
export async function findSale(tx: Tx, paymentId: number): Promise<SoldPayment> {
  const row = await tx
    .selectFrom('payments')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .leftJoin('taxAccounts', 'taxAccounts.id', 'payments.taxAccountId')
    .select(['taxAccounts.rate as taxRate', 'taxAccounts.country as taxCountry'])
    .select(['payments.taxCents', 'payments.taxReason', 'payments.taxSentence'])
    .select([
      'payments.userId',
      'payments.book',
      'payments.amountCents',
      'payments.currency',
      'payments.paidAt',
      'payments.receiptFor',
      'payments.status',
      'ads.publicId as adPublicId',
      'ads.title',
      'ads.pricingModel',
      'ads.duration',
      'ads.startDate',
      'ads.endDate',
      'ads.impressions',
      'ads.clicks',
      'adZones.name as zone',
      'websites.name as website',
    ])
    .where('payments.id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const { userId, book, amountCents, currency, adPublicId, title, zone, website, paidAt } = row;
  // The money of an orphaned payment bought nothing, although another payment may have started the ad.
  const isOrphaned = row.status === 'orphaned';
  if (paidAt === null) throw new Error(`Payment ${paymentId} has brought no money`);
  const bought = amountText(planOf(row));
  const receiptFor = row.receiptFor as ReceiptFor | null;
  const settings = await findParty(tx, userId);
  const { reference } = receiptFor ?? {};
  const period = isOrphaned ? null : campaignPeriod(row.startDate, row.endDate);
  return {
    userId,
    customer: receiptFor ? partyOf(receiptFor, settings) : settings,
    book,
    amountCents,
    currency,
    tax:
      row.taxRate === null
        ? null
        : {
            rate: row.taxRate,
            cents: row.taxCents,
            country: row.taxCountry!,
            reason: row.taxReason,
            sentence: row.taxSentence,
          },
    sale: {
      adPublicId,
      title,
      zone,
      website,
      bought,
      paidAt: paidAt.toISOString(),
      ...(reference && { reference }),
      ...(period && { period }),
    },
  };
}

/** The texts by people that the receipt of this ad would print now. */
export async function findReceiptTexts(
  tx: Tx,
  ad: { id: number } | { publicId: string },
  receiptFor: ReceiptFor | null | undefined,
): Promise<string[]> {
  const sale = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['ads.userId', 'ads.title', 'adZones.name as zone', 'websites.name as website'])
    .$if('id' in ad, (query) => query.where('ads.id', '=', (ad as { id: number }).id))
    .$if('publicId' in ad, (query) => query.where('ads.publicId', '=', (ad as { publicId: string }).publicId))
    .executeTakeFirst();
  if (!sale) return [];
  const { userId, title, zone, website } = sale;
  const settings = await findParty(tx, userId);
  const { name, address, taxId } = receiptFor ? partyOf(receiptFor, settings) : settings;
  return [title, zone, website, name, address ?? '', taxId ?? '', receiptFor?.reference ?? ''];
}

/** The company comes first, and the person below it. Without either, the name of the settings stays. */
function partyOf({ company, name, address, taxId, country }: ReceiptFor, settings: Party): Party {
  const lines = [company ? name : null, address].filter(Boolean);
  return {
    name: company || name || settings.name,
    address: lines.length > 0 ? lines.join('\n') : null,
    taxId: taxId || null,
    country: country || null,
  };
}

/** A refund with its payment, and the fee that was kept of it. */
export async function findRefundOfNote(tx: Tx, refundId: number) {
  const row = await tx
    .selectFrom('refunds')
    .select(['paymentId', 'cause'])
    .select(({ fn }) => fn.coalesce('noteCents', 'amountCents').as('amountCents'))
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow();
  const kept = await listKept(tx, [row.paymentId]);
  return { ...row, keptCents: kept.find((each) => each.refundId === refundId)?.keptCents ?? 0 };
}

/** Locks the payment, so that one transaction at a time makes its documents. */
export async function lockSale(tx: Tx, paymentId: number): Promise<void> {
  await tx.selectFrom('payments').select('id').where('id', '=', paymentId).forNoKeyUpdate().execute();
}

/** The day that a document prints as that of its issue, YYYY-MM-DD. */
export const issueDayOf = ({ issuedOn, issuedAt }: Pick<Document, 'issuedOn' | 'issuedAt'>): string =>
  issuedOn ?? utcDay(issuedAt);

/** The day on which a sale was paid, as its documents print it, YYYY-MM-DD. */
export const paidDayOf = ({ paidOn, paidAt }: Sale): string => paidOn ?? utcDay(new Date(paidAt));

/** First and last day in UTC, as YYYY-MM-DD. `to` is null if the end is open. */
export type Period = { from: string; to: string | null };

/** When the service of a document is or was provided; null if it never was, or if the document does not say. [OWNS-108] */
export function servicePeriodOf({ content, month }: Pick<Document, 'content' | 'month'>): Period | null {
  if ('sale' in content) return content.sale.period ?? null;
  if (month === null) return null;
  const [year, ordinal] = month.split('-').map(Number) as [number, number];
  // Day 0 is the last day of the month before.
  return { from: `${month}-01`, to: utcDay(new Date(Date.UTC(year, ordinal, 0))) };
}

/** The period of a campaign. It ends before `end`, so that midnight is still the day before. */
export function campaignPeriod(start: Date | null, end: Date | null): Period | null {
  if (start === null) return null;
  const last = end && utcDay(later(end, -1));
  const from = utcDay(start);
  // A campaign that was canceled before it began was to run on its first day.
  return { from, to: last !== null && last < from ? from : last };
}
