/** The documents of all people, for the books and the operator. */
import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { COLUMNS, type Content, type Document, documentOf, type Party, periodOf, type Row } from './store.ts';

export { periodOf };

/** `originalAt` is when the receipt was issued that a credit note, or the receipt of returned money, corrects. */
export type IssuedDocument = Document & { id: number; originalAt: Date | null };

/** The documents of a time after one of them, the oldest first. */
export async function listIssued(
  tx: Tx,
  { book, from, to }: { book: PaymentBook; from: Date; to: Date },
  { after, limit }: { after: { id: number } | null; limit: number },
): Promise<IssuedDocument[]> {
  const { rows } = await sql<Row & { originalAt: Date | null }>`
    select ${COLUMNS}, (
        select o.issued_at from documents o
          where o.number = coalesce(d.content ->> 'receipt', d.content #>> '{returned,receipt}') and o.book = d.book
      ) as "originalAt"
      from documents d
      where book = ${book} and issued_at >= ${from} and issued_at < ${to} and id > ${after?.id ?? 0}
      order by id
      limit ${limit}`.execute(tx);
  return rows.map(({ originalAt, ...row }) => ({ ...documentOf(row), originalAt }));
}

/** The number of the receipt that a document corrects. */
export function correctedReceipt(content: Content): string | null {
  if (content.kind === 'credit_note') return content.receipt;
  return content.kind === 'receipt' ? (content.returned?.receipt ?? null) : null;
}

/** The person or business that a document is made for. The publisher is the supplier of a self-billing document. */
export const partyOf = ({ content, seller, customer }: Document): Party =>
  content.kind === 'self_billing' ? seller : customer;
