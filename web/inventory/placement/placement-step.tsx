import { counted } from '#domain/format.ts';
import { useState, type ReactNode } from 'react';
import { SearchX, Tag } from 'lucide-react';
import type { Availability } from '#domain/ads/contract.ts';
import { QUOTA_ENDS_AFTER_DAYS } from '#domain/ads/silence.ts';
import { AD_KINDS, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { isUnknown, siteForecastText, viewsText, zoneForecastText } from '#domain/delivery/forecast-text.ts';
import type { AdZone, MarketplaceWebsite, Product } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { amountText, MODEL_NAMES, offerText, unitPriceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { hasChoice, quantitiesText } from '#domain/inventory/quantity.ts';
import { visitorsText } from '#domain/inventory/traffic.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { centsOf } from '#domain/money.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CURRENCY, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { OptionButton } from '#web/ui/forms/option-button.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { rememberWebsite, useMarketplace, useProducts, useZoneAvailability, useZones } from '../api.ts';
import { SlotDrawing } from '../slot-drawing.tsx';
import { WebsitePicture } from '../website-picture.tsx';
import { QuantityPicker } from './quantity-picker.tsx';

type PlacementStepProps = {
  adType: AdType;
  website: MarketplaceWebsite | undefined;
  zone: AdZone | undefined;
  product: Product | undefined;
  quantity: number;
  /** Null clears the choice. */
  onWebsite: (website: MarketplaceWebsite | null) => void;
  onZone: (zone: AdZone) => void;
  onProduct: (product: Product) => void;
  onQuantity: (quantity: number) => void;
  /** The choices are complete. */
  onContinue: () => void;
  onType: (type: AdType) => void;
};

/** The wizard's choice of website, ad zone, pricing option and quantity; each choice reveals the next. */
export function PlacementStep(props: PlacementStepProps) {
  const { adType, website, zone, product, quantity, onWebsite, onZone, onProduct, onType } = props;
  return (
    <div className="grid gap-6">
      <Part title="Website">
        {website ? (
          <OptionButton
            title={website.name}
            picture={<WebsitePicture website={website} className="size-12" />}
            selected
            aside={<span className="text-accent">Change</span>}
            onSelect={() => onWebsite(null)}
          >
            <WebsiteLine website={website} />
          </OptionButton>
        ) : (
          <WebsitePicker
            adType={adType}
            onChoose={(chosen) => {
              rememberWebsite(chosen);
              onWebsite(chosen);
            }}
          />
        )}
        {website && website.pageUrl !== null && <PageLink href={website.pageUrl} />}
        {website?.isVerified === false && (
          <Banner tone="warn" className="mt-4">
            {UNVERIFIED_WARNING}
          </Banner>
        )}
      </Part>
      {website && (
        <Part title="Ad zone">
          <ZonePicker website={website} zone={zone} adType={adType} onChoose={onZone} />
        </Part>
      )}
      {website && zone && (
        <Part title="Pricing option">
          <ProductPicker
            zone={zone}
            adType={adType}
            productId={product?.id}
            onChoose={onProduct}
            onType={onType}
          />
        </Part>
      )}
      {zone && product && hasChoice(product) && (
        <Part title="How much">
          <QuantityPicker
            key={product.id}
            zone={zone}
            product={product}
            quantity={quantity}
            onQuantity={props.onQuantity}
            onContinue={props.onContinue}
          />
        </Part>
      )}
    </div>
  );
}

function PageLink({ href }: { href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className="mt-3 inline-block rounded-tight text-accent underline underline-offset-4"
    >
      All prices and figures of this site
    </a>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card aria-label={title}>
      <h3 className="mb-4 font-medium">{title}</h3>
      {children}
    </Card>
  );
}

function WebsiteLine({ website }: { website: MarketplaceWebsite }) {
  return (
    <span className="wrap-anywhere">
      {website.category} · {website.displayAddress}
      {` · ${visitorsText(website.monthlyVisitors)}`}
      {!website.isVerified && ' · Unverified'}
      {website.forecast && <span className="block">{siteForecastText(website.forecast)}</span>}
    </span>
  );
}

type WebsitePickerProps = { adType: AdType; onChoose: (website: MarketplaceWebsite) => void };

/** Lists the websites that sell ads of this type. */
function WebsitePicker({ adType, onChoose }: WebsitePickerProps) {
  const [search, setSearch] = useState('');
  const websites = useMarketplace({ adType, ...(search && { search }) });
  return (
    <div className="grid gap-4">
      <SearchField label="Search websites" value={search} onChange={setSearch} />
      {websites.isError ? (
        <LoadError what="the websites" onRetry={websites.retry} />
      ) : !websites.items ? (
        <Skeleton className="h-40" />
      ) : websites.items.length === 0 ? (
        <EmptyState title="No websites found" icon={<SearchX aria-hidden="true" />} className="py-8">
          {search
            ? `No website with ${adType} ads matches your search. Try other words.`
            : `No publisher sells ${adType} ads yet. Choose another ad type, or check back soon.`}
        </EmptyState>
      ) : (
        <>
          <ul className="grid gap-2 sm:grid-cols-2">
            {websites.items.map((website) => (
              <li key={website.publicId}>
                <OptionButton
                  title={website.name}
                  picture={<WebsitePicture website={website} className="size-12" />}
                  selected={false}
                  onSelect={() => onChoose(website)}
                >
                  <WebsiteLine website={website} />
                </OptionButton>
              </li>
            ))}
          </ul>
          {websites.hasMore && (
            <Button
              variant="secondary"
              className="justify-self-center"
              busy={websites.isLoadingMore}
              onClick={websites.loadMore}
            >
              Show more websites
            </Button>
          )}
        </>
      )}
    </div>
  );
}

type ZonePickerProps = {
  website: MarketplaceWebsite;
  zone: AdZone | undefined;
  adType: AdType;
  onChoose: (zone: AdZone) => void;
};

function ZonePicker({ website, zone, adType, onChoose }: ZonePickerProps) {
  const { data: zones, isError, refetch } = useZones(website.publicId);
  if (isError) return <LoadError what="the ad zones" onRetry={refetch} />;
  if (!zones) return <Skeleton className="h-20" />;
  // The owner of a website also receives its inactive ad zones.
  const open = zones.filter(({ isActive }) => isActive);
  if (open.length === 0) {
    return (
      <EmptyState title="No ad zones available" className="py-8">
        This website has no ad zone you can book right now. Choose another website.
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-2 sm:grid-cols-2">
      {open.map((each) => (
        <li key={each.publicId}>
          <OptionButton
            title={each.name}
            picture={<ZoneDrawing zone={each} />}
            selected={each.id === zone?.id}
            onSelect={() => onChoose(each)}
          >
            <ZonePrice zone={each} adType={adType} />
            <span className="block">{describeZone(each)}</span>
            <span className="block">{zoneForecastText(each.forecast)}</span>
            <span className="block">
              {each.liveAds === 0
                ? 'No other ad runs here now'
                : `Shared with ${counted(each.liveAds, 'other ad')} now`}
            </span>
          </OptionButton>
        </li>
      ))}
    </ul>
  );
}

function ZoneDrawing({ zone }: { zone: AdZone }) {
  return (
    <span className="grid h-18 w-20 place-items-center rounded-control bg-sunken">
      <SlotDrawing sizes={[zone]} width={64} height={56} />
    </span>
  );
}

/** The lowest price for an ad of this type, with its quantity. */
function ZonePrice({ zone, adType }: { zone: AdZone; adType: AdType }) {
  const offer = zone.offers.find((each) => each.adType === adType);
  if (!offer) return <span className="block text-ink-faint">No {adType} ads in this ad zone</span>;
  return (
    <span className="figures block font-medium text-ink">
      {offer.optionCount > 1 && 'from '}
      {offerText(offer.price, planOf(offer), CURRENCY)}
    </span>
  );
}

type ProductPickerProps = {
  zone: AdZone;
  adType: AdType;
  productId: number | undefined;
  onChoose: (product: Product) => void;
  onType: (type: AdType) => void;
};

/** Lists the options for the chosen ad type. If there are none, it offers to switch to another type. [OP-051] */
function ProductPicker({ zone, adType, productId, onChoose, onType }: ProductPickerProps) {
  const { data: products, isError, refetch } = useProducts(zone.publicId);
  if (isError) return <LoadError what="the pricing options" onRetry={refetch} />;
  if (!products) return <Skeleton className="h-20" />;
  const available = products.filter(({ isActive }) => isActive);
  const matching = available.filter((product) => product.adType === adType);
  const otherTypes = AD_TYPES.filter(
    (type) => type !== adType && available.some((product) => product.adType === type),
  );
  return (
    <div className="grid gap-4">
      {matching.length === 0 ? (
        <p className="text-sm text-ink-soft">
          This ad zone has no pricing option for {adType} ads.
          {otherTypes.length === 0 && ' Choose another ad zone.'}
        </p>
      ) : (
        <ul className="grid gap-2 sm:grid-cols-2">
          {matching.map((product) => (
            <li key={product.id}>
              <ProductOption
                product={product}
                zone={zone}
                selected={product.id === productId}
                onChoose={() => onChoose(product)}
              />
            </li>
          ))}
        </ul>
      )}
      {matching.length === 0 && otherTypes.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {otherTypes.map((type) => (
            <Button key={type} variant="secondary" size="sm" onClick={() => onType(type)}>
              Switch to {AD_KINDS[type].article} {AD_KINDS[type].name.toLowerCase()} ad
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

type ProductOptionProps = { product: Product; zone: AdZone; selected: boolean; onChoose: () => void };

function ProductOption({ product, zone, selected, onChoose }: ProductOptionProps) {
  const { data: availability } = useZoneAvailability(zone.publicId, product.id);
  const plan = planOf(product);
  return (
    <OptionButton
      title={`${MODEL_NAMES[product.pricingModel]}: ${amountText(plan)}${hasChoice(product) ? ' each' : ''}`}
      icon={<Tag aria-hidden="true" />}
      selected={selected}
      onSelect={onChoose}
      aside={<span className="figures text-base font-semibold">{formatMoney(product.price)}</span>}
    >
      {unitPriceText(centsOf(product.price), plan, CURRENCY)}
      {hasChoice(product) && <span className="block">Quantity {quantitiesText(product)}</span>}
      {!product.finishes && (
        <span className="block text-warn">
          More than this ad zone is expected to deliver in {QUOTA_ENDS_AFTER_DAYS} days. The rest would be
          refunded.
        </span>
      )}
      {/* The forecast is optional: the advertiser can choose before it is loaded, and without it. */}
      <span className="block min-h-5">
        {availability && !isUnknown(availability) && shareText(availability, product.pricingModel)}
      </span>
    </OptionButton>
  );
}

/** Such as 'About 120 views a day for your ad, shared with 2 other ads · about $4.20 per 1,000 views'. */
function shareText(
  { yoursPerDay, sharedWith, costPerThousand }: Availability,
  pricingModel: Product['pricingModel'],
): string {
  const views = `About ${viewsText({ low: yoursPerDay, high: yoursPerDay })} a day for your ad`;
  const others = sharedWith > 0 ? `, shared with ${counted(sharedWith, 'other ad')}` : '';
  // The price per 1,000 impressions of an ad per impression is already shown as its unit price.
  const cost =
    pricingModel === 'per_day' && costPerThousand !== null
      ? ` · about ${formatMoney(costPerThousand)} per 1,000 views`
      : '';
  return views + others + cost;
}
