import { counted } from '#domain/format.ts';
import { useEffect, useState } from 'react';
import type { Submission as SubmittedAd } from '#domain/ads/contract.ts';
import { canApply } from '#domain/ads/status.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { amountText, MODEL_NAMES } from '#domain/inventory/price-text.ts';
import { planOf, type PricingModel } from '#domain/inventory/pricing.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatDateTime, formatDay, formatMoney } from '#web/ui/format/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { AdPreview, zoneOf } from './ad-preview.tsx';
import { useAdDetails } from './api.ts';
import { useApproveAd, useBlockAdvertiser } from './review-api.ts';
import { Facts } from './facts.tsx';
import { LimitedAdViews } from './limited-views.tsx';
import { quantityFacts } from './quantity-facts.ts';
import { advertiserName, AdvertiserRecord, targetDomain } from './advertiser.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { Target } from './target.tsx';
import { TargetPauseDecision } from './target-pause.tsx';

/** The label of the amount that was bought, by pricing model. */
const AMOUNT_NAMES: Record<PricingModel, string> = {
  per_day: 'Duration',
  per_impression: 'Target impressions',
  per_click: 'Target clicks',
};

/** Shows the publisher everything about a submitted ad, with the buttons to approve or reject it. */
export function ReviewDialog({ adId, onClose }: { adId: number; onClose: () => void }) {
  const { data: ad, error, refetch } = useAdDetails(String(adId));
  const approve = useApproveAd();
  const [rejecting, setRejecting] = useState(false);
  const [opened, setOpened] = useState<number>();
  if (ad && opened === undefined) setOpened(ad.version);
  const isNewVersion = ad !== undefined && opened !== undefined && ad.version !== opened;

  // After a refused decision the dialog shows the ad as it is now.
  const showCurrent = () => void refetch();

  const decide = (submitted: SubmittedAd, trust: boolean) =>
    approve.mutate({ ad: submitted, trust }, { onSuccess: onClose, onError: showCurrent });

  useEffect(() => {
    if (!error) return;
    failureToast(error, 'Error', 'Failed to load ad details');
    onClose();
  }, [error, onClose]);

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Review Ad Submission"
      width="lg"
      footer={
        ad && (
          <Decision
            ad={ad}
            isBusy={approve.isPending}
            onClose={onClose}
            onReject={() => setRejecting(true)}
            onApprove={(trust) => decide(ad, trust)}
          />
        )
      }
    >
      {ad ? (
        <Submission ad={ad} isNewVersion={isNewVersion} onDone={onClose} />
      ) : (
        <div className="grid gap-4">
          <Skeleton className="h-40" />
          <Skeleton className="h-24" />
        </div>
      )}
      {ad && rejecting && canApply('reject', ad.status) && (
        <RejectDialog
          ad={ad}
          onClose={() => setRejecting(false)}
          onRejected={onClose}
          onRefused={() => {
            setRejecting(false);
            showCurrent();
          }}
        />
      )}
    </Dialog>
  );
}

type DecisionProps = {
  ad: SubmittedAd;
  isBusy: boolean;
  onClose: () => void;
  onReject: () => void;
  /** `trust`: also approves the advertiser's later ads for the same website. */
  onApprove: (trust: boolean) => void;
};

/** The buttons that the ad's status allows. */
function Decision({ ad, isBusy, onClose, onReject, onApprove }: DecisionProps) {
  const whyNot = useWhyNot();
  return (
    <>
      {!canApply('reject', ad.status) && !canApply('approve', ad.status) && (
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
      )}
      {canApply('reject', ad.status) && (
        <Button variant="secondary" why={whyNot} disabled={isBusy} onClick={onReject}>
          Reject Ad
        </Button>
      )}
      {canApply('approve', ad.status) && (
        <>
          <Button variant="secondary" why={whyNot} disabled={isBusy} onClick={() => onApprove(true)}>
            Approve and trust
          </Button>
          <Button why={whyNot} busy={isBusy} onClick={() => onApprove(false)}>
            Approve Ad
          </Button>
        </>
      )}
    </>
  );
}

/** Blocks the advertiser for all of the publisher's ad zones, after a question. */
function BlockAdvertiser({ ad, onDone }: { ad: SubmittedAd; onDone: () => void }) {
  const block = useBlockAdvertiser();
  const whyNot = useWhyNot();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="link"
        size="sm"
        className="justify-self-start"
        why={whyNot}
        onClick={() => setAsking(true)}
      >
        Block advertiser
      </Button>
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title={
            <>
              Block <bdi>{advertiserName(ad.advertiser) ?? 'this advertiser'}</bdi>?
            </>
          }
          confirmLabel="Block advertiser"
          destructive
          busy={block.isPending}
          onConfirm={() => block.mutate(ad, { onSuccess: onDone, onSettled: () => setAsking(false) })}
        >
          They can’t submit ads to any of your ad zones, and their waiting ads are rejected. Ads that you have
          approved stay approved, and paid campaigns run on. You can unblock them in your settings.
        </ConfirmDialog>
      )}
    </>
  );
}

type SubmissionProps = { ad: SubmittedAd; isNewVersion: boolean; onDone: () => void };

function Submission({ ad, isNewVersion, onDone }: SubmissionProps) {
  return (
    <div className="grid gap-6">
      {isNewVersion && (
        <Banner title="The advertiser has changed this ad">
          You’re now looking at the new version. Review it before you decide.
        </Banner>
      )}
      <TargetPauseDecision ad={ad} onDone={onDone} />
      {!canApply('approve', ad.status) && ad.targetPause === null && (
        <Banner title="This ad has already been reviewed">Its status is now {ad.status}.</Banner>
      )}
      {/* The advertiser comes first, because a tall ad would push it out of sight. */}
      <section className="grid gap-1">
        <h3 className="text-xs font-medium text-ink-faint">Advertiser</h3>
        <AdvertiserRecord ad={ad} />
        {canApply('approve', ad.status) && (
          <p className="text-xs text-ink-soft">
            ‘Approve and trust’ also approves this advertiser’s later ads for {targetDomain(ad)} on this
            website.
          </p>
        )}
        <BlockAdvertiser ad={ad} onDone={onDone} />
      </section>
      {ad.minDayViews !== null && ad.targeting !== null && canApply('approve', ad.status) && (
        <Banner tone="warn" title="Limits make fewer views">
          A day earns its price once it has {counted(ad.minDayViews, 'counted view')} within the limits of
          this ad. Reject the ad if your ad zone can’t reach that.
        </Banner>
      )}
      {ad.targeting !== null && canApply('approve', ad.status) && (
        <LimitedAdViews ad={ad} className="text-sm" />
      )}
      <section className="grid gap-2">
        <h3 className="text-xs font-medium text-ink-faint">
          {ad.variantOf ? 'Second creative' : 'Creative preview'}
        </h3>
        <AdPreview creative={ad} zone={zoneOf(ad)} />
      </section>
      {ad.variantOf && (
        <section className="grid gap-2">
          <h3 className="text-xs font-medium text-ink-faint">First creative, which runs already</h3>
          <AdPreview creative={{ ...ad.variantOf, adType: ad.adType }} zone={zoneOf(ad)} />
          <p className="text-xs text-ink-soft">
            The advertiser wants to compare the two. After your approval they are shown in turn. The price,
            the end of the campaign and your earnings stay the same.
          </p>
        </section>
      )}
      <SubmissionFacts ad={ad} />
    </div>
  );
}

function SubmissionFacts({ ad }: { ad: SubmittedAd }) {
  const plan = planOf(ad);
  return (
    <Facts
      facts={[
        ['Title', <bdi key="title">{ad.title}</bdi>],
        ['Description', <bdi key="text">{ad.description}</bdi>],
        ['Ad type', AD_KINDS[ad.adType].name],
        ['Destination URL', <Target key="url" ad={ad} side="publisher" />],
        ['Shown to', <LimitsList key="limits" limits={ad.targeting} none="Everybody" />],
        ['Pricing model', MODEL_NAMES[plan.pricingModel]],
        ['Total budget', formatMoney(ad.totalAmount)],
        ...quantityFacts(ad.quantity, ad.unitPrice),
        [AMOUNT_NAMES[plan.pricingModel], amountText(plan)],
        ...(ad.minDayViews === null
          ? []
          : [['Each day needs', counted(ad.minDayViews, 'counted view')] as const]),
        ...(ad.startDate === null
          ? []
          : [['Starts', `${formatDay(ad.startDate.slice(0, 10))} (00:00 UTC)`] as const]),
        ['Advertiser ID', String(ad.userId)],
        ['Website', <bdi key="website">{ad.websiteName}</bdi>],
        ['Ad zone', <bdi key="zone">{ad.adZoneName}</bdi>],
        ['Zone description', <bdi key="about">{ad.adZoneDescription}</bdi>],
        ['Submitted', formatDateTime(ad.createdAt)],
        ...(ad.answerDueAt === null
          ? []
          : ([['Answer by', formatDateTime(ad.answerDueAt)]] as [string, string][])),
      ]}
    />
  );
}
