import { counted } from '#domain/format.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { soldText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { Facts } from './facts.tsx';
import { quantityFacts } from './quantity-facts.ts';
import { Target } from './target.tsx';

/** The booking of an ad: how much, where it leads and to whom it is shown. */
export function BookingFacts({ ad }: { ad: Ad }) {
  return (
    <Facts
      facts={[
        ['Booked', soldText(planOf(ad))],
        ...quantityFacts(ad.quantity, ad.unitPrice),
        ...(ad.minDayViews === null
          ? []
          : [['Each day needs', counted(ad.minDayViews, 'counted view')] as const]),
        ['Target', <Target key="target" ad={ad} side="advertiser" />],
        ['Shown to', <LimitsList key="limits" limits={ad.targeting} none="Everybody" />],
      ]}
    />
  );
}
