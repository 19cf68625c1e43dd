/** The evidence with which the marketplace answers a dispute: the sale, the approval, the delivery and the terms. */

/** Texts only, each at most 20,000 characters, as the provider allows. */
export type Evidence = {
  productDescription: string;
  customerName: string;
  customerEmail: string;
  /** The first day of the delivery, such as 2026-11-22. */
  serviceDate: string;
  /** The delivery, day by day. */
  activityLog: string;
  refundPolicy: string;
  cancellationPolicy: string;
  /** The order of events: submitted, approved, paid, delivered. */
  summary: string;
};

/** Raise the version with every change of the two texts below, because evidence names it. */
export const TERMS_VERSION = '1 (2026-11-22)';

const REFUND_TERMS =
  'A campaign is charged for what was delivered. What was not delivered is refunded to the card, without being asked for, when a campaign ends early for any reason: canceled by the advertiser, stopped by the publisher or the marketplace, or not delivered in full.';
const CANCELLATION_TERMS =
  'The advertiser can cancel a running campaign at any time on the dashboard. The exact refund is shown before the cancellation and is sent to the card at once. What comes back if nothing, half or all is delivered is shown at checkout before the payment.';

const MAX_TEXT = 20_000;
/** Room for a last line that says how much was left out. */
const MAX_LOG = 19_800;

/** We do not know whether the bank of the card has verified the payer (3-D Secure), so no field claims it. */
export type EvidenceFacts = {
  adPublicId: string;
  title: string;
  targetUrl: string;
  websiteName: string;
  websiteUrl: string;
  zoneName: string;
  /** Such as '10,000 viewable impressions'. */
  bought: string;
  /** Such as '100.00 USD'. */
  price: string;
  customerName: string;
  customerEmail: string;
  /** ISO 8601 instants; null where it did not happen. */
  submittedAt: string;
  version: number;
  approvedAt: string | null;
  paidAt: string;
  chargeId: string;
  startedAt: string | null;
  endedAt: string | null;
  endedReason: string | null;
  /** Counted events by UTC day, the oldest first. */
  days: readonly { day: string; views: number; clicks: number }[];
  /** Such as '12.50 USD on 2026-11-22: canceled'. */
  refunds: readonly string[];
};

export function evidenceOf(facts: EvidenceFacts): Evidence {
  const { title, targetUrl, websiteName, websiteUrl, zoneName, bought, price, adPublicId } = facts;
  return {
    productDescription: cut(
      `Online advertising: the ad "${title}", which leads to ${targetUrl}, was shown in the ad zone "${zoneName}" of the website ${websiteName} (${websiteUrl}). Bought: ${bought} for ${price}. Order ${adPublicId}.`,
    ),
    customerName: cut(facts.customerName),
    customerEmail: cut(facts.customerEmail),
    serviceDate: (facts.startedAt ?? facts.paidAt).slice(0, 10),
    activityLog: logOf(facts.days),
    refundPolicy: `Terms version ${TERMS_VERSION}. ${REFUND_TERMS}`,
    cancellationPolicy: `Terms version ${TERMS_VERSION}. ${CANCELLATION_TERMS}`,
    summary: cut(summaryOf(facts)),
  };
}

function summaryOf(facts: EvidenceFacts): string {
  const { submittedAt, version, approvedAt, paidAt, chargeId, startedAt, endedAt, endedReason, refunds } =
    facts;
  const views = facts.days.reduce((sum, day) => sum + day.views, 0);
  const clicks = facts.days.reduce((sum, day) => sum + day.clicks, 0);
  return [
    `${submittedAt} The advertiser submitted the ad (submission ${version}) from a signed-in account with a verified e-mail address.`,
    ...(approvedAt === null ? [] : [`${approvedAt} The publisher approved this submission.`]),
    `${paidAt} The advertiser paid on the checkout page (charge ${chargeId}).`,
    ...(startedAt === null ? [] : [`${startedAt} The campaign started.`]),
    ...(endedAt === null ? [] : [`${endedAt} The campaign ended (${endedReason ?? 'delivered'}).`]),
    `Counted so far: ${views} viewable impressions and ${clicks} clicks. Invalid traffic is not counted.`,
    ...(refunds.length === 0 ? ['Nothing was refunded.'] : refunds.map((refund) => `Refunded: ${refund}.`)),
    'Network addresses of visitors and customers are not stored, so none can be given.',
  ].join('\n');
}

/** The newest days are the ones that are left out, because the bank reads from the top. */
function logOf(days: EvidenceFacts['days']): string {
  if (days.length === 0) return 'Nothing was counted.';
  const lines: string[] = [];
  let length = 0;
  for (const { day, views, clicks } of days) {
    const line = `${day} (UTC): ${views} viewable impressions, ${clicks} clicks`;
    if (length + line.length + 1 > MAX_LOG) {
      lines.push(`${days.length - lines.length} more days are left out.`);
      break;
    }
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join('\n');
}

const cut = (text: string): string => text.slice(0, MAX_TEXT);
