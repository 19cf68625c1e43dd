/** The acts of a history that pays by bank transfer, and a bank that remembers what it did. */
import { decimalOf } from '#domain/money.ts';
import { utcDay } from '#domain/time.ts';
import { saveBank } from '#server/money/payees/bank-account.ts';
import { readPayee } from '#server/money/payees/read.ts';
import {
  makeFileByOperator,
  notePaid,
  noteReturned,
  type ReadLine,
  readStatement,
} from '#server/operator/money/bank.ts';
import { camt, IBANS, type Line } from '../money/bank.ts';
import type { ActOf } from './acts.ts';
import { type AtBank, type History, isRefusal } from './history.ts';

const OPERATOR = { id: null, dryRun: false };

export async function saveIban(history: History, country: ActOf<'saveIban'>['country']): Promise<void> {
  const body = { holder: 'Pat Müller', iban: IBANS[country] };
  const client = { ip: '127.0.0.1', headers: {} };
  await saveBank(history.ctx, history.market.seller, { params: undefined, query: undefined, body }, client);
}

/** Makes a file. The bank has each payment once, and the file's sum is theirs. */
export async function makeFile(history: History): Promise<void> {
  const { content, amountCents } = await makeFileByOperator(history.ctx, OPERATOR, {});
  let sum = 0;
  for (const [, id = '', euros = '', cents = ''] of content
    .toString()
    .matchAll(/<EndToEndId>(.*?)<\/EndToEndId>.*?<InstdAmt Ccy="EUR">(\d+)\.(\d\d)</g)) {
    const payout = atBank(history, id);
    payout.cents = Number(euros + cents);
    payout.filed++;
    sum += payout.cents;
  }
  if (sum !== amountCents)
    throw new Error(`The payments of a file are ${sum}, and its amount is ${amountCents}`);
}

function atBank({ bank }: History, id: string): AtBank {
  const known = bank.get(id) ?? { cents: 0, filed: 0, paid: 0, returned: 0 };
  bank.set(id, known);
  return known;
}

/** The payout by bank transfer that is `place` before the last one. */
async function payoutAt(
  { ctx }: History,
  place: number,
): Promise<{ id: number; endToEndId: string; amountCents: number; isOpen: boolean } | undefined> {
  const row = await ctx.db
    .selectFrom('bankPayouts as b')
    .innerJoin('payouts as p', 'p.id', 'b.payoutId')
    .select(['p.id', 'b.endToEndId', 'p.amountCents', 'p.status'])
    .orderBy('p.id', 'desc')
    .offset(place)
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, isOpen: row.status === 'open' };
}

/** The operator reads a statement about one payout. */
export async function readLines(
  history: History,
  { payout: place, says }: ActOf<'statement'>,
): Promise<void> {
  const payout = await payoutAt(history, place);
  if (!payout) return;
  const { endToEndId: id, amountCents } = payout;
  const line: Line = {
    id,
    day: utcDay(history.ctx.now()),
    amount: decimalOf(amountCents),
    ref: `${id}-${says}`,
  };
  const lines: Record<typeof says, Line[]> = {
    paid: [{ ...line, ref: `${id}-paid` }],
    returned: [{ ...line, ref: `${id}-returned`, back: 'AC04' }],
    both: [
      { ...line, ref: `${id}-returned`, back: 'AC04' },
      { ...line, ref: `${id}-paid` },
    ],
    doubled: [
      { ...line, ref: `${id}-paid` },
      { ...line, ref: `${id}-paid` },
    ],
    'paid twice': [{ ...line, ref: `${id}-again` }],
    foreign: [{ ...line, id: 'RENT-12' }],
    'another amount': [{ ...line, amount: decimalOf(amountCents + 1) }],
    'another currency': [{ ...line, currency: 'CHF' }],
  };
  const read = await readStatement(history.ctx, OPERATOR, { bytes: Buffer.from(camt(lines[says])) });
  for (const { did } of read.lines) noteLine(history, id, did);
  const isWrong = says === 'foreign' || says === 'another amount' || says === 'another currency';
  if (isWrong && read.lines.some(({ did }) => did !== (says === 'foreign' ? 'foreign' : 'problem')))
    throw new Error(`A statement with ${says} did ${JSON.stringify(read.lines)}`);
}

function noteLine(history: History, id: string, did: ReadLine['did']): void {
  if (did === 'paid') atBank(history, id).paid++;
  if (did === 'returned') atBank(history, id).returned++;
}

/** The operator notes by hand what the bank did. */
export async function tick(history: History, { payout: place, did }: ActOf<'tick'>): Promise<void> {
  const payout = await payoutAt(history, place);
  if (!payout) return;
  const noted = { id: payout.id, reason: 'By the bank’s letter' };
  const outcome =
    did === 'paid'
      ? await notePaid(history.ctx, OPERATOR, noted).then(() => 'paid' as const)
      : (await noteReturned(history.ctx, OPERATOR, noted)).did;
  if (outcome !== 'not_made') noteLine(history, payout.endToEndId, outcome);
}

/**
 * Does what is left of the payouts by bank transfer at the end: a file, and the bank's payments. A hold without an end keeps
 * its payout back, so the operator notes that it will not be made. `returns`: the last payment comes back.
 */
export async function payAtBank(history: History, returns: boolean): Promise<void> {
  const { ctx, market } = history;
  const { state } = await readPayee(ctx, market.seller.id);
  if (state !== 'ready') await saveIban(history, 'NL');
  await unlessRefused(makeFile(history));
  for (let payout = 0; await payoutAt(history, payout); payout++)
    await readLines(history, { act: 'statement', payout, says: 'paid' });
  if (returns) await readLines(history, { act: 'statement', payout: 0, says: 'returned' });
  if ((await payoutAt(history, 0))?.isOpen)
    await unlessRefused(tick(history, { act: 'tick', payout: 0, did: 'returned' }));
}

async function unlessRefused(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
  });
}
