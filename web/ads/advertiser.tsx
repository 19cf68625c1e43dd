import { counted } from '#domain/format.ts';
import type { Submission } from '#domain/ads/contract.ts';
import { formatDate } from '#web/ui/format/format.ts';

/** The advertiser's business, or else their name; null if they have stated neither. */
export function advertiserName({
  businessName,
  name,
}: Pick<Submission['advertiser'], 'businessName' | 'name'>): string | null {
  return businessName ?? name;
}

/** The host that the ad leads to, as people read it. */
export function targetDomain({ displayTarget }: Pick<Submission, 'displayTarget'>): string {
  return /^https?:\/\/(?:www\.)?([^/?#]+)/.exec(displayTarget)?.[1] ?? displayTarget;
}

/** The advertiser, their domain, and the record of their ads so far. */
export function AdvertiserRecord({ ad }: { ad: Pick<Submission, 'advertiser' | 'displayTarget'> }) {
  const { name, businessName, since, adsRun, adsRejected } = ad.advertiser;
  return (
    <span className="grid gap-0.5">
      <span className="wrap-anywhere">
        <bdi className="font-medium">{name ?? 'No name stated'}</bdi>
        {businessName !== null && (
          <>
            , <bdi>{businessName}</bdi>
          </>
        )}
      </span>
      <span className="text-xs wrap-anywhere text-ink-soft">
        {targetDomain(ad)} · {adsRun === 0 ? 'first ad' : `${counted(adsRun, 'ad')} run`} ·{' '}
        {counted(adsRejected, 'ad')} rejected · since {formatDate(since)}
      </span>
    </span>
  );
}
