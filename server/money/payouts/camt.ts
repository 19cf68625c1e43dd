/**
 * Reads a statement of a bank account: camt.053 of ISO 20022, in any version. Banks differ in prefixes and versions, so
 * elements are found by their local names.
 */
import { createHash } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';

/** One booked movement of the account. A line of several payments is one of these for each. */
export type StatementLine = {
  /** Identifies the line in every statement that has it. */
  ref: string;
  /** The number of the entry in its statement, from 1. */
  entry: number;
  statement: string;
  direction: 'debit' | 'credit';
  /** Null if the bank wrote something else than an amount with two decimals, or no direction of it. */
  amountCents: number | null;
  currency: string;
  /** Midnight UTC of the day on which the bank booked it; null if it does not say. */
  bookedAt: Date | null;
  endToEndId: string | null;
  /** Why a payment came back, in the bank's code or words. */
  reason: string | null;
};

export type Statement = { iban: string; lines: StatementLine[] };

/** The file cannot be read as a statement. The message tells the operator why. */
export class StatementError extends Error {}

/** Larger than years of statements of a busy account. */
export const MAX_STATEMENT_BYTES = 20 * 1024 ** 2;

/**
 * Returns the statements in a file with their booked lines. Throws StatementError if it is too large, no XML, declares a
 * document type (which could expand to gigabytes or read files), or is no camt.053 of accounts with IBANs. [PAYO-204]
 */
export function readStatements(bytes: Buffer): Statement[] {
  if (bytes.length > MAX_STATEMENT_BYTES) throw new StatementError('The file is larger than 20 MB.');
  const text = decoded(bytes);
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    throw new StatementError('The file declares a document type, which no bank’s statement does.');
  const root = parsed(text);
  const statements = listOf(child(child(root, 'Document'), 'BkToCstmrStmt'), 'Stmt');
  if (statements.length === 0)
    throw new StatementError('The file is no camt.053. Ask your bank for a statement in this format.');
  return statements.map(statementOf);
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

type XmlNode = { readonly [name: string]: unknown };

const PARSER = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
});

function parsed(text: string): XmlNode {
  try {
    return PARSER.parse(text, true) as XmlNode;
  } catch {
    throw new StatementError('The file is no whole XML document. Download it from your bank again.');
  }
}

/** The elements of this name below a node. An element with neither attributes nor children is its text. */
function listOf(node: unknown, name: string): unknown[] {
  const found = isNode(node) ? node[name] : undefined;
  if (found === undefined || found === '') return [];
  return Array.isArray(found) ? found : [found];
}
const isNode = (value: unknown): value is XmlNode => typeof value === 'object' && value !== null;
const child = (node: unknown, ...path: string[]): unknown =>
  path.reduce((found: unknown, name) => listOf(found, name)[0], node);

/** The text at a path, or null. */
function textAt(node: unknown, ...path: string[]): string | null {
  const found = child(node, ...path);
  const text = isNode(found) ? found['#text'] : found;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : null;
}

function statementOf(statement: unknown): Statement {
  const iban = textAt(statement, 'Acct', 'Id', 'IBAN')?.replaceAll(' ', '');
  if (!iban) throw new StatementError('The statement does not name the IBAN of its account.');
  const id = textAt(statement, 'Id') ?? 'without a number';
  const seen = new Map<string, number>();
  const lines = listOf(statement, 'Ntry').flatMap((entry, index) => {
    const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts');
    return status === 'BOOK' ? linesOf(entry, { iban, statement: id, entry: index + 1, seen }) : [];
  });
  return { iban, lines };
}

type Where = { iban: string; statement: string; entry: number; seen: Map<string, number> };

function linesOf(entry: unknown, where: Where): StatementLine[] {
  const details = listOf(entry, 'NtryDtls').flatMap((part) => listOf(part, 'TxDtls'));
  // Without details of its own, the entry is the payment.
  const payments = details.length === 0 ? [undefined] : details;
  return payments.map((payment) => lineOf(entry, payment, { ...where, isOnly: payments.length === 1 }));
}

function lineOf(entry: unknown, payment: unknown, where: Where & { isOnly: boolean }): StatementLine {
  const amount = child(payment, 'Amt') ?? child(payment, 'AmtDtls', 'TxAmt', 'Amt');
  const moved = amount ?? (where.isOnly ? child(entry, 'Amt') : undefined);
  const day =
    textAt(entry, 'BookgDt', 'Dt') ??
    textAt(entry, 'BookgDt', 'DtTm') ??
    textAt(entry, 'ValDt', 'Dt') ??
    textAt(entry, 'ValDt', 'DtTm');
  const indicator = textAt(payment, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd');
  const line = {
    entry: where.entry,
    statement: where.statement,
    direction: indicator === 'CRDT' ? 'credit' : 'debit',
    amountCents: isDirection(indicator) && isNode(moved) ? centsIn(textAt({ moved }, 'moved')) : null,
    currency: (isNode(moved) && typeof moved['@Ccy'] === 'string' && moved['@Ccy']) || 'unknown',
    bookedAt: dayIn(day),
    endToEndId: textAt(payment, 'Refs', 'EndToEndId'),
    reason:
      textAt(payment, 'RtrInf', 'AddtlInf') ??
      textAt(payment, 'RtrInf', 'Rsn', 'Cd') ??
      textAt(payment, 'RtrInf', 'Rsn', 'Prtry'),
  } satisfies Omit<StatementLine, 'ref'>;
  const bankRef = textAt(payment, 'Refs', 'AcctSvcrRef') ?? textAt(entry, 'AcctSvcrRef');
  const isNone = bankRef === null || /^(NOTPROVIDED|NONREF|0+)$/i.test(bankRef);
  return { ...line, ref: refOf(line, isNone ? null : bankRef, where) };
}

/** Whether the bank says in which direction the money moved. Otherwise the amount is of no use. */
const isDirection = (indicator: string | null) => indicator === 'CRDT' || indicator === 'DBIT';

/**
 * The bank's own reference, with what tells the payments of one entry apart. Some banks give none: then it is the content
 * of the line, and equal lines of a statement are counted.
 */
function refOf(
  { direction, amountCents, currency, bookedAt, endToEndId }: Omit<StatementLine, 'ref'>,
  bankRef: string | null,
  { iban, seen }: Where,
): string {
  const parts = [iban, bankRef, direction, amountCents, currency, endToEndId];
  const content = JSON.stringify(bankRef === null ? [...parts, bookedAt] : parts);
  const count = (seen.get(content) ?? 0) + 1;
  seen.set(content, count);
  const name = bankRef === null ? `${content}#${count}` : content;
  return createHash('sha256').update(name).digest('hex');
}

function centsIn(text: string | null): number | null {
  const [, whole = '', decimals = ''] = /^(\d{1,13})(?:\.(\d{1,5}))?$/.exec(text ?? '') ?? [];
  if (whole === '' || !/^\d{0,2}0*$/.test(decimals)) return null;
  return Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'));
}

function dayIn(text: string | null): Date | null {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? null : new Date(at);
}
