import type { ReactNode } from 'react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { PricingForm } from '../my-zones/pricing-form.tsx';
import { SlotsAndDays } from './calendar.tsx';
import { PriceList } from './price-list.tsx';

/** Offers of the ad zone, their prices and their days. `more` shows how past sales judge the prices. */
export function BookingTab({ zone, more }: { zone: AdZone; more: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-2">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <section aria-labelledby="prices" className="grid gap-3">
          <h2 id="prices" className="font-medium">
            Prices
          </h2>
          <PriceList zone={zone} />
        </section>
        {more}
        <section aria-labelledby="set-pricing" className="grid gap-3">
          <h2 id="set-pricing" className="font-medium">
            Set Pricing
          </h2>
          <PricingForm zone={zone} onSaved={() => {}} />
        </section>
      </div>
      <SlotsAndDays zone={zone} />
    </div>
  );
}
