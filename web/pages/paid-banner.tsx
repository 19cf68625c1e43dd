import { CalendarPlus } from 'lucide-react';
import { startsOn } from '#domain/ads/booking.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { useAd } from '#web/ads/api.ts';
import { Banner } from '#web/ui/banner.tsx';
import { ButtonOutLink } from '#web/ui/button.tsx';
import { formatWeekday } from '#web/ui/format/format.ts';
import { useNow } from '#web/ui/use-now.ts';

type PaidBannerProps = { adRef: string | undefined; onClose: () => void };

/** Says that a payment succeeded, and since when or from when the ad is shown. Without an ad, it is the live one. */
export function PaidBanner({ adRef, onClose }: PaidBannerProps) {
  return adRef === undefined ? <Live onClose={onClose} /> : <OfAd adRef={adRef} onClose={onClose} />;
}

function OfAd({ adRef, onClose }: { adRef: string; onClose: () => void }) {
  const { data: ad, isError } = useAd(adRef);
  const now = useNow();
  if (!ad)
    return (
      <Banner tone="good" title="Payment successful" onClose={onClose}>
        {isError && 'My Campaigns says when your ad starts.'}
      </Banner>
    );
  const day = startsOn(ad, now);
  return day === null ? <Live onClose={onClose} /> : <Later ad={ad} day={day} onClose={onClose} />;
}

function Live({ onClose }: { onClose: () => void }) {
  return (
    <Banner tone="good" title="Payment successful" onClose={onClose}>
      Your ad is live immediately. Its ad zone shows it from now on.
    </Banner>
  );
}

function Later({ ad, day, onClose }: { ad: Ad; day: string; onClose: () => void }) {
  return (
    <Banner
      tone="good"
      title={`Paid. Starts ${formatWeekday(day)}`}
      action={
        <ButtonOutLink href={`/api/ads/${ad.publicId}/calendar.ics`} variant="secondary" size="sm">
          <CalendarPlus aria-hidden="true" />
          Add to calendar
        </ButtonOutLink>
      }
      onClose={onClose}
    >
      “<bdi>{ad.title}</bdi>” is shown on <bdi>{ad.websiteName}</bdi> from 00:00 UTC of that day.
    </Banner>
  );
}
