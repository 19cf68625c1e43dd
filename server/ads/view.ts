import type { Ad } from '#domain/ads/contract.ts';
import { describeZone } from '#domain/inventory/zones.ts';
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
    paused: row.status === 'active' && row.disputedAt !== null ? 'dispute' : null,
    pausedAt: pausedAt(row)?.toISOString() ?? null,
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
  };
}

/** When a live ad's clock stopped: at the zone's pause, or at the ad's start if it was paid for during the pause. */
function pausedAt({ status, zonePausedAt, startDate }: AdRow): Date | null {
  if (status !== 'active' || zonePausedAt === null || startDate === null) return null;
  return startDate > zonePausedAt ? startDate : zonePausedAt;
}
