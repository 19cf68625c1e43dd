import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { StyledZone } from '#domain/delivery/ad-style.ts';
import { totalCentsAt } from '#domain/inventory/quantity.ts';
import { decimalOf } from '#domain/money.ts';
import { RequestError } from '#web/http/request-error.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { AdFields, type MediaInputs } from './ad-fields.tsx';
import { contentOf, type AdForm } from './ad-form.ts';
import { AdPreview } from './ad-preview.tsx';
import { useCreateAd } from './api.ts';
import { useZoneAvailability } from './zone-availability.ts';
import { isImageMissing, isImageOfOtherShape } from './image-required.ts';
import { LimitsFold } from './limits-fold.tsx';
import { NextSteps } from './next-steps.tsx';
import { SiteRulesNote } from './site-rules.tsx';
import { OrderSummary, type Placement } from './order-summary.tsx';
import { savesCard, SubmitButtons } from './submit-buttons.tsx';

type ContentStepProps = {
  form: AdForm;
  adType: AdType;
  placement: Placement;
  media: MediaInputs;
  /** The day (UTC) on which the ad starts; null: as soon as it is paid for. */
  startDay: string | null;
  /** The fields that belong to the order and not to the creative. */
  order: ReactNode;
  /** `savesCard`: the advertiser wants to save a card that is charged on approval. */
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
      const withCard = savesCard(event?.nativeEvent);
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

/** The wizard's last step: the ad's content, a preview, the order summary and the next steps. */
export function ContentStep(props: ContentStepProps) {
  const { form, adType, placement, media, startDay, order } = props;
  const { zone } = placement;
  const total = decimalOf(totalCentsAt(placement.product, placement.quantity));
  const { submit, isBusy } = useSubmission(props, total);

  return (
    <div className="grid gap-6 lg:grid-cols-[1fr_20rem]">
      <div className="grid min-w-0 content-start gap-6">
        <SiteRulesNote rules={placement.website.rules} />
        <Card>
          <form noValidate onSubmit={submit} className="grid gap-5">
            <AdFields
              form={form}
              adType={adType}
              zone={zone}
              websiteUrl={placement.website.url}
              media={media}
            />
            <LimitsFold form={form} zonePublicId={zone.publicId} />
            {order}
            <SubmitButtons
              isBusy={isBusy}
              note={`Save a card now. We charge ${formatMoney(total)} only if the publisher approves your ad, and it goes live at once.`}
            />
          </form>
        </Card>
        <LivePreview form={form} adType={adType} zone={zone} />
      </div>
      <div className="grid content-start gap-6">
        <PriceChange total={total} />
        <OrderSummary adType={adType} placement={placement} startDay={startDay} />
        <NextSteps />
      </div>
    </div>
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

type LivePreviewProps = { form: AdForm; adType: AdType; zone: StyledZone };

function LivePreview({ form, adType, zone }: LivePreviewProps) {
  const values = useWatch({ control: form.control });
  const { title = '', description = '', targetUrl = '', imageUrl, videoUrl } = values;
  return (
    <Card aria-label="Ad Preview">
      <CardHeader
        title="Ad Preview"
        description={`How it will look in the ad zone (${zone.width}x${zone.height})`}
        className="mb-4"
      />
      <AdPreview
        creative={{
          adType,
          title,
          description,
          targetUrl,
          imageUrl: imageUrl ?? null,
          videoUrl: videoUrl ?? null,
        }}
        zone={zone}
      />
    </Card>
  );
}
