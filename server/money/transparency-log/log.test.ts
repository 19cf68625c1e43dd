/** Statements and the public log over HTTP, and the script that checks them without the product. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Statement } from '#domain/payments/statement-contract.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { checkMoney } from '../books/check.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { post } from '../ledger/post.ts';
import { appendPostings } from './append.ts';
import { sumBefore } from './balance.ts';
import { signDayRoot } from './sign.ts';
import { listStatementLines } from './store-statement.ts';

const START = new Date('2026-03-30T10:00:00Z');
const ROOT = '/.well-known/openslot-ledger';

let seller: Client;
let buyer: Client;
let files: string;
/** An ad of 100.00, paid in March; 300 of 1,000 views in March and 200 in April. */
let ad: Ad;
beforeAll(() => {
  files = mkdtempSync(path.join(os.tmpdir(), 'openslot-log-'));
});
afterAll(() => {
  rmSync(files, { recursive: true });
});
const server = useOwnServer(() => ({ start: START }));
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  ({ ad } = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1000 },
  }));
  await deliver(later(START, HOUR_MS), 300);
  await signDayRoot(server.ctx);
  await deliver(later(START, 2 * DAY_MS + HOUR_MS), 200);
});

async function deliver(at: Date, views: number): Promise<void> {
  server.clock.set(at);
  await countAt(server.ctx, ad, at.toISOString(), views, 0);
  server.clock.set(later(at, HOUR_MS));
  await accrueDue(server.ctx);
}

const statementOf = async (client: Client, month: string, query = ''): Promise<Statement> =>
  (await client.get(`/api/statements/${month}${query}`)).body;
const amounts = ({ lines }: Statement) => lines.map(({ kind, amount }) => `${kind} ${amount}`);

/** Runs the script on saved answers, as a reader would. */
async function verify(...answers: unknown[]): Promise<{ code: number; output: string }> {
  const names = answers.map((answer, at) => {
    const file = path.join(files, `${at}.json`);
    writeFileSync(file, JSON.stringify(answer));
    return file;
  });
  const script = path.join(import.meta.dirname, '../../../scripts/verify-ledger.mjs');
  return await promisify(execFile)(process.execPath, [script, ...names]).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

describe('a statement', () => {
  // Proves STMT-01, LOGS-02
  it('shows each side its own money, and each month opens with the balance of the one before', async () => {
    const march = await statementOf(seller, '2026-03');
    expect(march).toMatchObject({
      side: 'publisher',
      currency: 'USD',
      mode: 'sandbox',
      opening: '0.00',
      closing: '25.50',
      final: true,
      next: null,
    });
    expect(amounts(march)).toEqual(['accrual 25.50']);
    expect(await statementOf(seller, '2026-04')).toMatchObject({
      opening: '25.50',
      closing: '42.50',
      final: false,
      lines: [{ kind: 'accrual', adPublicId: ad.publicId, amount: '17.00', balance: '42.50' }],
    });
    const bought = await statementOf(buyer, '2026-03');
    expect(JSON.parse(bought.lines[0]?.leaf as string)).toEqual({
      book: 'sandbox',
      entry: expect.any(Number),
      kind: 'paid',
      occurredAt: bought.lines[0]?.at,
      recordedAt: bought.lines[0]?.recordedAt,
      account: expect.stringMatching(/^[0-9a-f-]{36}$/),
      amountCents: -1500,
      currency: 'USD',
      salt: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(bought).toMatchObject({ side: 'buyer', opening: '0.00', closing: '70.00' });
    expect(amounts(bought)).toEqual(['paid 15.00', 'paid 85.00', 'accrual -4.50', 'accrual -25.50']);
    expect(bought.lines.map(({ balance }) => balance)).toEqual(['15.00', '100.00', '95.50', '70.00']);
  });

  // Proves STMT-01
  it('shows nothing to a stranger or the other side, and does not exist for a future month', async () => {
    const stranger = await server.signIn('both');
    expect(await statementOf(stranger, '2026-03')).toMatchObject({ side: 'publisher', lines: [] });
    expect(await statementOf(seller, '2026-03', '?side=buyer')).toMatchObject({ closing: '0.00', lines: [] });
    expect((await seller.get('/api/statements/2026-05')).status).toBe(404);
    expect((await seller.get('/api/statements/2026-13')).status).toBe(404);
    expect((await seller.get('/api/statements/2026-03?side=operator')).status).toBe(400);
    expect((await server.anyone().get('/api/statements/2026-03')).status).toBe(401);
  });

  // Proves STMT-01
  it('does not exist for a year that no marketplace has', async () => {
    for (const month of [
      '0000-01',
      '0001-01',
      '1969-12',
      '9999-12',
      '2026-00',
      '2026-13',
      '1e3-01',
      '2026-01%00',
    ])
      expect([month, (await seller.get(`/api/statements/${month}`)).status]).toEqual([month, 404]);
    expect((await seller.get('/api/statements/0000-01.csv')).status).toBe(404);
    expect((await seller.get('/api/statements/1970-01')).status).toBe(200);
  });

  it('has each entry in the month of its recording, also if the clocks of two instances differ', async () => {
    const { db } = server.ctx;
    const undone = new Error('undone');
    const account = { userId: seller.user.id, side: 'publisher', book: 'sandbox', currency: 'USD' } as const;
    const monthOf = (n: number) => new Date(Date.UTC(2026, n));
    const read = async (tx: Tx) => ({
      opening: await Promise.all([3, 4, 5].map(async (n) => await sumBefore(tx, account, monthOf(n)))),
      lines: (
        await listStatementLines(tx, account, { from: monthOf(3), to: monthOf(4), after: null, limit: 9 })
      ).length,
    });
    await db
      .transaction()
      .execute(async (tx) => {
        const before = await read(tx);
        for (const [at, cents] of [
          ['2026-04-30T23:59:58Z', 1],
          ['2026-05-01T00:00:01Z', 10],
          ['2026-04-30T23:59:59Z', 100],
          ['2026-05-01T00:00:02Z', 1000],
        ] as const)
          await post(tx, {
            kind: 'other',
            externalRef: at,
            book: 'sandbox',
            currency: 'USD',
            occurredAt: new Date(at),
            recordedAt: new Date(at),
            adId: null,
            entries: [
              { account: { kind: 'bank', ownerId: null }, amountCents: cents },
              { account: { kind: 'publisher_payable', ownerId: seller.user.id }, amountCents: -cents },
            ],
          });
        const [april, may, june] = before.opening as [number, number, number];
        expect(await read(tx)).toEqual({ opening: [april, may + 101, june + 1111], lines: before.lines + 2 });
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
  });

  // Proves STMT-01
  it('comes in pages whose lines and balances continue', async () => {
    const first = await statementOf(buyer, '2026-03', '?limit=3');
    const second = await statementOf(buyer, '2026-03', `?limit=3&cursor=${first.next}`);
    const whole = await statementOf(buyer, '2026-03');
    expect([...first.lines, ...second.lines]).toEqual(whole.lines);
    expect(second.next).toBeNull();
    expect((await buyer.get('/api/statements/2026-03?cursor=nonsense')).status).toBe(400);
  });

  // Proves STMT-01
  it('is a file of comma-separated values with the same lines', async () => {
    const { status, headers, text } = await buyer.get('/api/statements/2026-03.csv');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = text.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(rows[0]).toBe('at,recorded_at,kind,ad,document,amount,balance,currency');
    expect(rows.slice(1).map((row) => row.split(',').slice(2).join(','))).toEqual([
      `paid,${ad.publicId},R-2026-000001,15.00,15.00,USD`,
      `paid,${ad.publicId},R-2026-000001,85.00,100.00,USD`,
      `accrual,${ad.publicId},,-4.50,95.50,USD`,
      `accrual,${ad.publicId},,-25.50,70.00,USD`,
    ]);
    expect((await buyer.get('/api/statements/2026-06.csv')).status).toBe(404);
    expect((await server.anyone().get('/api/statements/2026-03.csv')).status).toBe(401);
  });
});

describe('the log', () => {
  // Proves LOGS-03
  it('has one signed root a day, which contains no personal data', async () => {
    const root = (await server.anyone().get(ROOT)).body;
    expect(root).toEqual({
      book: 'sandbox',
      day: '2026-03-30',
      size: 8,
      root: expect.stringMatching(/^[0-9a-f]{64}$/),
      signedAt: expect.any(String),
      publicKey: expect.any(String),
      signature: expect.any(String),
      publicUrl: server.ctx.config.publicUrl,
    });
    expect((await server.anyone().get(`${ROOT}?day=2026-03-30`)).body).toEqual(root);
    expect((await server.anyone().get(`${ROOT}?day=2026-03-29`)).status).toBe(404);
    expect((await server.anyone().get(`${ROOT}?day=today`)).status).toBe(400);
    expect((await server.anyone().get(`${ROOT}?from=3`)).status).toBe(400);
    expect((await server.anyone().get(`${ROOT}?from=4&to=3`)).status).toBe(400);
    expect((await server.anyone().get(`${ROOT}?from=4&to=9`)).status).toBe(404);
  });

  // Proves LOGS-03, LOGS-05, LOGS-06
  it('proves each line up to its newest root, and a script without the product agrees', async () => {
    const [march, april] = [await statementOf(buyer, '2026-03'), await statementOf(buyer, '2026-04')];
    expect(march.lines.every(({ proof }) => proof?.size === 8)).toBe(true);
    expect(april.lines.every(({ proof }) => proof === null)).toBe(true);
    const first = (await server.anyone().get(ROOT)).body;
    expect(await verify(march, april, first)).toEqual({
      code: 0,
      output:
        'ok     Root of 2026-03-30, 8 leaves: signed\n' +
        'ok     2026-03: 4 of 4 lines are in the log\n' +
        'ok     2026-04: 0 of 2 lines are in the log, 2 younger than the newest root\n',
    });

    expect(await signDayRoot(server.ctx)).toBe(true);
    expect(await signDayRoot(server.ctx)).toBe(false);
    const second = (await server.anyone().get(ROOT)).body;
    expect(second).toMatchObject({ day: '2026-04-01', size: 12 });
    const growth = (await server.anyone().get(`${ROOT}?from=8&to=12`)).body;
    const { output } = await verify(
      await statementOf(seller, '2026-04'),
      await statementOf(buyer, '2026-04'),
      second,
      first,
      growth,
    );
    expect(output).toBe(
      'ok     Root of 2026-04-01, 12 leaves: signed\n' +
        'ok     Root of 2026-03-30, 8 leaves: signed\n' +
        'ok     The log of 2026-04-01 continues that of 2026-03-30\n' +
        'ok     2026-04: 1 of 1 lines are in the log\n' +
        'ok     2026-04: 2 of 2 lines are in the log\n',
    );
  });

  // Proves OWNS-111
  it('has a leaf for each document, which a script without the product checks', async () => {
    const root = (await server.anyone().get(ROOT)).body;
    const [receipt] = (await buyer.get('/api/documents')).body;
    const answer = (await buyer.get(`/api/documents/${receipt.number}/proof`)).body;
    expect(answer).toMatchObject({
      number: 'R-2026-000001',
      hash: receipt.hash,
      proof: { index: 7, size: 12 },
    });
    expect(JSON.parse(answer.leaf)).toMatchObject({ document: 'R-2026-000001', amountCents: 10_000 });
    expect(await verify(answer, root)).toMatchObject({
      code: 0,
      output: expect.stringContaining('ok     R-2026-000001: it is in the log of 2026-04-01\n'),
    });
    const leaf = answer.leaf.replace('10000', '10001');
    const hash = createHash('sha256').update('\0').update(leaf).digest('hex');
    for (const [wrong, text] of [
      [{ ...answer, leaf }, 'the hash is wrong'],
      [{ ...answer, leaf, hash }, 'it is not in the log of 2026-04-01'],
      [{ ...answer, number: 'R-2026-000002' }, 'the log says something else'],
    ] as const)
      expect(await verify(wrong, root)).toMatchObject({ code: 1, output: expect.stringContaining(text) });
    expect((await seller.get(`/api/documents/${receipt.number}/proof`)).status).toBe(404);
  });

  // Proves OWNS-111
  it('lets the check of the books name a changed, a missing and an unlogged document', async () => {
    const foundAfter = async (...statements: string[]) => {
      let found: string[] = [];
      await server.owner
        .transaction()
        .execute(async (tx) => {
          for (const table of ['documents', 'ledger_leaves'])
            await sql.raw(`alter table ${table} disable trigger user`).execute(tx);
          for (const statement of statements) await sql.raw(statement).execute(tx);
          found = (await checkMoney({ ...server.ctx, db: tx })).differences.map(({ kind }) => kind);
          throw new Error('undone');
        })
        .catch((error: Error) => expect(error.message).toBe('undone'));
      return found.filter((kind) =>
        ['document_changed', 'document_missing', 'document_not_logged'].includes(kind),
      );
    };
    const noLeaf = 'delete from ledger_leaves where document_id is not null';
    expect(await foundAfter()).toEqual([]);
    expect(await foundAfter('update documents set customer = customer || \'{"name": "Eve"}\'')).toEqual([
      'document_changed',
    ]);
    expect(await foundAfter(noLeaf)).toEqual(['document_not_logged']);
    expect(
      await foundAfter(
        'alter table ledger_leaves drop constraint ledger_leaves_document_id_fkey',
        'delete from documents',
      ),
    ).toEqual(['document_missing']);
  });

  // Proves LOGS-06
  it('exposes a changed line, a forged root and a rewritten past', async () => {
    const root = (await server.anyone().get(ROOT)).body;
    const first = (await server.anyone().get(`${ROOT}?day=2026-03-30`)).body;
    const statement = await statementOf(seller, '2026-03');
    const [line] = statement.lines;
    const leaf = line?.leaf.replace('-2550', '-2551');
    const changed = {
      ...statement,
      closing: '25.51',
      lines: [{ ...line, amount: '25.51', balance: '25.51', leaf }],
    };
    expect(await verify(changed, root)).toMatchObject({
      code: 1,
      output: expect.stringContaining('accrual, 25.51): it is not in the log of 2026-04-01'),
    });
    const untrue = {
      ...statement,
      closing: '25.51',
      lines: [{ ...line, amount: '25.51', balance: '25.51' }],
    };
    expect((await verify(untrue, root)).output).toContain('the log says something else');
    expect((await verify({ ...statement, closing: '99.00' }, root)).output).toContain('do not add up');
    expect((await verify({ ...root, size: 10 })).output).toContain('the signature is wrong');
    const growth = (await server.anyone().get(`${ROOT}?from=8&to=12`)).body;
    const rewritten = { ...growth, path: growth.path.map(() => first.root) };
    expect((await verify(root, first, rewritten)).output).toContain('does not continue');
    expect((await verify(root, first)).output).toContain('add the proof ?from=8&to=12');
    expect((await verify('not a statement')).code).toBe(2);
  });

  // Proves BOOK-03
  it('lets the check of the books name a changed posting, a missing one and a changed root', async () => {
    expect((await checkMoney(server.ctx)).differences).toEqual([]);
    let found: string[] = [];
    await server.owner
      .transaction()
      .execute(async (tx) => {
        await sql`alter table ledger_tx disable trigger user`.execute(tx);
        await sql`alter table ledger_leaves disable trigger user`.execute(tx);
        await sql`update ledger_tx set occurred_at = occurred_at - interval '1 day' where kind = 'paid'`.execute(
          tx,
        );
        await sql`delete from ledger_leaves where index = 11`.execute(tx);
        const { differences } = await checkMoney({ ...server.ctx, db: tx });
        found = differences.map(({ kind }) => kind);
        throw new Error('undone');
      })
      .catch((error: Error) => expect(error.message).toBe('undone'));
    expect(new Set(found)).toEqual(new Set(['leaf_changed', 'posting_not_logged', 'root_changed']));
  });

  // Proves LOGS-02
  it('cannot be changed by a direct statement', async () => {
    for (const table of ['ledger_leaves', 'ledger_nodes', 'ledger_roots'])
      await expect(sql`delete from ${sql.table(table)}`.execute(server.owner)).rejects.toThrow('append-only');
  });

  // Proves LOGS-02
  it('takes each posting once when two servers add to it at the same moment', async () => {
    await deliver(later(START, 3 * DAY_MS), 100);
    const append = async () =>
      await server.ctx.db.transaction().execute(async (tx) => await appendPostings(tx, 'sandbox'));
    const sizes = await Promise.all([append(), append(), append()]);
    // The receipt is a leaf, too.
    const { rows } = await sql<{
      leaves: number;
    }>`select (select count(*)::integer from ledger_postings) + 1 as leaves`.execute(server.ctx.db);
    expect(sizes).toEqual(Array(3).fill(rows[0]?.leaves));
  });

  // Proves LOGS-03
  it('states the owed and held sums if the operator publishes them', async () => {
    const open = await untilTestEnds(startTestServer({ start: START, env: { LEDGER_TOTALS: 'public' } }));
    await makeLiveAd(await open.signIn('seller'), await open.signIn('buyer'));
    await signDayRoot(open.ctx);
    expect((await open.anyone().get(ROOT)).body).toMatchObject({
      owed: '100.00',
      held: '100.00',
      currency: 'USD',
    });
  });
});
