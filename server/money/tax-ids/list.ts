import { taxIdText } from '#domain/payments/tax-ids.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { deleteUnusedChecksOf, listChecksOf, listOpenTaxIds, type OpenTaxId } from './store.ts';

export type { OpenTaxId };

/** To see more rows, query the database. */
const MAX_ROWS = 500;

/** The numbers that VIES refused after a sale, or has not answered yet, for the operator, at most 500. [OWNS-123] */
export async function openTaxIds({ db }: Pick<Context, 'db'>): Promise<OpenTaxId[]> {
  return await listOpenTaxIds(db, MAX_ROWS);
}

export type OwnTaxIdCheck = {
  taxId: string;
  result: string;
  register: string;
  requestId: string | null;
  askedAt: string;
  answeredAt: string | null;
};

/** Everything that we keep about checks of a user's numbers. */
export async function ownTaxIdChecks(tx: Tx, userId: number): Promise<OwnTaxIdCheck[]> {
  const checks = await listChecksOf(tx, userId);
  return checks.map(({ country, number, askedAt, answeredAt, ...check }) => ({
    ...check,
    taxId: taxIdText({ country, number }),
    askedAt: askedAt.toISOString(),
    answeredAt: answeredAt?.toISOString() ?? null,
  }));
}

/** Forgets the checks of a deleted account. Those of sales stay, as the documents do. */
export async function forgetTaxIds(tx: Tx, userId: number): Promise<void> {
  await deleteUnusedChecksOf(tx, userId);
}
