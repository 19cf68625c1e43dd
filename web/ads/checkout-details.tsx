import type { Ad } from '#domain/ads/contract.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { amountText, MODEL_NAMES } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { Availability } from './availability.tsx';
import { AdPreview, zoneOf } from './ad-preview.tsx';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { formatDateTime, formatDay } from '#web/ui/format/format.ts';
import { Facts } from './facts.tsx';
import { quantityFacts } from './quantity-facts.ts';
import { StatusBadge } from './status-badge.tsx';

/** The purchase with its forecast, and a warning if the website isn't verified. */
export function WhatYouGet({ ad }: { ad: Ad }) {
  return (
    <>
      <div className="grid gap-1">
        <h2 className="text-sm font-medium text-ink-soft">What you get</h2>
        <p className="text-lg font-semibold wrap-anywhere">
          {amountText(planOf(ad))} on <bdi>{ad.websiteName}</bdi>
        </p>
        <p className="text-sm wrap-anywhere text-ink-soft">
          {AD_KINDS[ad.adType].name} ad in <bdi>{ad.adZoneName}</bdi>, {ad.adZoneWidth}x{ad.adZoneHeight}
        </p>
      </div>
      <Availability ad={ad} />
      {!ad.websiteIsVerified && <p className="text-sm text-warn">{UNVERIFIED_WARNING}</p>}
    </>
  );
}

export function CheckoutDetails({ ad }: { ad: Ad }) {
  const plan = planOf(ad);
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <h2 className="text-base font-semibold wrap-anywhere">
          <bdi>{ad.title || 'Untitled Ad'}</bdi>
        </h2>
        <p className="wrap-anywhere text-ink-soft">
          <bdi>{ad.description}</bdi>
        </p>
      </div>
      <AdPreview creative={ad} zone={zoneOf(ad)} />
      <Facts
        facts={[
          ['Ad type', AD_KINDS[ad.adType].name],
          ['Status', <StatusBadge key="status" status={ad.status} />],
          [
            'Target URL',
            <span key="url" className="break-all">
              {ad.displayTarget}
            </span>,
          ],
          [
            'Placement',
            <span key="place">
              <bdi>{ad.adZoneName}</bdi> on <bdi>{ad.websiteName}</bdi>
            </span>,
          ],
          ...(ad.targeting === null
            ? []
            : [['Shown to', <LimitsList key="limits" limits={ad.targeting} none="" />] as const]),
          ['Pricing option', `${MODEL_NAMES[plan.pricingModel]}: ${amountText(plan)}`],
          ...quantityFacts(ad.quantity, ad.unitPrice),
          ...(ad.startDate === null
            ? []
            : [['Starts', `${formatDay(ad.startDate.slice(0, 10))} (00:00 UTC)`] as const]),
          ...(ad.payBy === null ? [] : [['Pay by', formatDateTime(ad.payBy)] as const]),
        ]}
      />
    </div>
  );
}
