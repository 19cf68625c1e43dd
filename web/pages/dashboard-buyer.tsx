import { useState } from 'react';
import { Megaphone, MousePointerClick, Wallet } from 'lucide-react';
import type { MediaInputs } from '#web/ads/ad-fields.tsx';
import { useMyAds } from '#web/ads/api.ts';
import { CampaignPerformance } from '#web/ads/campaign-performance.tsx';
import { activeAdCount } from '#web/ads/counts.ts';
import { EditAdDialog } from '#web/ads/edit-ad-dialog.tsx';
import { MyCampaigns } from '#web/ads/my-campaigns.tsx';
import { useSpending } from '#web/analytics/api.ts';
import { ImageField } from '#web/media/image-field.tsx';
import { VideoField } from '#web/media/video-field.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatCount, formatMoney } from '#web/ui/format.ts';
import { StatCard } from '#web/ui/stat-card.tsx';

const MEDIA: MediaInputs = { Image: ImageField, Video: VideoField };

type BuyerDashboardProps = {
  /** An ad to be edited because the address said so. */
  editAd: string | null;
  onEditEnd: () => void;
};

export function BuyerDashboard({ editAd, onEditEnd }: BuyerDashboardProps) {
  const spending = useSpending().data;
  const ads = useMyAds();
  const [chosen, setChosen] = useState<string | null>(null);
  const editing = chosen ?? editAd;

  function stopEditing() {
    setChosen(null);
    onEditEnd();
  }

  return (
    <div className="grid gap-6">
      <section
        id="buyer-analytics"
        data-testid="buyer-analytics"
        aria-label="Spending and results"
        className="grid gap-3 sm:grid-cols-3"
      >
        <StatCard
          label="Campaign Spend"
          value={spending && formatMoney(spending.totalSpending)}
          note={spending && `${formatMoney(spending.thisMonth)} this month`}
          icon={<Wallet aria-hidden="true" />}
        />
        <StatCard
          label="Active Campaigns"
          value={activeAdCount(ads)}
          note="Live right now"
          icon={<Megaphone aria-hidden="true" />}
        />
        <StatCard
          label="Total Clicks"
          value={spending && formatCount(spending.totalClicks)}
          note={spending && `${formatCount(spending.clicksThisMonth)} this month`}
          icon={<MousePointerClick aria-hidden="true" />}
        />
      </section>
      <Card
        id="my-campaigns"
        data-testid="my-campaigns"
        aria-label="My Campaigns"
        padded={false}
        className="min-w-0"
      >
        <CardHeader
          title="My Campaigns"
          actions={
            <ButtonLink href="/create-ad" variant="secondary" size="sm">
              Create Ad
            </ButtonLink>
          }
          className="p-5 pb-4 sm:px-6"
        />
        <div className="pb-2">
          <MyCampaigns ads={ads} onEdit={(ad) => setChosen(String(ad.id))} />
        </div>
      </Card>
      <Card id="campaign-performance" data-testid="campaign-performance" aria-label="Campaign Performance">
        <CardHeader
          title="Campaign Performance"
          description="Views that were really seen, and clicks that were really made."
          className="mb-5"
        />
        <CampaignPerformance ads={ads.items} totals={spending} />
      </Card>
      {editing !== null && <EditAdDialog key={editing} adRef={editing} media={MEDIA} onClose={stopEditing} />}
    </div>
  );
}
