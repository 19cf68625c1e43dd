import type { Tx } from '#server/platform/database/database.ts';

/** The account of a country and a rate. */
export async function taxAccountOf(
  tx: Tx,
  { country, rate }: { country: string; rate: number },
): Promise<number> {
  const find = async () =>
    await tx
      .selectFrom('taxAccounts')
      .select('id')
      .where('country', '=', country)
      .where('rate', '=', rate)
      .executeTakeFirst();
  const known = await find();
  if (known) return known.id;
  await tx
    .insertInto('taxAccounts')
    .values({ country, rate })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // A new statement sees the row of another transaction, for which the insert has waited.
  return (await find())!.id;
}
