import type { Ad } from '#domain/ads/contract.ts';
import { unitCostsOf } from '#domain/analytics/unit-costs.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Plan } from '#domain/plans/contract.ts';
import type { AdMoney } from './money.ts';
import type { PlanRow } from './store.ts';

/** What the plan costs if all of its ads run. */
export const totalOf = (ads: readonly Ad[]): string =>
  decimalOf(sum(ads.map(({ totalAmount }) => centsOf(totalAmount))));

/** The sums of a plan are those of its ads. [PLAN-05] */
export function viewPlan(plan: PlanRow, ads: Ad[], money: ReadonlyMap<number, AdMoney>): Plan {
  const paid = ads.flatMap(({ id }) => money.get(id) ?? []);
  const amountCents = sum(paid.map(({ deliveredCents }) => deliveredCents));
  const impressions = sum(ads.map(({ totalImpressions }) => totalImpressions));
  const clicks = sum(ads.map(({ totalClicks }) => totalClicks));
  const { cpmCents, cpcCents } = unitCostsOf({ impressions, clicks, amountCents });
  return {
    publicId: plan.publicId,
    name: plan.name,
    total: totalOf(ads),
    paid: decimalOf(sum(paid.map(({ paidCents }) => paidCents))),
    delivered: decimalOf(amountCents),
    notDelivered: decimalOf(sum(paid.map(({ notDeliveredCents }) => notDeliveredCents))),
    refunded: decimalOf(sum(paid.map(({ refundedCents }) => refundedCents))),
    impressions,
    clicks,
    cpm: cpmCents === null ? null : decimalOf(cpmCents),
    cpc: cpcCents === null ? null : decimalOf(cpcCents),
    ads,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
