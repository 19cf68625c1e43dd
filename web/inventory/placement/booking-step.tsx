import { Store, Tag } from 'lucide-react';
import type { ReactNode } from 'react';
import { AD_KINDS, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { amountText, MODEL_NAMES, unitPriceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { hasChoice } from '#domain/inventory/quantity.ts';
import { centsOf } from '#domain/money.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CURRENCY, formatMoney } from '#web/ui/format/format.ts';
import { Chips } from '#web/ui/forms/chips.tsx';
import { OptionButton } from '#web/ui/forms/option-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { AmountSlider } from './amount.tsx';
import { BookingDays } from './booking-days.tsx';
import { BookingTotal } from './booking-total.tsx';
import { Place } from './place.tsx';
import type { Placement } from './use-placement.ts';
import { ZoneList } from './zone-list.tsx';

/** Choices as the wizard's address names them (domain/inventory/wizard-address.ts). Null clears one. */
export type Choices = Partial<Record<'zone' | 'type' | 'option' | 'quantity' | 'start', string | null>>;

type BookingStepProps = {
  adType: AdType;
  placement: Placement;
  /** The chosen option, or the cheapest one. */
  product: Product | undefined;
  quantity: number;
  /** The day (UTC) on which the ad starts; null: as soon as it is paid for. */
  startDay: string | null;
  /** Says that a link has chosen the ad zone. */
  isLinked: boolean;
  onChoose: (choices: Choices) => void;
  onContinue: () => void;
};

/** The wizard's booking: one card from the place to the total. What has no alternative is chosen already. */
export function BookingStep(props: BookingStepProps) {
  const { adType, placement, product, isLinked, onChoose, onContinue } = props;
  const { website, zones, zone, products } = placement;
  if (!website) return <NoPlace adType={adType} />;
  return (
    <Card aria-label="Booking">
      <form
        noValidate
        className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,1fr)_19rem]"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          if (form.checkValidity()) onContinue();
          else form.querySelector<HTMLElement>('input:invalid')?.focus();
        }}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
          <Place
            website={website}
            zone={zone}
            isLinked={isLinked}
            adType={adType}
            onOtherZone={
              zones.length > 1 ? () => onChoose({ zone: null, option: null, quantity: null }) : null
            }
          />
          {!zone ? (
            <ZoneList
              zones={zones}
              adType={adType}
              onChoose={({ publicId }) => onChoose({ zone: publicId, option: null, quantity: null })}
            />
          ) : products ? (
            <Options {...props} zone={zone} products={products} />
          ) : (
            <Skeleton className="h-80" />
          )}
        </div>
        {zone && product && <BookingTotal {...props} zone={zone} product={product} />}
      </form>
    </Card>
  );
}

type OptionsProps = BookingStepProps & { zone: AdZone; products: readonly Product[] };

/** The type of the ad, the option, and the days or the number of views. [OP-051] */
function Options({ adType, zone, products, product, quantity, startDay, onChoose }: OptionsProps) {
  const sold = AD_TYPES.filter((type) => products.some((each) => each.adType === type));
  if (sold.length === 0)
    return (
      <p className="text-sm text-ink-soft">
        This ad zone has no pricing option right now. Choose another one.
      </p>
    );
  const offered = products.filter((each) => each.adType === adType);
  return (
    <>
      <Chips
        label="Ad type"
        choices={sold.map((type) => ({ value: type, title: AD_KINDS[type].name }))}
        value={adType}
        onChange={(type) => onChoose({ type, option: null, quantity: null })}
      />
      {offered.length > 1 && (
        <Choice label="Pricing option">
          {offered.map((each) => (
            <OptionButton
              key={each.id}
              title={`${MODEL_NAMES[each.pricingModel]}: ${amountText(planOf(each))}${hasChoice(each) ? ' each' : ''}`}
              icon={<Tag aria-hidden="true" />}
              selected={each.id === product?.id}
              onSelect={() => onChoose({ option: String(each.id), quantity: null })}
              aside={<span className="figures text-base font-semibold">{formatMoney(each.price)}</span>}
            >
              {unitPriceText(centsOf(each.price), planOf(each), CURRENCY)}
            </OptionButton>
          ))}
        </Choice>
      )}
      {product && product.duration !== null && (
        <BookingDays key={product.id} {...{ zone, product, quantity, startDay, onChoose }} />
      )}
      {product && product.duration === null && hasChoice(product) && (
        <AmountSlider
          product={product}
          quantity={quantity}
          onQuantity={(chosen) => onChoose({ quantity: String(chosen) })}
        />
      )}
    </>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="grid gap-2 sm:grid-cols-2">
      {children}
    </div>
  );
}

/** Websites are compared in the marketplace, so the wizard has no list of its own. */
function NoPlace({ adType }: { adType: AdType }) {
  return (
    <EmptyState
      title="Choose where your ad runs"
      icon={<Store aria-hidden="true" />}
      action={<ButtonLink href={`/marketplace?adType=${adType}`}>Browse Marketplace</ButtonLink>}
    >
      Compare the sites in the marketplace, and press ‘Advertise Here’ on one. What you have typed is kept.
    </EmptyState>
  );
}
