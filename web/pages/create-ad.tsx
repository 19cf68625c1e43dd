import { useEffect, useRef, useState } from 'react';
import { ArrowLeft } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { AD_TYPE_NAMES, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import type { MediaInputs } from '#web/ads/ad-fields.tsx';
import { NO_CONTENT, useAdForm } from '#web/ads/ad-form.ts';
import { ContentStep } from '#web/ads/content-step.tsx';
import { TypeStep } from '#web/ads/type-step.tsx';
import { PlacementStep } from '#web/inventory/placement/placement-step.tsx';
import { usePlacement, type Placement } from '#web/inventory/placement/use-placement.ts';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Steps } from '#web/ui/steps.tsx';

const STEPS = ['Choose Ad Type', 'Select Placement', 'Create Content'] as const;
type Step = 1 | 2 | 3;

const MEDIA: MediaInputs = { Image: ImageField, Video: VideoField };

export default function CreateAdPage() {
  const canBuy = useHasAccess('buyer');
  return (
    <Page>
      <PageHeader title="Create Ad" description="Three steps to an ad on a website you choose." />
      {canBuy ? <Wizard /> : <AccessNote needs="buyer" />}
    </Page>
  );
}

/**
 * Every choice stands in the address, so that the browser's Back leads to the step before, a reload loses nothing,
 * and an advertising-space link is just an address with two choices made.
 */
function Wizard() {
  const [, navigate] = useLocation();
  const { form, discard } = useAdForm('new-ad', NO_CONTENT);
  const [params, setParams] = useSearchParams();
  const placement = usePlacement({
    website: params.get('website'),
    zone: params.get('zone'),
    product: numberOf(params.get('option')),
  });
  const [camePlaced] = useState(() => params.has('website') && params.has('zone'));
  const isPlaced = placement.website !== undefined && placement.zone !== undefined;
  const adType = AD_TYPES.find((type) => type === params.get('type')) ?? (isPlaced ? 'text' : null);
  const step = stepOf(params.get('step'), adType, placement);

  /** `null` takes a choice back. A move to another step is a page of its own for the browser's Back. */
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

  if (placement.isLoading) return <Skeleton className="h-80 rounded-card" />;
  if (placement.isError) return <LoadError what="the ad space" onRetry={placement.retry} />;
  return (
    <>
      {placement.hasUnknown && (
        <Banner tone="warn" title="This ad space is not available">
          It was removed, or the link is not complete. Please choose a place below.
        </Banner>
      )}
      {camePlaced && isPlaced && step < 3 && (
        <Banner title="Your ad space is chosen">
          <bdi>{placement.zone?.name}</bdi> on <bdi>{placement.website?.name}</bdi>. Now choose how to pay for
          it.
        </Banner>
      )}
      <Steps labels={STEPS} current={step} onBack={(earlier) => choose({ step: String(earlier) })} />
      <StepHeading step={step} adType={adType} onStep={(earlier) => choose({ step: String(earlier) })} />
      {step === 1 && (
        <TypeStep
          value={adType}
          onChoose={(type) => choose({ type, step: '2', ...(type !== adType && { option: null }) })}
        />
      )}
      {step === 2 && adType && (
        <PlacementStep
          adType={adType}
          website={placement.website}
          zone={placement.zone}
          productId={placement.product?.id}
          onWebsite={(website) =>
            choose(
              { website: website && website.publicId, zone: null, option: null, type: adType, step: '2' },
              { replace: true },
            )
          }
          onZone={(zone) =>
            choose({ zone: zone.publicId, option: null, type: adType, step: '2' }, { replace: true })
          }
          onProduct={(product) => choose({ option: String(product.id), type: adType, step: '3' })}
          onType={(type) => choose({ type, option: null, step: '2' }, { replace: true })}
        />
      )}
      {step === 3 && adType && placement.website && placement.zone && placement.product && (
        <ContentStep
          form={form}
          adType={adType}
          placement={{ website: placement.website, zone: placement.zone, product: placement.product }}
          media={MEDIA}
          onSubmitted={() => {
            discard();
            navigate('/dashboard', { state: { tab: 'buyer' } });
          }}
        />
      )}
    </>
  );
}

/** The step the address names, as far as the choices before it are made. */
function stepOf(named: string | null, adType: AdType | null, { zone, product }: Placement): Step {
  if (named === '1' || !adType) return 1;
  if (product?.adType === adType && named !== '2') return 3;
  // With website and zone given the first step is skipped (CRE-06); a website alone does not skip it.
  return named === null && !zone ? 1 : 2;
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

type StepHeadingProps = { step: Step; adType: AdType | null; onStep: (step: Step) => void };

/** Takes the keyboard along to the new step. */
function StepHeading({ step, adType, onStep }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);

  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [step]);

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {STEPS[step - 1]}
      </h2>
      {step > 1 && (
        <span className="flex flex-wrap items-center gap-4 text-sm">
          {adType && (
            <span className="text-ink-soft">
              {AD_TYPE_NAMES[adType]} ad{' '}
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
