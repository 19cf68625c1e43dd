import { counted } from '#domain/format.ts';
import type { ReactNode } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import { TOLD_SILENT_DAYS } from '#domain/ads/pace.ts';
import { PAUSE_TEXTS, pauseTitle } from '#domain/ads/pause-text.ts';
import type { TargetPause } from '#domain/ads/target-check.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { Days } from './days.tsx';
import { Delivery, type RecentOf } from './delivery.tsx';
import { Facts } from './facts.tsx';
import { quantityFacts } from './quantity-facts.ts';
import { Landings } from './landings.tsx';
import { SilentDays } from './silent-days.tsx';
import { StatusBadge } from './status-badge.tsx';
import { Target } from './target.tsx';
import { targetPauseText } from './target-pause.tsx';

type CampaignProps = {
  ad: Ad;
  recentOf: RecentOf;
  now: Date;
  /** The chart of delivery over time, from web/analytics. */
  chart: ReactNode;
  /** Opens 'Why is my ad not showing?'. */
  onWhy: () => void;
  /** The advertiser has ended the campaign. */
  onEnded: () => void;
};

type CampaignDialogProps = Omit<CampaignProps, 'onEnded'> & { onClose: () => void };

const WHO_DECIDES: Record<TargetPause, string> = {
  changed:
    'The publisher decides whether the campaign is shown again. If you didn’t change your website, check the address.',
  listed: 'The marketplace operator decides what happens next.',
  not_public:
    'The address of an approved ad can’t be changed. Cancel the campaign for a refund of the undelivered part, and submit a new ad with a public address.',
};

/** A paid campaign in a dialog, with a link to its own page. */
export function CampaignDialog({ ad, onClose, ...rest }: CampaignDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="lg"
      title={<bdi>{ad.title}</bdi>}
      description={
        <>
          <bdi>{ad.websiteName}</bdi>, <bdi>{ad.adZoneName}</bdi>
        </>
      }
    >
      <div className="grid gap-5">
        <Campaign ad={ad} onEnded={onClose} {...rest} />
        <ButtonLink href={`/campaigns/${ad.publicId}`} variant="link" className="justify-self-start text-sm">
          Open as a page
        </ButtonLink>
      </div>
    </Dialog>
  );
}

/** A paid campaign's progress, and its delivery over time. */
export function Campaign({ ad, recentOf, now, chart, onWhy, onEnded }: CampaignProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex items-start gap-4 text-sm">
        <Thumbnail kind={ad.adType} src={ad.imageUrl} className="mt-0.5" />
        <div className="min-w-0 flex-1">
          <Delivery ad={ad} recentOf={recentOf} now={now} />
        </div>
        <StatusBadge status={ad.status} />
      </div>
      {ad.targetPause && (
        <Banner tone="warn" title="Paused because of its target">
          {targetPauseText(ad)} {WHO_DECIDES[ad.targetPause.reason]}
        </Banner>
      )}
      {ad.paused === 'cancel' && (
        <Banner tone="warn" title={pauseTitle(ad.paused)}>
          {PAUSE_TEXTS[ad.paused]}
        </Banner>
      )}
      {ad.status === 'active' && ad.silentDays >= TOLD_SILENT_DAYS && (
        <SilentDays ad={ad} onEnded={onEnded} />
      )}
      {chart}
      {ad.pricingModel === 'per_day' && <Days adRef={ad.publicId} side="advertiser" />}
      <Facts
        facts={[
          ['Target', <Target key="target" ad={ad} side="advertiser" />],
          ['Shown to', <LimitsList key="limits" limits={ad.targeting} none="Everybody" />],
          ...(ad.minDayViews === null
            ? []
            : [['Each day needs', counted(ad.minDayViews, 'counted view')] as const]),
          ...quantityFacts(ad.quantity, ad.unitPrice),
        ]}
      />
      <Landings adRef={ad.publicId} />
      <p className="text-sm text-ink-soft">
        You paid <AmountLink amount={ad.totalAmount} adRef={ad.id} side="buyer" />. See what each impression,
        click or second of it costs.
      </p>
      {ad.status === 'active' && (
        <Button variant="secondary" size="sm" className="justify-self-start" onClick={onWhy}>
          Not showing?
        </Button>
      )}
    </div>
  );
}
