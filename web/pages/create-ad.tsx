import { useLayoutEffect, useRef, useState } from 'react';
import { ArrowLeft } from 'lucide-react';
import { useLocation, useSearchParams } from 'wouter';
import { AD_KINDS, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { allowsQuantity, hasChoice } from '#domain/inventory/quantity.ts';
import { AccessNote, useHasAccess } from '#web/accounts/access-note.tsx';
import { NO_CONTENT, useAdForm, type AdFormValues } from '#web/ads/ad-form.ts';
import { useAd } from '#web/ads/api.ts';
import { TypeStep } from '#web/ads/type-step.tsx';
import { refreshInventory } from '#web/inventory/api.ts';
import { usePlacement, type Placement } from '#web/inventory/placement/use-placement.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Steps } from '#web/ui/steps.tsx';

const STEPS = ['Choose Ad Type', 'Select Placement', 'Create Content'] as const;
type Step = 1 | 2 | 3;

const PlacementStep = onDemand(
  'the ad zones',
  'h-80',
  async () => (await import('#web/inventory/placement/placement-step.tsx')).PlacementStep,
);
const ContentStep = onDemand(
  'the form',
  'h-80 rounded-card',
  async () => (await import('./create-ad-content.tsx')).CreateAdContent,
);

export default function CreateAdPage() {
  const canBuy = useHasAccess('buyer');
  return (
    <Page>
      <PageHeader title="Create Ad" description="Create an ad in three steps." />
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
 * and an advertising-space link is an address with two choices already made.
 */
function Wizard({ draft, content }: { draft: string; content: AdFormValues }) {
  const [, navigate] = useLocation();
  const { form, discard } = useAdForm(draft, content);
  const { params, choose } = useChoices();
  const placement = usePlacement({
    website: params.get('website'),
    zone: params.get('zone'),
    product: numberOf(params.get('option')),
  });
  const [cameWithZone] = useState(() => params.has('website') && params.has('zone'));
  const isPlaced = placement.website !== undefined && placement.zone !== undefined;
  const sold = typesSoldOn(placement.website);
  const onlyType = sold.length === 1 && !placement.missing ? (sold[0] ?? null) : null;
  const adType = AD_TYPES.find((type) => type === params.get('type')) ?? (isPlaced ? 'text' : onlyType);
  const step = stepOf(params.get('step'), adType, placement, onlyType);
  const quantity = quantityOf(params.get('quantity'), placement.product);

  if (placement.isLoading) return <Skeleton className="h-80 rounded-card" />;
  if (placement.isError) return <LoadError what="the ad zone" onRetry={placement.retry} />;
  return (
    <>
      {placement.missing && (
        <Missing what={placement.missing} hasText={Object.values(form.getValues()).some(Boolean)} />
      )}
      {cameWithZone && isPlaced && step < 3 && (
        <Banner title="Ad zone selected">
          <bdi>{placement.zone?.name}</bdi> on <bdi>{placement.website?.name}</bdi>. Now choose a price.
        </Banner>
      )}
      <Steps labels={STEPS} current={step} onBack={(earlier) => choose({ step: String(earlier) })} />
      <StepHeading step={step} adType={adType} onStep={(earlier) => choose({ step: String(earlier) })} />
      {step === 1 && (
        <TypeStep
          value={adType}
          sold={sold}
          onChoose={(type) => choose({ type, step: '2', ...(type !== adType && { option: null }) })}
        />
      )}
      {step === 2 && adType && adType === onlyType && (
        <p className="text-sm text-ink-soft">
          This website sells {adType} ads only, so that type is already chosen.
        </p>
      )}
      {step === 2 && adType && (
        <ChoosePlacement adType={adType} placement={placement} quantity={quantity} choose={choose} />
      )}
      {step === 3 && adType && placement.website && placement.zone && placement.product && (
        <ContentStep
          form={form}
          adType={adType}
          placement={{
            website: placement.website,
            zone: placement.zone,
            product: placement.product,
            quantity,
          }}
          startDay={dayOf(params.get('start'))}
          onStart={(start) => choose({ start }, { replace: true })}
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

type ChoosePlacementProps = {
  adType: AdType;
  placement: Placement;
  quantity: number;
  choose: ReturnType<typeof useChoices>['choose'];
};

/** The second step. A choice clears those that depend on it, and keeps the ad type that the step shows. */
function ChoosePlacement({ adType, placement, quantity, choose }: ChoosePlacementProps) {
  return (
    <PlacementStep
      adType={adType}
      website={placement.website}
      zone={placement.zone}
      product={placement.product}
      quantity={quantity}
      onWebsite={(website) =>
        choose(
          {
            website: website && website.publicId,
            zone: null,
            option: null,
            quantity: null,
            type: adType,
            step: '2',
          },
          { replace: true },
        )
      }
      onZone={(zone) =>
        choose(
          { zone: zone.publicId, option: null, quantity: null, type: adType, step: '2' },
          { replace: true },
        )
      }
      onProduct={(product) =>
        choose({
          option: String(product.id),
          quantity: null,
          type: adType,
          step: hasChoice(product) ? '2' : '3',
        })
      }
      onQuantity={(chosen) => choose({ quantity: String(chosen) }, { replace: true })}
      onContinue={() => choose({ step: '3' })}
      onType={(type) => choose({ type, option: null, step: '2' }, { replace: true })}
    />
  );
}

/** All types before a website is chosen, and for a website that sells none, because its ad zones then say so. */
function typesSoldOn(website: Placement['website']): readonly AdType[] {
  return website && website.adTypes.length > 0 ? website.adTypes : AD_TYPES;
}

/** The step that the address names, or an earlier one while a choice before it is missing. */
function stepOf(
  named: string | null,
  adType: AdType | null,
  { zone, product }: Placement,
  onlyType: AdType | null,
): Step {
  if (named === '1' || !adType) return 1;
  if (product?.adType === adType && named !== '2') return 3;
  // An address with website and zone skips the first step. A website alone does so only if it sells one type.
  // [CRE-04]
  return named === null && !zone && !onlyType ? 1 : 2;
}

type MissingProps = { what: NonNullable<Placement['missing']>; hasText: boolean };

function Missing({ what, hasText }: MissingProps) {
  const kept = hasText ? ' Your text is kept.' : '';
  if (what === 'option') {
    return (
      <Banner tone="warn" title="This price isn't available any more">
        The publisher has changed the prices of this ad zone. Choose one below.{kept}
      </Banner>
    );
  }
  return (
    <Banner tone="warn" title="This ad zone isn't available">
      It may have been removed, or the link is incomplete. Choose another ad zone below.{kept}
    </Banner>
  );
}

/** The quantity that the address names, or the smallest one of the price. */
function quantityOf(text: string | null, product: Placement['product']): number {
  const named = numberOf(text) ?? 0;
  return product && allowsQuantity(product, named) ? named : (product?.minQuantity ?? 1);
}

/** A day such as '2026-12-03'. */
function dayOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

type StepHeadingProps = { step: Step; adType: AdType | null; onStep: (step: Step) => void };

/** Takes the focus when the step changes, before the browser paints it, so that a key finds the focus there. */
function StepHeading({ step, adType, onStep }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);

  useLayoutEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [step]);

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
        {STEPS[step - 1]}
      </h2>
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
