import type { getReturned } from '#domain/analytics/publisher-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { moneyReply } from '../reply.ts';
import { selectReturned } from './store.ts';

const MAX_LISTED = 50;

/** The advertisers who bought in the publisher's zones more than once, without a mail address. */
export async function returned(ctx: Context, who: Caller): Promise<Reply<typeof getReturned>> {
  const of = { userId: who.id, book: ctx.payments.book };
  const { list, ...counts } = await selectReturned(ctx.db, of, MAX_LISTED);
  return {
    ...counts,
    list: list.map(({ name, campaigns, first, last, cents }) => ({
      name: name === '' ? null : name,
      campaigns,
      first: new Date(first).toISOString(),
      last: new Date(last).toISOString(),
      amount: moneyReply(cents),
    })),
  };
}
