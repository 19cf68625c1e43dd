import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { startTransactionPooler } from '#server/testing/database/transaction-pooler.ts';
import { PooledAddress, refuseTransactionPooler } from './pooler.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

it('the direct address of a database is taken', async () => {
  await expect(refuseTransactionPooler(database.url, 'DATABASE_URL')).resolves.toBeUndefined();
});

it.each([
  { backends: 1, ignoresParameters: true },
  { backends: 3, ignoresParameters: true },
  { backends: 20, ignoresParameters: true },
  { backends: 3, ignoresParameters: false },
])('the address of a transaction pooler is refused: %o', async (options) => {
  const pooler = await startTransactionPooler(database.url, options);
  const refusal = await refuseTransactionPooler(pooler.url, 'DATABASE_URL').catch((error: unknown) => error);
  await pooler.stop();
  expect(refusal).toBeInstanceOf(PooledAddress);
  expect((refusal as Error).message).toMatch(/^DATABASE_URL is the address of a transaction pooler.*direct/);
});
