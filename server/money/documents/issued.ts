/** Single documents of their owner, and the documents of all people, for the books and the operator. */
import { sql } from 'kysely';
import { dayAfter, type Period } from '#domain/payments/periods.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import { containing, type Tx } from '#server/platform/database/database.ts';
import {
  COLUMNS,
  type Content,
  type Document,
  documentOf,
  type Party,
  issueDayOf,
  servicePeriodOf,
  type Row,
} from './store.ts';

export { issueDayOf, servicePeriodOf };

/** `originalOn` is the day of the receipt that a credit note, or the receipt of returned money, corrects. */
export type IssuedDocument = Document & { id: number; originalOn: string | null };

/** The day that a document prints. The function issueDayOf is the same. */
const dayOf = (table: 'd' | 'o') =>
  sql`coalesce(${sql.ref(`${table}.issued_on`)}, (${sql.ref(`${table}.issued_at`)} at time zone 'utc')::date)`;

const WITH_ORIGINAL = sql`${COLUMNS}, (
    select ${dayOf('o')} from documents o
      where o.number = coalesce(d.content ->> 'receipt', d.content #>> '{returned,receipt}') and o.book = d.book
  ) as "originalOn"`;

type IssuedRow = Row & { originalOn: string | null };

const issuedOf = ({ originalOn, ...row }: IssuedRow): IssuedDocument => ({ ...documentOf(row), originalOn });

/** A document of this user, by its number. */
export async function findDocument(
  tx: Tx,
  { userId, book, number }: { userId: number; book: PaymentBook; number: string },
): Promise<IssuedDocument | null> {
  const { rows } = await sql<IssuedRow>`select ${WITH_ORIGINAL} from documents d
    where number = ${number} and book = ${book} and user_id = ${userId}`.execute(tx);
  return rows[0] ? issuedOf(rows[0]) : null;
}

/** The time from the beginning of a period to its end in a time zone. The database knows when its days begin. */
export async function windowOf(tx: Tx, period: Period, timeZone: string): Promise<{ from: Date; to: Date }> {
  const { rows } = await sql<{ from: Date; to: Date }>`
    select ${period.from}::timestamp at time zone ${timeZone} as from,
      ${dayAfter(period)}::timestamp at time zone ${timeZone} as to`.execute(tx);
  return rows[0]!;
}

/**
 * The documents of a period after one of them, the oldest first, by the days that they print. With `keptSince`, only those
 * that can be read.
 */
export async function listIssued(
  tx: Tx,
  { book, period, keptSince }: { book: PaymentBook; period: Period; keptSince?: number },
  { after, limit }: { after: { id: number } | null; limit: number },
): Promise<IssuedDocument[]> {
  const { rows } = await sql<IssuedRow>`
    select ${WITH_ORIGINAL} from documents d
      where book = ${book} and id > ${after?.id ?? 0} and ${dayOf('d')} between ${period.from} and ${period.to}
        -- The index documents_issued has the instants. No day is two days away from its instant.
        and issued_at between ${period.from}::date - interval '2 days' and ${period.to}::date + interval '3 days'
        and ${keptSince ? isReadable({ book, keptSince }) : sql`true`}
      order by id limit ${limit}`.execute(tx);
  return rows.map(issuedOf);
}

/** The documents that an operator may read: those of deleted accounts only of the year `keptSince` and later ones. */
export type Readable = { book: PaymentBook; keptSince: number };

const isReadable = ({
  book,
  keptSince,
}: Readable) => sql<boolean>`d.book = ${book} and (d.year >= ${keptSince}
  or exists (select from users u where u.id = d.user_id and u.deleted_at is null))`;

/** The text that a search compares. The index documents_operator_search has it. */
const PARTY = sql`case d.kind when 'self_billing' then d.seller else d.customer end`;
const WORDS = sql<string>`(coalesce(${PARTY} ->> 'name', '') || ' ' || coalesce(${PARTY} ->> 'taxId', ''))`;

/** A search for documents: their number, their amount, or words of the name or the tax number of their party. */
export type DocumentSearch = { number: string } | { cents: number } | { words: string };

/** Finds a document of any person that can still be read, and its owner. Returns null if there is none. */
export async function findIssued(
  tx: Tx,
  readable: Readable,
  number: string,
): Promise<(IssuedDocument & { userId: number }) | null> {
  const { rows } = await sql<IssuedRow & { userId: number }>`
    select ${WITH_ORIGINAL}, user_id as "userId" from documents d
      where number = ${number} and ${isReadable(readable)}`.execute(tx);
  const [row] = rows;
  if (!row) return null;
  const { userId, ...document } = row;
  return { ...issuedOf(document), userId };
}

/** The documents that match a search, with ids below `before`, the newest first. */
export async function searchIssued(
  tx: Tx,
  readable: Readable,
  { search, before, limit }: { search: DocumentSearch; before: number | null; limit: number },
): Promise<IssuedDocument[]> {
  const { rows } = await sql<IssuedRow>`
    select ${WITH_ORIGINAL} from documents d
      where ${isReadable(readable)} and ${matches(search)}
        and ${before === null ? sql`true` : sql`d.id < ${before}`}
      order by d.id desc limit ${limit}`.execute(tx);
  return rows.map(issuedOf);
}

function matches(search: DocumentSearch) {
  if ('number' in search) return sql<boolean>`d.number = ${search.number}`;
  if ('cents' in search) return sql<boolean>`d.amount_cents in (${search.cents}, ${-search.cents})`;
  return search.words === '' ? sql<boolean>`true` : sql<boolean>`${WORDS} ilike ${containing(search.words)}`;
}

/** The number of the receipt that a document corrects. */
export function correctedReceipt(content: Content): string | null {
  if (content.kind === 'credit_note') return content.receipt;
  return content.kind === 'receipt' ? (content.returned?.receipt ?? null) : null;
}

/** The person or business that a document is made for. The publisher is the supplier of a self-billing document. */
export const partyOf = ({ content, seller, customer }: Document): Party =>
  content.kind === 'self_billing' ? seller : customer;
