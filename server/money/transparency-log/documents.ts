/** Documents as leaves of the transparency log. See docs/decisions/033-ledger-log.md. */
import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { leafHash } from './merkle.ts';

/** A document with everything that its leaf says about it. The folder documents knows what the last three contain. */
export type DocumentInLog = {
  book: PaymentBook;
  number: string;
  issuedAt: Date;
  issuedOn: string | null;
  month: string | null;
  side: string | null;
  amountCents: number;
  currency: string;
  tax: {
    rate: number;
    cents: number;
    country: string;
    reason: string | null;
    sentence: string | null;
  } | null;
  salt: Buffer;
  seller: object;
  customer: object;
  content: object;
};
type LoggedDocument = DocumentInLog & { id: number };

const DOCUMENT = sql`d.id, d.book, d.number, d.issued_at as "issuedAt", d.issued_on as "issuedOn", to_char(d.month, 'YYYY-MM') as month, d.side,
  d.amount_cents as "amountCents", d.currency, d.seller, d.customer, d.content, d.salt,
  case when d.tax_rate is not null then json_build_object('rate', d.tax_rate, 'cents', d.tax_cents,
    'country', d.tax_country, 'reason', d.tax_reason, 'sentence', d.tax_sentence) end as tax`;

/**
 * The text of a document's leaf: all that it says as one line of JSON, whose field order is part of the format. The database
 * returns the fields of the parties and of the content in an order of its own, which is always the same. The salt keeps
 * the leaf from being guessed.
 */
export function documentText(document: DocumentInLog): string {
  const { book, number, issuedAt, issuedOn, month, side, amountCents, currency, tax } = document;
  const { seller, customer, content, salt } = document;
  return JSON.stringify({
    book,
    document: number,
    issuedAt: issuedAt.toISOString(),
    // The leaves of earlier documents have none.
    ...(issuedOn !== null && { issuedOn }),
    month,
    side,
    amountCents,
    currency,
    tax: tax && {
      rate: tax.rate,
      cents: tax.cents,
      country: tax.country,
      reason: tax.reason,
      sentence: tax.sentence,
    },
    seller,
    customer,
    content,
    salt: salt?.toString('hex') ?? null,
  });
}

/** The hash of its leaf, in hexadecimal digits. [OWNS-108] */
export const documentHash = (document: DocumentInLog): string =>
  leafHash(documentText(document)).toString('hex');

/** Takes the oldest documents of a book that are no leaf yet. */
export async function takeUnloggedDocuments(
  tx: Tx,
  book: PaymentBook,
  limit: number,
): Promise<LoggedDocument[]> {
  const { rows } = await sql<LoggedDocument>`
    with taken as (
      delete from documents_unlogged
        where document_id in (
          select u.document_id from documents_unlogged u join documents d on d.id = u.document_id
            where d.book = ${book} order by u.document_id limit ${limit})
        returning document_id)
    select ${DOCUMENT} from taken join documents d on d.id = taken.document_id order by d.id`.execute(tx);
  return rows;
}

export async function insertDocumentLeaves(
  tx: Tx,
  book: PaymentBook,
  size: number,
  documents: readonly LoggedDocument[],
): Promise<void> {
  await sql`
    insert into ledger_leaves (book, index, document_id)
      select ${book}, ${size}::bigint + at - 1, document_id
        from unnest(${documents.map(({ id }) => id)}::integer[]) with ordinality as leaf (document_id, at)`.execute(
    tx,
  );
}

/** Where the leaf of a document is in the log of its book; null until there is one. */
export async function leafIndexOf(tx: Tx, documentId: number): Promise<number | null> {
  const leaf = await tx
    .selectFrom('ledgerLeaves')
    .select('index')
    .where('documentId', '=', documentId)
    .executeTakeFirst();
  return leaf?.index ?? null;
}

type WithLeaf = LoggedDocument & { leaf: Buffer | null; isWaiting: boolean };

/**
 * The documents with ids above `after`, or those of the ascending ids `only`, with the hash of their leaf, and whether they
 * wait for one.
 */
async function listWithLeaves(
  tx: Tx,
  { only, after, limit }: { only: readonly number[] | undefined; after: number; limit: number },
): Promise<WithLeaf[]> {
  const next = only?.filter((id) => id > after).slice(0, limit);
  const { rows } = await sql<WithLeaf>`
    select ${DOCUMENT}, (
        select n.hash from ledger_leaves l
          join ledger_nodes n on n.book = l.book and n.level = 0 and n.index = l.index
          where l.document_id = d.id) as leaf,
        exists (select from documents_unlogged u where u.document_id = d.id) as "isWaiting"
      from documents d where ${next ? sql`d.id = any(${next})` : sql`d.id > ${after}`} order by d.id limit ${limit}`.execute(
    tx,
  );
  return rows;
}

export type DocumentDifference = {
  /** `document_missing`: the log has a leaf of the document, and there is no such document. */
  kind: 'document_changed' | 'document_missing' | 'document_not_logged';
  ref: string;
  amountCents: number;
  currency: string;
  since: Date;
};

/**
 * Compares all documents, or only those with the given ids, with their leaves. Finds documents that were changed or deleted by SQL, and those whose leaf is
 * missing. [OWNS-111]
 */
export async function checkDocumentLeaves(tx: Tx, only?: readonly number[]): Promise<DocumentDifference[]> {
  const { rows: missing } = await sql<{ documentId: number }>`
    select document_id as "documentId" from ledger_leaves l
      where ${only ? sql`document_id = any(${only})` : sql`document_id is not null`} and not exists (select from documents d where d.id = l.document_id)
      order by 1`.execute(tx);
  const differences = missing.map(({ documentId }): DocumentDifference => ({
    kind: 'document_missing',
    ref: `document ${documentId}`,
    amountCents: 0,
    currency: '',
    since: new Date(0),
  }));
  const documents = inBatches<WithLeaf>(
    async (after, limit) => await listWithLeaves(tx, { only, after: after?.id ?? 0, limit }),
  );
  for await (const { leaf, isWaiting, ...document } of documents) {
    const isLogged = leaf !== null;
    if (isLogged ? leaf.equals(leafHash(documentText(document))) : isWaiting) continue;
    differences.push({
      kind: isLogged ? 'document_changed' : 'document_not_logged',
      ref: document.number,
      amountCents: document.amountCents,
      currency: document.currency,
      since: document.issuedAt,
    });
  }
  return differences;
}
