import type { Ad } from '#domain/ads/contract.ts';
import type { PauseReason } from '#domain/ads/ended.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { decimalOf } from '#domain/money.ts';
import type { AdRow } from './store.ts';

export function viewAd(row: AdRow): Ad {
  return {
    id: row.id,
    publicId: row.publicId,
    userId: row.userId,
    adZoneId: row.adZoneId,
    productId: row.productId,
    adType: row.adType,
    title: row.title,
    description: row.description,
    targetUrl: row.targetUrl,
    imageUrl: row.imageUrl,
    videoUrl: row.videoUrl,
    status: row.status,
    version: row.version,
    rejectionReason: row.rejectionReason,
    takenDownReason: row.takenDownReason,
    suspendedReason: row.suspendedReason,
    isSuspended: row.suspendedSince !== null,
    totalAmount: row.totalAmount,
    commissionAmount: row.commissionAmount,
    pricingModel: row.pricingModel,
    duration: row.duration,
    impressions: row.impressions,
    clicks: row.clicks,
    totalImpressions: row.totalImpressions,
    totalClicks: row.totalClicks,
    startDate: row.startDate?.toISOString() ?? null,
    endDate: row.endDate?.toISOString() ?? null,
    pausedAt: pausedAt(row)?.toISOString() ?? null,
    paused: pauseOf(row),
    endedReason: row.endedReason,
    refund: row.refund && { amount: decimalOf(row.refund.cents), status: row.refund.status },
    silentDays: row.silentDays,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    websiteName: row.websiteName,
    websiteUrl: row.websiteUrl,
    websiteIsVerified: row.websiteVerifiedAt !== null,
    adZoneName: row.adZoneName,
    adZoneDescription: describeZone({
      zoneType: row.zoneType,
      width: row.adZoneWidth,
      height: row.adZoneHeight,
    }),
    adZoneWidth: row.adZoneWidth,
    adZoneHeight: row.adZoneHeight,
    adZoneLook: row.adZoneLook,
    adZoneAccent: row.adZoneAccent,
  };
}

/** When a live ad's clock stopped: at the zone's pause, or at the ad's start if it was paid for during the pause. */
function pausedAt({ status, zonePausedAt, startDate }: AdRow): Date | null {
  if (status !== 'active' || zonePausedAt === null || startDate === null) return null;
  return startDate > zonePausedAt ? startDate : zonePausedAt;
}

/** Why a live ad is not served now, beginning with the reason that weighs most. */
function pauseOf(row: AdRow): PauseReason | null {
  if (row.status !== 'active') return null;
  if (row.disputedAt !== null) return 'dispute';
  if (row.suspendedSince !== null) return 'suspended';
  if (row.zonePausedAt !== null) return 'zone';
  return row.tagSilentSince === null ? null : 'tag_silent';
}
