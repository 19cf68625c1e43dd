import type { Ad } from '#domain/ads/contract.ts';
import { TOLD_SILENT_DAYS } from '#domain/ads/pace.ts';
import type { TargetPause } from '#domain/ads/target-check.ts';
import { Banner } from '#web/ui/banner.tsx';
import { SilentDays } from './silent-days.tsx';
import { targetPauseText } from './target-pause.tsx';

const WHO_DECIDES: Record<TargetPause, string> = {
  changed:
    'The publisher decides whether the campaign is shown again. If you didn’t change your website, check the address.',
  listed: 'The marketplace operator decides what happens next.',
  not_public:
    'The address of an approved ad can’t be changed. Cancel the campaign for a refund of the undelivered part, and submit a new ad with a public address.',
};

/** The cause that keeps a paid campaign from being delivered, if its advertiser has to know or to decide. */
export function CampaignAlerts({ ad, onEnded }: { ad: Ad; onEnded: () => void }) {
  return (
    <>
      {ad.targetPause && (
        <Banner tone="warn" title="Paused because of its target">
          {targetPauseText(ad)} {WHO_DECIDES[ad.targetPause.reason]}
        </Banner>
      )}
      {ad.status === 'active' && ad.silentDays >= TOLD_SILENT_DAYS && (
        <SilentDays ad={ad} onEnded={onEnded} />
      )}
    </>
  );
}
