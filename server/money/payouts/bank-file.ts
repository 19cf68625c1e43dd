import { randomUUID } from 'node:crypto';
import { counted } from '#domain/format.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Alarm } from '#server/notify/mails/operator-mail.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { seal, unseal } from '#server/platform/seal.ts';
import { BANK_KEY } from '../payees/bank-seals.ts';
import { painFile } from './pain.ts';
import {
  findFile,
  insertFile,
  listFiles,
  listUnpaid,
  lockForFile,
  nextFileId,
  type BankPayout,
  type ListedFile,
} from './store-bank.ts';

export type { ListedFile } from './store-bank.ts';
export type UnpaidPayout = BankPayout & { isHeld: boolean };

/** About a year of weekly files is shown. */
const MAX_FILES = 50;

/** The payouts by bank transfer that were not paid yet, the oldest first, and the last files, the newest first. */
export async function listBankPayouts(
  ctx: Context,
): Promise<{ payouts: UnpaidPayout[]; files: ListedFile[] }> {
  const { book } = ctx.payments;
  return {
    payouts: await listUnpaid(ctx.db, book, ctx.now()),
    files: await listFiles(ctx.db, book, MAX_FILES),
  };
}

/** A bank books a transfer on the next banking day, and holidays may follow each other. */
const LATE_AFTER_MS = 5 * DAY_MS;

/** The alarm about payouts that wait for a file or a statement, because later payouts of their publishers wait, too. [PAYO-205] */
export async function bankPayoutAlarms(tx: Tx, book: PaymentBook, now: Date): Promise<Alarm[]> {
  const late = (await listUnpaid(tx, book, now)).filter(
    ({ isHeld, beganAt }) => !isHeld && beganAt < later(now, -LATE_AFTER_MS),
  );
  if (late.length === 0) return [];
  const waiting = late.filter(({ fileId }) => fileId === null).length;
  return [
    {
      kind: 'bank-payouts-late',
      cause: 'bank payouts',
      title: 'Payouts by bank transfer wait for you',
      text:
        waiting > 0
          ? `${counted(waiting, 'payout')} ${waiting === 1 ? 'has' : 'have'} waited for a bank file for more than five days. Make the file, and upload it to your bank.`
          : `${counted(late.length, 'payout')} in a bank file ${late.length === 1 ? 'has' : 'have'} not been booked for more than five days. Read your bank’s statement with openslot money bank-statement, or note the payments.`,
      action: { label: 'Open the bank payouts', path: '/operator/bank' },
    },
  ];
}

export type BankFile = { id: number; name: string; content: Buffer };

/**
 * Makes one file for the operator's bank of all payouts that wait, in the caller's transaction. Each payout is in one
 * file only. Those of suspended publishers, and those with a hold that was made since, wait for a later file. Throws 409
 * if none can leave, BANK_IBAN is not set, or an IBAN cannot be read with the present secrets. [PAYO-202]
 */
export async function makeBankFile(
  ctx: Context,
  tx: Tx,
): Promise<BankFile & { payouts: number; amountCents: number }> {
  const { bankIban, seller } = ctx.config;
  if (bankIban === undefined)
    throw conflict('BANK_IBAN is not set. Set it to the IBAN of the account that pays the publishers.');
  const { book } = ctx.payments;
  const madeAt = ctx.now();
  const waiting = await lockForFile(tx, book, madeAt);
  if (waiting.length === 0)
    throw conflict('No payout waits for a file. `openslot money bank-payouts` lists those on their way.');
  const payments = waiting.map(({ iban, userId, payoutId, amountCents, endToEndId, holder }) => {
    const plain = unseal(ctx.keysFor(BANK_KEY), userId, iban);
    if (plain === null)
      throw conflict(
        `The IBAN for payout ${payoutId} was sealed with another SESSION_SECRET. Put the old secret back behind a comma, or note the payout as returned.`,
      );
    return {
      endToEndId,
      amountCents,
      holder,
      iban: plain.toString(),
      text: `${seller.name} payout ${payoutId}`,
    };
  });
  const id = await nextFileId(tx);
  const messageId = randomUUID().replaceAll('-', '');
  const content = Buffer.from(
    painFile({ messageId, madeAt, debtor: { name: seller.name, iban: bankIban }, payments }),
  );
  const amountCents = payments.reduce((sum, payment) => sum + payment.amountCents, 0);
  const sealed = seal(ctx.keyFor(BANK_KEY), id, content);
  await insertFile(
    tx,
    { id, book, messageId, amountCents, content: sealed, madeAt },
    waiting.map(({ payoutId }) => payoutId),
  );
  return { id, name: nameOf(id), content, payouts: payments.length, amountCents };
}

const nameOf = (id: number) => `payouts-${String(id).padStart(4, '0')}.xml`;

/** The same bytes again. Throws 404, or 409 if the present secrets cannot read them. [PAYO-202] */
export async function readBankFile(ctx: Context, id: number): Promise<BankFile> {
  const file = await findFile(ctx.db, id);
  if (file === null)
    throw notFound('There is no bank file with this number. `openslot money bank-payouts` lists them.');
  const content = unseal(ctx.keysFor(BANK_KEY), id, file.content);
  if (content === null)
    throw conflict(
      'The file was sealed with another SESSION_SECRET. Put the old secret back behind a comma.',
    );
  return { id, name: nameOf(id), content };
}
