/** Publishers with an IBAN, the commands of the operator about their payouts, and the statements of a bank. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { DAY_MS } from '#domain/time.ts';
import type { ReadLine } from '#server/operator/money/bank.ts';
import type { Options, Outcome } from '#server/operator/acts/command.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import type { Ad } from '#domain/ads/contract.ts';
import type { Client } from '../client.ts';
import type { TestServer } from '../server.ts';
import { newTemporaryFolder } from '../temporary.ts';
import { confirm } from './payout-market.ts';
import { makeEarned, waitDays } from './payouts.ts';

export const OUR_IBAN = 'DE02100500000054540402';
export const BANK_ENV = {
  PAYOUTS: 'bank',
  BANK_IBAN: OUR_IBAN,
  CURRENCY: 'EUR',
  SELLER_NAME: 'Zeitung & Söhne',
};

/** IBANs with right check digits. */
export const IBANS = {
  DE: 'DE89370400440532013000',
  FR: 'FR1420041010050500013M02606',
  NL: 'NL91ABNA0417164300',
  AT: 'AT611904300234573201',
} as const;

export async function saveIban(who: Client, iban: string = IBANS.DE, holder = 'Pat Müller') {
  await confirm(who);
  return await who.put('/api/payouts/bank-account', { holder, iban });
}

/** A publisher with an IBAN, who can be paid 170.00, after the hold of a new account. */
export async function makeBankPayable(
  server: TestServer,
  buyer: Client,
  iban?: string,
): Promise<{ seller: Client; ad: Ad }> {
  const seller = await server.signIn('seller');
  expect((await saveIban(seller, iban)).status).toBe(200);
  const ad = await makeEarned(server, seller, buyer, { price: '200.00' });
  await waitDays(server, 31);
  return { seller, ad };
}

/** Lets a Monday pass and begins its payouts. Returns the id of the publisher's payout. */
export async function payWeek({ ctx, clock }: TestServer, seller: Client): Promise<number> {
  clock.advance(7 * DAY_MS);
  await runPayouts(ctx);
  const row = await ctx.db
    .selectFrom('payouts')
    .select('id')
    .where('userId', '=', seller.user.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Runs a command of the operator, such as `money bank-file`. */
export async function openslot(
  { ctx }: TestServer,
  line: string,
  options: Partial<Options> = {},
): Promise<Outcome> {
  const { command, args } = commandOf(line.split(' '));
  const { dryRun = false } = options;
  return await command.run({ ctx, operator: { id: null, dryRun }, args, options: { ...options, dryRun } });
}

/** The end-to-end id of a payout. */
export async function endToEndIdOf({ ctx }: TestServer, payoutId: number): Promise<string> {
  const payout = ctx.db.selectFrom('bankPayouts').select('endToEndId').where('payoutId', '=', payoutId);
  return (await payout.executeTakeFirstOrThrow()).endToEndId;
}

export type Line = {
  id: string;
  amount?: string;
  currency?: string;
  /** A credit, with the code of the return. */
  back?: string;
  /** The bank's own reference; none if null. */
  ref?: string | null;
  day: string;
  status?: string;
};

let refs = 0;

/** A camt.053 of the bank: version 08 with a prefix, or version 02. */
export function camt(lines: readonly Line[], { iban = OUR_IBAN, version = '08' } = {}): string {
  const p = version === '08' ? 'ns:' : '';
  const tag = (name: string, content: string, attributes = '') =>
    `<${p}${name}${attributes}>${content}</${p}${name}>`;
  const entries = lines.map(
    ({ id, amount = '170.00', currency = 'EUR', back, ref, day, status = 'BOOK' }) => {
      const money = tag('Amt', amount, ` Ccy="${currency}"`);
      const direction = tag('CdtDbtInd', back === undefined ? 'DBIT' : 'CRDT');
      const own = ref === null ? '' : tag('AcctSvcrRef', ref ?? `REF${++refs}`);
      const detail = tag(
        'TxDtls',
        tag('Refs', `${own}${tag('EndToEndId', id)}`) +
          (version === '08' ? `${money}${direction}` : tag('AmtDtls', tag('TxAmt', money))) +
          (back === undefined ? '' : tag('RtrInf', tag('Rsn', tag('Cd', back)))),
      );
      const state = tag('Sts', version === '08' ? tag('Cd', status) : status);
      return tag(
        'Ntry',
        `${money}${direction}${state}${tag('BookgDt', tag('Dt', day))}${tag('NtryDtls', detail)}`,
      );
    },
  );
  const account = tag('Acct', tag('Id', tag('IBAN', iban)));
  const root = `${p === '' ? 'xmlns' : 'xmlns:ns'}="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${tag('Document', tag('BkToCstmrStmt', tag('Stmt', tag('Id', '2026/7') + account + entries.join('\n'))), ` ${root}`)}`;
}

/** Reads a statement with the command, and returns what it did with each line. */
export async function readCamt(
  server: TestServer,
  xml: string | Buffer,
  options: Partial<Options> = {},
): Promise<{ did: string[]; lines: ReadLine[]; refused: boolean }> {
  const file = path.join(newTemporaryFolder('statement'), 'statement.xml');
  await writeFile(file, xml);
  const { command } = commandOf(['money', 'bank-statement']);
  const { dryRun = false } = options;
  const { json, refused = false } = await command.run({
    ctx: server.ctx,
    operator: { id: null, dryRun },
    args: [file],
    options: { ...options, dryRun },
  });
  const { lines } = json as { lines: ReadLine[] };
  return { did: lines.map(({ did }) => did), lines, refused };
}
