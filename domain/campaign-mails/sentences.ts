/** The results of campaigns, in three sentences. The mails of a week and of an end consist of them. */
import { counted, countText } from '../format.ts';
import { unitCostsOf } from '../analytics/unit-costs.ts';
import type { Days } from '../analytics/days.ts';
import { soldText } from '../inventory/price-text.ts';
import type { AdPlan } from '../inventory/pricing.ts';
import { listText } from '../list-text.ts';
import { type Currency, decimalOf, divideHalfUp, moneyText } from '../money.ts';

export type Brought = {
  views: number;
  clicks: number;
  /** Null unless the advertiser's page reports landings. */
  conversions: number | null;
  /** The price of what was delivered. */
  cents: number;
};

export type Week = {
  /** How many campaigns ran in the week. */
  campaigns: number;
  days: Days;
  brought: Brought;
  /** Of the week before; null if no campaign had begun by then. */
  before: Pick<Brought, 'views' | 'clicks'> | null;
  currency: Currency;
};

/** What an advertiser's campaigns have brought in a week, how that compares with the week before, and what it cost. */
export function weekSentences({ campaigns, days, brought, before, currency }: Week): string[] {
  const isOne = campaigns === 1;
  const [they, their] = isOne ? ['it', 'Its'] : ['they', 'Their'];
  return [
    `Your ${isOne ? 'campaign' : `${countText(campaigns)} campaigns`} had ${broughtText(brought)} ${daysText(days)}.`,
    before === null
      ? `This was ${their.toLowerCase()} first week, so there is no earlier one to compare it with.`
      : comparison(brought, before, they),
    `${their} delivery ${weekCost(brought, currency)}.`,
  ];
}

export type Ending = {
  /** The title of the ad or the name of the plan, in quotation marks. */
  name: string;
  days: Days;
  brought: Brought;
  /** The part of the price that was refunded. */
  refundedCents: number;
  bought: AdPlan | PlanAds;
  currency: Currency;
};
/** The ads of a plan, and how many of them have delivered everything that was bought. */
export type PlanAds = { ads: number; delivered: number };

/** What a campaign or a plan has brought, compared with what was bought, and what it cost. */
export function endSentences({ name, days, brought, refundedCents, bought, currency }: Ending): string[] {
  return [
    `${name} had ${broughtText(brought)} ${daysText(days)}.`,
    'ads' in bought ? planText(bought) : boughtText(bought, brought.views, refundedCents > 0),
    `It cost ${endCost(brought, refundedCents, currency)}.`,
  ];
}

/** '1,234 views, 1 click and no conversions' */
function broughtText({ views, clicks, conversions }: Brought): string {
  return listText([
    some(views, 'view'),
    some(clicks, 'click'),
    ...(conversions === null ? [] : [some(conversions, 'conversion')]),
  ]);
}

const some = (amount: number, word: string): string => (amount === 0 ? `no ${word}s` : counted(amount, word));

/** 'on Nov 3', 'from Nov 3 to Nov 10' */
export function daysText({ from, to }: Days): string {
  return from === to ? `on ${dayText(from)}` : `from ${dayText(from)} to ${dayText(to)}`;
}

/** 'Nov 3' */
export const dayText = (day: string): string =>
  new Date(day).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

function comparison(now: Brought, before: Pick<Brought, 'views' | 'clicks'>, they: string): string {
  if (before.views === 0 && before.clicks === 0)
    return now.views === 0 && now.clicks === 0
      ? `The week before, ${they} had none either.`
      : `The week before, ${they} had no views and no clicks.`;
  return `Compared with the week before, views ${changeText(now.views, before.views)} and clicks ${changeText(now.clicks, before.clicks)}.`;
}

/** Below this, a percentage says more than there is: one click more would be 'rose by 100%'. */
const MIN_FOR_PERCENT = 100;

function changeText(now: number, before: number): string {
  if (now === before) return `stayed at ${countText(now)}`;
  const verb = now > before ? 'rose' : 'fell';
  if (before < MIN_FOR_PERCENT) return `${verb} from ${countText(before)} to ${countText(now)}`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  return percent === 0 ? 'stayed about the same' : `${verb} by ${countText(percent)}%`;
}

function weekCost(brought: Brought, currency: Currency): string {
  if (brought.cents === 0) return 'cost nothing';
  const cost = money(brought.cents, currency);
  if (brought.cents < 0) return `cost ${cost}, because earlier delivery was taken back`;
  return `cost ${cost}${unitCosts(brought, currency)}`;
}

function boughtText(bought: AdPlan, views: number, isRefunded: boolean): string {
  const sold = `You bought ${soldText(bought)}`;
  if (isRefunded) return `${sold}, and all that wasn’t refunded was delivered.`;
  if (bought.pricingModel !== 'per_day') return `${sold}, and everything was delivered.`;
  const perDay = Math.round(views / bought.duration);
  return bought.duration === 1 || perDay === 0
    ? `${sold}, and it ran to the end.`
    : `${sold}, and it had ${counted(perDay, 'view')} on an average day.`;
}

function planText({ ads, delivered }: PlanAds): string {
  const rest = ads - delivered;
  if (rest === 0) {
    if (ads === 1) return 'Its campaign has delivered everything that you bought.';
    const all = ads === 2 ? 'Both' : `All ${countText(ads)}`;
    return `${all} campaigns have delivered everything that you bought.`;
  }
  return `${countText(delivered)} of its ${counted(ads, 'campaign')} ${delivered === 1 ? 'has' : 'have'} delivered everything that you bought, and the ${rest === 1 ? 'other' : 'others'} ended early or never ran.`;
}

function endCost(brought: Brought, refundedCents: number, currency: Currency): string {
  const refund = refundedCents > 0 ? ` after a refund of ${money(refundedCents, currency)}` : '';
  if (brought.cents <= 0) return `nothing${refund}`;
  return `${money(brought.cents, currency)}${refund}${unitCosts(brought, currency)}`;
}

/** ': $2.43 for 1,000 views and $0.25 for a click', or nothing if there is nothing to divide by. */
function unitCosts({ views, clicks, conversions, cents }: Brought, currency: Currency): string {
  const { cpmCents, cpcCents } = unitCostsOf({ impressions: views, clicks, amountCents: cents });
  const perConversion = conversions ? divideHalfUp(cents, conversions) : null;
  const costs = [
    { of: cpmCents, unit: '1,000 views' },
    { of: cpcCents, unit: 'a click' },
    { of: perConversion, unit: 'a conversion' },
  ].flatMap(({ of, unit }) => (of === null ? [] : [`${money(of, currency)} for ${unit}`]));
  return costs.length === 0 ? '' : `: ${listText(costs)}`;
}

const money = (cents: number, currency: Currency): string => moneyText(decimalOf(cents), currency);
