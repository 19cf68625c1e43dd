import type { PayoutAccount } from '#domain/payments/payout-contract.ts';
import type { Context } from '../../context.ts';

export type KnownPayee = PayoutAccount & { accountId: string | null };

export async function readPayee(ctx: Context, userId: number): Promise<KnownPayee> {
  const row = await ctx.db
    .selectFrom('payeeAccounts')
    .select(['accountId', 'country', 'transfersStatus'])
    .where('userId', '=', userId)
    .where('book', '=', ctx.payments.book)
    .executeTakeFirst();
  if (!row) return { accountId: null, state: 'none', country: null, requirements: [] };
  const { accountId, country } = row;
  return {
    accountId,
    country,
    state: row.transfersStatus === 'active' ? 'ready' : 'pending',
    requirements: [],
  };
}
