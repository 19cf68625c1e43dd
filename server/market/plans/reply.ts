import type { Ad } from '#domain/ads/contract.ts';
import { unitCostsOf } from '#domain/analytics/unit-costs.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Plan, PlanAd } from '#domain/plans/contract.ts';
import type { AdMoney } from './money.ts';
import type { PlanRow } from './store.ts';

/** The price of the plan if all of its ads run. */
export const totalOf = (ads: readonly Ad[]): string =>
  decimalOf(sum(ads.map(({ totalAmount }) => centsOf(totalAmount))));

const NOT_PAID: AdMoney = { paidCents: 0, deliveredCents: 0, notDeliveredCents: 0, refundedCents: 0 };

/** The sums of a plan are those of its ads. */
export function planReply(plan: PlanRow, ads: readonly Ad[], money: ReadonlyMap<number, AdMoney>): Plan {
  const shown = ads.map((ad) => planAdReply(ad, money.get(ad.id) ?? NOT_PAID));
  const sumOf = (field: 'paid' | 'delivered' | 'notDelivered' | 'refunded') =>
    decimalOf(sum(shown.map((ad) => centsOf(ad[field]))));
  const delivered = sumOf('delivered');
  const impressions = sum(ads.map(({ totalImpressions }) => totalImpressions));
  const clicks = sum(ads.map(({ totalClicks }) => totalClicks));
  const { cpmCents, cpcCents } = unitCostsOf({ impressions, clicks, amountCents: centsOf(delivered) });
  return {
    publicId: plan.publicId,
    name: plan.name,
    total: totalOf(ads),
    paid: sumOf('paid'),
    delivered,
    notDelivered: sumOf('notDelivered'),
    refunded: sumOf('refunded'),
    impressions,
    clicks,
    cpm: cpmCents === null ? null : decimalOf(cpmCents),
    cpc: cpcCents === null ? null : decimalOf(cpcCents),
    consent: consentOf(ads),
    ads: shown,
  };
}

/** The consent that ads of the plan still wait for, or else their last one. */
function consentOf(ads: readonly Ad[]): Ad['consent'] {
  const consents = ads.flatMap(({ consent }) => consent ?? []);
  return consents.find(({ state }) => state === 'active' || state === 'charging') ?? consents.at(-1) ?? null;
}

function planAdReply(ad: Ad, money: AdMoney): PlanAd {
  return {
    ...ad,
    paid: decimalOf(money.paidCents),
    delivered: decimalOf(money.deliveredCents),
    notDelivered: decimalOf(money.notDeliveredCents),
    refunded: decimalOf(money.refundedCents),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
