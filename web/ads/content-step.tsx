import { useState, type CSSProperties } from 'react';
import { useWatch } from 'react-hook-form';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { StyledZone } from '#domain/delivery/ad-style.ts';
import { totalCentsAt } from '#domain/inventory/quantity.ts';
import { decimalOf } from '#domain/money.ts';
import { RequestError } from '#web/http/request-error.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Card } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { Chips } from '#web/ui/forms/chips.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { AdFields, type MediaInputs } from './ad-fields.tsx';
import { contentOf, type AdForm } from './ad-form.ts';
import { AdBox } from './ad-preview.tsx';
import { useCreateAd } from './api.ts';
import { useZoneAvailability } from './zone-availability.ts';
import { isImageMissing, isImageOfOtherShape } from './image-required.ts';
import { SiteRulesNote } from './site-rules.tsx';
import { OrderSummary, type Placement } from './order-summary.tsx';
import { savesCard, Submit } from './submit.tsx';
import { TargetingFold } from './targeting-fold.tsx';

type ContentStepProps = {
  form: AdForm;
  adType: AdType;
  placement: Placement;
  media: MediaInputs;
  /** The day (UTC) on which the ad starts; null: as soon as it is paid for. */
  startDay: string | null;
  /** Back to the booking. */
  onBooking: () => void;
  /** `savesCard`: the advertiser allows a charge on approval. */
  onSubmitted: (ad: Ad, choice: { savesCard: boolean }) => void;
  /** The server refused the ad, perhaps because of its placement. */
  onRefused: () => void;
};

/** Sends the ad at the price that the advertiser sees, unless its image is missing or has another shape than the zone. */
function useSubmission(props: ContentStepProps, total: string) {
  const { form, adType, placement, startDay, onSubmitted, onRefused } = props;
  const { zone, product, quantity } = placement;
  const create = useCreateAd();

  // The number that the Order Summary shows.
  const { data: availability, refetch } = useZoneAvailability(
    zone.publicId,
    product.id,
    quantity,
    product.pricingModel === 'per_day',
    useWatch({ control: form.control, name: 'targeting' }) ?? null,
  );

  const submit = form.handleSubmit(
    async (checked, event) => {
      if (isImageMissing(adType, form)) return;
      if (await isImageOfOtherShape(adType, form, zone, { shouldFocus: true })) return;
      const withCard = savesCard(event?.target as HTMLFormElement);
      const body = {
        adZoneId: zone.id,
        productId: product.id,
        adType,
        ...contentOf(adType, checked),
        targeting: checked.targeting ?? null,
        startDate: startDay,
        quantity,
        expectedPrice: total,
        expectedDayViews: availability?.minDayViews ?? undefined,
        totalAmount: total,
        status: 'pending',
      };
      create.mutate(body, {
        onSuccess: (ad) => onSubmitted(ad, { savesCard: withCard }),
        onError: (error) => {
          showFieldIssues(form, error);
          if (!(error instanceof RequestError)) return;
          onRefused();
          if (product.pricingModel === 'per_day') void refetch();
        },
      });
    },
    () => void isImageMissing(adType, form),
  );

  return { submit, isBusy: create.isPending };
}

/** The wizard's last step: the form, and beside it what the ad looks like and costs. */
export function ContentStep(props: ContentStepProps) {
  const { form, adType, placement, media, startDay, onBooking } = props;
  const { zone, website } = placement;
  const total = decimalOf(totalCentsAt(placement.product, placement.quantity));
  const { submit, isBusy } = useSubmission(props, total);
  const targeting = useWatch({ control: form.control, name: 'targeting' }) ?? null;
  const preview = <LivePreview form={form} adType={adType} zone={zone} />;
  const shape = shapeOf(zone);

  return (
    <form
      noValidate
      onSubmit={submit}
      // Parts of the form that stick do so below a wide preview, and a field that gets the focus is not under it.
      style={{ '--above': shape === 'wide' ? `${zone.height + WIDE_EXTRA}px` : '0px' } as CSSProperties}
      className={cn('grid grid-cols-[minmax(0,1fr)] items-start gap-6', COLUMNS[shape])}
    >
      {shape === 'wide' && (
        <div className="z-10 bg-canvas lg:sticky lg:top-(--spacing-header) lg:col-span-2 lg:-my-2 lg:py-2">
          {preview}
        </div>
      )}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6 lg:[&_:is(input,textarea,select,button)]:scroll-mt-(--above)">
        <SiteRulesNote rules={website.rules} />
        <Card className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <AdFields form={form} adType={adType} zone={zone} websiteUrl={website.url} media={media} />
          <TargetingFold form={form} zonePublicId={zone.publicId} />
        </Card>
      </div>
      <div
        className={cn(
          'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:sticky lg:top-[calc(var(--spacing-header)+1rem+var(--above))]',
          shape === 'tall' && 'lg:grid-cols-[auto_16rem]',
        )}
      >
        {shape !== 'wide' && preview}
        <Card padded={false} className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 p-4">
          <PriceChange total={total} />
          <OrderSummary
            placement={placement}
            startDay={startDay}
            targeting={targeting}
            onBooking={onBooking}
          />
          <Submit
            isBusy={isBusy}
            tick="Charge a card when approved"
            note={`${formatMoney(total)}, only if the publisher approves your ad`}
          />
          <NextSteps />
        </Card>
      </div>
    </form>
  );
}

/** Where the preview stands in its real size: above the form, between the form and the total, or above the total. */
const COLUMNS = {
  wide: 'lg:grid-cols-[minmax(0,1fr)_22rem]',
  tall: 'lg:grid-cols-[minmax(0,1fr)_auto]',
  box: 'lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]',
} as const;

function shapeOf({ width, height }: StyledZone): keyof typeof COLUMNS {
  if (width > 400) return 'wide';
  return height > 320 ? 'tall' : 'box';
}

const STEPS = ['Submit for approval', 'Pay once approved', 'Go live'];

/** The caption of the button. */
function NextSteps() {
  return (
    <section aria-label="Next Steps">
      <ol className="flex flex-wrap gap-x-3 text-xs text-ink-soft">
        {STEPS.map((step, at) => (
          <li key={step} className="flex gap-1">
            <span className="figures text-ink-faint">{at + 1}</span>
            <span>{step}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Says that the publisher has changed the price since the advertiser came to this step. */
function PriceChange({ total }: { total: string }) {
  const [firstTotal] = useState(total);
  if (total === firstTotal) return null;
  return (
    <Banner tone="warn" title="The price has changed">
      The publisher changed it from {formatMoney(firstTotal)} to {formatMoney(total)}.
    </Banner>
  );
}

const DEVICES = [
  { value: 'desktop', title: 'Desktop' },
  { value: 'phone', title: 'Phone' },
] as const;

type LivePreviewProps = { form: AdForm; adType: AdType; zone: StyledZone };

/** The ad as visitors see it, on a wide page or on a phone of 375 px. */
function LivePreview({ form, adType, zone }: LivePreviewProps) {
  const [device, setDevice] = useState<'desktop' | 'phone'>('desktop');
  const values = useWatch({ control: form.control });
  const { title = '', description = '', targetUrl = '', imageUrl, videoUrl } = values;
  const isPhone = device === 'phone';
  return (
    <section aria-label="Ad Preview" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="text-base font-semibold">Ad Preview</h3>
        <Chips label="Preview on" choices={DEVICES} value={device} onChange={setDevice} />
      </header>
      <div
        style={{ width: isPhone ? PHONE_WIDTH : zone.width + FRAME }}
        className="mx-auto max-w-full rounded-card border border-line bg-surface p-2.5"
      >
        <AdBox
          creative={{
            adType,
            title,
            description,
            targetUrl,
            imageUrl: imageUrl ?? null,
            videoUrl: videoUrl ?? null,
          }}
          zone={zone}
          isNarrowed={isPhone}
        />
      </div>
    </section>
  );
}

const PHONE_WIDTH = 375;
/** The height of a wide preview without its ad zone. */
const WIDE_EXTRA = 84;
/** The frame's padding and border. */
const FRAME = 22;
