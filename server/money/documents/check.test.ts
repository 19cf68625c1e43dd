/** The books' own check finds documents that were changed although the database refuses it. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import { refundAd } from '#server/operator/money/money.ts';
import { countAt } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { runMoneyWork } from '../books/run.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { checkDocuments } from './check.ts';
import { makeMonthlyDocuments } from './months.ts';

const views = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '119.00' };
const OPERATOR = { id: null, dryRun: false };

const server = useOwnServer({
  start: new Date('2026-03-20T10:00:00Z'),
  taxTable: '{"default": "0.00", "DE": "19.00"}',
});
beforeAll(async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  await buyer.patch('/api/user/settings', { country: 'DE' });
  const { ad } = await makeLiveAd(seller, buyer, { product: views });
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 300);
  server.clock.advance(3 * HOUR_MS);
  await accrueDue(server.ctx, { early: true });
  await refundAd(server.ctx, OPERATOR, { id: ad.id, amount: null, reason: 'Agreed' });
  await runMoneyWork(server.ctx);
  server.clock.set(new Date('2026-04-01T00:02:00Z'));
  await makeMonthlyDocuments(server.ctx);
});

/** The differences after `damage`, which is then rolled back. No trigger runs meanwhile. */
async function after(damage: string): Promise<[string, number][]> {
  let found: [string, number][] = [];
  const undone = new Error('undone');
  await server.owner
    .transaction()
    .execute(async (tx) => {
      await sql`alter table documents disable trigger user`.execute(tx);
      await sql.raw(damage).execute(tx);
      found = (await checkDocuments(tx)).map(({ kind, amountCents }) => [kind, amountCents]);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return found;
}

// Proves OWNS-105
it('finds nothing in documents that nobody changed', async () => {
  expect(await after('select 1')).toEqual([]);
});

// Proves OWNS-105
it.each(['receipt', 'credit_note', 'commission_note'])('finds a changed amount of a %s', async (kind) => {
  const found = await after(`update documents set amount_cents = amount_cents + 100 where kind = '${kind}'`);
  expect(found).toContainEqual(['document_amount', 100]);
});

// Proves OWNS-105
it('finds a changed tax of a receipt', async () => {
  const found = await after(`update documents set tax_cents = tax_cents + 100 where kind = 'receipt'`);
  expect(found).toContainEqual(['document_tax', 100]);
});
