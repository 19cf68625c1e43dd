import { priceTrials, TRIAL_DAYS } from '#domain/analytics/price-trials.ts';
import type { listPriceTrials } from '#domain/analytics/publisher-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { moneyReply } from '../reply.ts';
import { selectBought } from './store.ts';

const MAX_LISTED = 100;
/** What an advertiser paid longer ago says little about what they would pay now. */
const COMPARED_DAYS = 365;

/** Sales that a higher price would have lost in each own zone, or in one, by pricing model. */
export async function trialsOfPrices(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listPriceTrials>,
): Promise<Reply<typeof listPriceTrials>> {
  const now = ctx.now();
  const rows = await selectBought(
    ctx.db,
    { userId: who.id, book: ctx.payments.book, zone: query.zone },
    {
      bought: later(now, -TRIAL_DAYS * DAY_MS),
      compared: later(now, -COMPARED_DAYS * DAY_MS),
      limit: MAX_LISTED,
    },
  );
  return rows.map(({ bought, pricingModel, ...names }) => {
    const { ads, earnedCents, trials } = priceTrials(pricingModel, bought);
    return {
      ...names,
      pricingModel,
      ads,
      amount: moneyReply(earnedCents),
      trials: trials.map(({ percent, fewest, leastCents, mostCents }) => ({
        percent,
        fewest,
        least: moneyReply(leastCents),
        most: moneyReply(mostCents),
      })),
    };
  });
}
