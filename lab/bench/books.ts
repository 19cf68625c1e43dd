/** Measures how the cost of the books grows with the ledger: the same reads over 1,000 and over 100,000 sales. */
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Context } from '../../server/platform/context.ts';
import { readBooks } from '../../server/money/books/books.ts';
import { checkMoney } from '../../server/money/books/check.ts';
import { makeMonthlyDocuments } from '../../server/money/documents/months.ts';
import { accrueDue } from '../../server/money/ledger/accrue.ts';
import { proveInclusion } from '../../server/money/transparency-log/prove.ts';
import { signDayRoot } from '../../server/money/transparency-log/sign.ts';
import { sizeOf } from '../../server/money/transparency-log/store.ts';
import { runPayouts } from '../../server/money/payouts/run.ts';
import type { Client } from '../../server/testing/client.ts';
import { fillBooks } from '../../server/testing/money/fill-books.ts';
import { openBenchApp } from './app.ts';
import { load, openAccount, timeEach, type Times } from './lists.ts';
import { median } from './median.ts';

/** The number of timed runs of each work that reads the whole ledger. */
const SLOW_TRIES = 3;

/**
 * `times` are medians in milliseconds. `checkMs` is that of `money check` since the signed day, and `wholeMs` that of
 * `money check --all`.
 */
export type BooksFigures = { times: Times; postings: number; checkMs: number; wholeMs: number };

export async function measureBooks(dataDir: string, sales: number): Promise<BooksFigures> {
  const { app, ownerUrl, close } = await openBenchApp(dataDir);
  try {
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.fastify.server.address() as AddressInfo;
    const account = await openAccount(ownerUrl, `http://127.0.0.1:${port}`);
    await fillBooks(ownerUrl, sales);
    await signDayRoot(app.ctx);
    await makeMonthlyDocuments(app.ctx);
    return await timeBooks(app.ctx, account);
  } finally {
    await close();
  }
}

async function timeBooks(ctx: Context, account: Client): Promise<BooksFigures> {
  const postings = await sizeOf(ctx.db, 'sandbox');
  const today = new Date();
  const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1)).toISOString().slice(0, 7);
  const times = await timeEach({
    'balance of a publisher': () => load(account, '/api/payouts'),
    'statement of a publisher': () => load(account, `/api/statements/${month}?side=publisher`),
    'statement of an advertiser': () => load(account, `/api/statements/${month}?side=buyer`),
    'inclusion proof': () => proveInclusion(ctx.db, 'sandbox', [4711], postings),
    'weekly payouts, none due': () => runPayouts(ctx),
    'hourly accrual, none due': () => accrueDue(ctx),
  });
  const booksMs = await timeSlow(() => readBooks(ctx));
  const check = (all: boolean) => async () => {
    const { differences, since } = await checkMoney(ctx, { all });
    if (differences[0]) throw new Error(`The books of the bench differ: ${JSON.stringify(differences[0])}`);
    if ((since === null) !== all) throw new Error('The books of the bench have no sound opening');
  };
  const wholeMs = await timeSlow(check(true));
  const checkMs = await timeSlow(check(false));
  const perPosting = {
    'money books, per posting': booksMs / postings,
    'money check --all, per posting': wholeMs / postings,
  };
  return { times: { ...times, ...perPosting }, postings, checkMs, wholeMs };
}

async function timeSlow(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < SLOW_TRIES; run += 1) {
    const from = performance.now();
    await work();
    taken.push(performance.now() - from);
  }
  return median(taken);
}
