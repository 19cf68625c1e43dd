/**
 * What a higher price of an ad zone would have lost, by the ads that were bought there. Nobody knows what an advertiser
 * would have paid, so the result is a range. Its lower end counts an ad only if its advertiser has paid that price or
 * more per unit for the same model: in this zone, or in a zone of the same size.
 */
import type { PricingModel } from '../inventory/pricing.ts';

/** Ads that were bought in this many days are compared. */
export const TRIAL_DAYS = 90;
/** The rises in percent. */
export const RISES = [10, 20, 50] as const;
/** With fewer ads or advertisers the range would tell what one advertiser paid elsewhere. */
export const MIN_ADS = 5;
const MIN_ADVERTISERS = 3;

/** A bought ad of one zone and pricing model. */
export type BoughtAd = {
  advertiserId: number;
  /** The publisher's part of its price. */
  earnedCents: number;
  /** The highest price per unit that its advertiser paid, as a multiple of this ad's. At least 1. */
  mostPaid: number;
};

export type PriceTrial = {
  percent: number;
  /** The ads that would have been bought: at least `fewest`, at most all. */
  fewest: number;
  /** The publisher's part of what they would have paid. */
  leastCents: number;
  mostCents: number;
};

export type PriceTrials = {
  model: PricingModel;
  ads: number;
  earnedCents: number;
  /** Empty if there are too few ads or advertisers. */
  trials: PriceTrial[];
};

export function priceTrials(model: PricingModel, bought: readonly BoughtAd[]): PriceTrials {
  const advertisers = new Set(bought.map(({ advertiserId }) => advertiserId));
  const isEnough = bought.length >= MIN_ADS && advertisers.size >= MIN_ADVERTISERS;
  return {
    model,
    ads: bought.length,
    earnedCents: sumOf(bought),
    trials: isEnough ? RISES.map((percent) => trialOf(bought, percent)) : [],
  };
}

function trialOf(bought: readonly BoughtAd[], percent: number): PriceTrial {
  const sure = bought.filter(({ mostPaid }) => mostPaid * 100 >= 100 + percent);
  const raised = (cents: number) => Math.round((cents * (100 + percent)) / 100);
  return {
    percent,
    fewest: sure.length,
    leastCents: raised(sumOf(sure)),
    mostCents: raised(sumOf(bought)),
  };
}

const sumOf = (ads: readonly BoughtAd[]): number =>
  ads.reduce((sum, { earnedCents }) => sum + earnedCents, 0);
