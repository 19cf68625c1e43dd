import { useLayoutEffect, useRef, useState } from 'react';
import { ArrowLeft } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { NO_CONTENT, useAdForm, type AdFormValues } from '#web/ads/ad-form.ts';
import { useAd } from '#web/ads/api.ts';
import { TypeStep } from '#web/ads/type-step.tsx';
import { refreshInventory } from '#web/inventory/api.ts';
import { type Booking, useBooking } from '#web/inventory/placement/use-booking.ts';
import type { Placement } from '#web/inventory/placement/use-placement.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Steps } from '#web/ui/steps.tsx';

const STEPS = ['Choose Ad Type', 'Select Placement', 'Create Content'] as const;
type Step = 1 | 2 | 3;

const BookingStep = onDemand(
  'the ad zones',
  'h-150 rounded-card',
  async () => (await import('#web/inventory/placement/booking-step.tsx')).BookingStep,
);
const ContentStep = onDemand(
  'the form',
  'h-80 rounded-card',
  async () => (await import('./create-ad-content.tsx')).CreateAdContent,
);

export default function CreateAdPage() {
  const canBuy = useHasAccess('buyer');
  return (
    <Page className="gap-4 sm:gap-5 sm:pt-4">
      <PageHeader title="Create Ad" />
      {canBuy ? <Start /> : <AccessNote needs="buyer" />}
    </Page>
  );
}

/** Begins with an empty ad, or with the content of the advertiser's ad that the address names (`again`). */
function Start() {
  const again = useSearchParams()[0].get('again');
  return again === null ? (
    <Wizard draft="new-ad" content={NO_CONTENT} />
  ) : (
    <Again key={again} adRef={again} />
  );
}

function Again({ adRef }: { adRef: string }) {
  const { data: ad, isError } = useAd(adRef);
  if (isError) {
    return (
      <>
        <Banner tone="warn" title="We couldn’t load your campaign">
          Create a new ad below, or open your dashboard and press ‘Run again’ once more.
        </Banner>
        <Wizard draft="new-ad" content={NO_CONTENT} />
      </>
    );
  }
  if (!ad) return <Skeleton className="h-80 rounded-card" />;
  const { title, description, targetUrl, imageUrl, videoUrl, targeting } = ad;
  return (
    <Wizard
      draft={`again-${ad.publicId}`}
      content={{
        title,
        description,
        targetUrl,
        imageUrl: imageUrl ?? '',
        videoUrl: videoUrl ?? '',
        targeting,
      }}
    />
  );
}

/**
 * Keeps every choice in the address. The browser's Back button then leads to the previous step, a reload loses nothing,
 * and an advertising-space link is an address with choices already made (domain/inventory/wizard-address.ts).
 */
function Wizard({ draft, content }: { draft: string; content: AdFormValues }) {
  const [, navigate] = useLocation();
  const { form, discard } = useAdForm(draft, content);
  const { params, choose } = useChoices();
  const booking = useBooking(params);
  const { placement, named, sold, adType, product, quantity, startDay } = booking;
  const [isLinked] = useState(() => params.has('website') && params.has('zone'));
  const step = stepOf(params, booking);

  if (placement.isLoading) return <Skeleton className="h-80 rounded-card" />;
  if (placement.isError) return <LoadError what="the ad zone" onRetry={placement.retry} />;
  return (
    <>
      {placement.missing && (
        <Missing what={placement.missing} hasText={Object.values(form.getValues()).some(Boolean)} />
      )}
      <StepBar step={step} adType={adType} onStep={(earlier) => choose({ step: String(earlier) })} />
      {step === 1 && (
        <TypeStep
          value={adType}
          sold={sold}
          onChoose={(type) => choose({ type, step: '2', ...(type !== adType && { option: null }) })}
        />
      )}
      {step === 2 && adType && (
        <>
          {named && named !== adType && (
            <Banner>
              This ad zone takes no {named} ads, so we chose {AD_KINDS[adType].article} {adType} ad.
            </Banner>
          )}
          <BookingStep
            {...{ adType, placement, product, quantity, startDay, isLinked }}
            // The step is named, because an option alone leads to the last one.
            onChoose={(choices) => choose({ ...choices, step: '2' }, { replace: true })}
            onContinue={() =>
              product &&
              choose({
                zone: placement.zone?.publicId ?? null,
                type: adType,
                option: String(product.id),
                quantity: String(quantity),
                step: '3',
              })
            }
          />
        </>
      )}
      {step === 3 && adType && placement.website && placement.zone && product && (
        <ContentStep
          form={form}
          adType={adType}
          placement={{ website: placement.website, zone: placement.zone, product, quantity }}
          startDay={startDay}
          onBooking={() => choose({ step: '2' })}
          // The publisher may have removed the ad zone or its price meanwhile. The wizard then says so and goes back.
          onRefused={() => void refreshInventory()}
          onSubmitted={({ publicId }, { savesCard }) => {
            discard();
            if (savesCard) navigate(`/checkout/${publicId}/on-approval`);
            else navigate('/dashboard', { state: { tab: 'buyer' } });
          }}
        />
      )}
    </>
  );
}

/** The choices in the address. */
function useChoices() {
  const [params, setParams] = useSearchParams();

  /** `null` clears a choice. Without `replace` the change adds a history entry, to which Back returns. */
  function choose(choices: Record<string, string | null>, { replace = false } = {}) {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(choices)) {
          if (value === null) next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace },
    );
  }

  return { params, choose };
}

/** The step that the address names, or an earlier one while a choice before it is missing. */
function stepOf(params: URLSearchParams, { adType, named, placement }: Booking): Step {
  const { website, product } = placement;
  const step = params.get('step');
  if (step === '1' || !adType) return 1;
  if (product?.adType === adType && step !== '2') return 3;
  if (step !== null) return 2;
  // An address with website and zone skips the first step. A website alone does so only if its type is known. [CRE-04]
  const isKnown = params.has('zone') || named !== undefined || website?.adTypes.length === 1;
  return website && isKnown ? 2 : 1;
}

type MissingProps = { what: NonNullable<Placement['missing']>; hasText: boolean };

function Missing({ what, hasText }: MissingProps) {
  const kept = hasText ? ' Your text is kept.' : '';
  if (what === 'option') {
    return (
      <Banner tone="warn" title="This price isn't available any more">
        The publisher has changed the prices of this ad zone. See what it costs now.{kept}
      </Banner>
    );
  }
  return (
    <Banner tone="warn" title="This ad zone isn't available">
      It may have been removed, or the link is incomplete. Choose another ad zone.{kept}
    </Banner>
  );
}

type StepBarProps = { step: Step; adType: AdType | null; onStep: (step: number) => void };

/** Takes the focus when the step changes, before the browser paints it, so that a key finds the focus there. */
function StepBar({ step, adType, onStep }: StepBarProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);

  useLayoutEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [step]);

  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-72">
        <Steps labels={STEPS} current={step} heading={heading} onBack={onStep} />
      </div>
      {step > 1 && (
        <span className="flex flex-wrap items-center gap-4 text-sm">
          {adType && (
            <span className="text-ink-soft">
              {AD_KINDS[adType].name} ad{' '}
              <Button variant="link" onClick={() => onStep(1)}>
                Change ad type
              </Button>
            </span>
          )}
          <Button variant="secondary" size="sm" onClick={() => onStep(step === 3 ? 2 : 1)}>
            <ArrowLeft aria-hidden="true" />
            Back
          </Button>
        </span>
      )}
    </div>
  );
}
