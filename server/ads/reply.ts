import { startOfDay } from '#domain/ads/booking.ts';
import { endDate } from '#domain/ads/completion.ts';
import type { Ad, Advertiser, Submission } from '#domain/ads/contract.ts';
import type { TargetPause, TargetState } from '#domain/ads/target-check.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { asciiAddress } from '#domain/public-host.ts';
import { storedLimits } from '#domain/targeting/limits.ts';
import { displayHost, readableAddress } from '#server/platform/net/web-address.ts';
import type { AdvertiserRow } from './store-advertisers.ts';
import type { AdRow } from './store.ts';

export function adReply(row: AdRow): Ad {
  return {
    id: row.id,
    publicId: row.publicId,
    userId: row.userId,
    adZoneId: row.adZoneId,
    productId: row.productId,
    plan: row.planPublicId,
    planName: null,
    adType: row.adType,
    title: row.title,
    description: row.description,
    ...targetReply(row),
    imageUrl: row.imageUrl,
    videoUrl: row.videoUrl,
    targeting: storedLimits(row.targeting),
    status: row.status,
    version: row.version,
    rejectionReason: row.rejectionReason,
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    answerDueAt: row.status === 'pending' ? (row.answerDueAt?.toISOString() ?? null) : null,
    usualAnswerHours: row.usualAnswerHours,
    takenDownReason: row.takenDownReason,
    suspendedReason: row.suspendedReason,
    isSuspended: row.suspendedSince !== null,
    quantity: row.quantity,
    unitPrice: decimalOf(centsOf(row.totalAmount) / row.quantity),
    totalAmount: row.totalAmount,
    commissionAmount: row.paidFeeCents === null ? row.commissionAmount : decimalOf(row.paidFeeCents),
    commissionPercent: Number(row.commissionPercent),
    pricingModel: row.pricingModel,
    duration: row.duration,
    impressions: row.impressions,
    clicks: row.clicks,
    totalImpressions: row.totalImpressions,
    totalClicks: row.totalClicks,
    ...timesReply(row),
    pausedAt: pausedAt(row)?.toISOString() ?? null,
    paused: row.pause,
    advertiserPause: row.advertiserPausedAt && {
      since: row.advertiserPausedAt.toISOString(),
      until: row.advertiserPausedUntil?.toISOString() ?? null,
    },
    endedReason: row.endedReason,
    refund: row.refund && { amount: decimalOf(row.refund.cents), status: row.refund.status },
    silentDays: row.silentDays,
    minDayViews: row.minDayViews,
    consent: null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    websitePublicId: row.websitePublicId,
    websiteName: row.websiteName,
    websiteUrl: row.websiteUrl,
    websiteIsVerified: row.websiteVerifiedAt !== null,
    adZonePublicId: row.adZonePublicId,
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

/** An ad as its advertiser sees it. Nobody else learns about their cards and the names of their plans. */
export function ownAdReply(row: AdRow): Ad {
  const { consent } = row;
  return {
    ...adReply(row),
    planName: row.planName,
    consent: consent && {
      id: consent.id,
      state: consent.state,
      last4: consent.last4,
      limit: decimalOf(consent.limitCents),
    },
  };
}

/** When the ad runs. Before the payment, the times follow from the chosen start. */
function timesReply(row: AdRow): Pick<Ad, 'startDate' | 'endDate' | 'payBy'> {
  const start = row.startDate ?? (row.chosenStart === null ? null : startOfDay(row.chosenStart));
  const end = row.startDate || start === null ? row.endDate : endDate(planOf(row), start);
  return {
    startDate: start?.toISOString() ?? null,
    endDate: end?.toISOString() ?? null,
    payBy: row.payBy?.toISOString() ?? null,
  };
}

/** The target of an ad, in ASCII even if it was stored before targets were. */
function targetReply(row: AdRow): Pick<Ad, 'targetUrl' | 'displayTarget' | 'targetCheck' | 'targetPause'> {
  const targetUrl = asciiAddress(row.targetUrl);
  const { targetHost, targetCheckedAt, finalHost, targetProblem, approvedHost } = row;
  const { targetPausedAt, targetPausedFor, status } = row;
  const isOpen = status === 'approved' || status === 'active';
  return {
    targetUrl,
    displayTarget: readableAddress(targetUrl),
    targetCheck:
      targetHost === null
        ? null
        : {
            state: targetState(row),
            checkedAt: targetCheckedAt?.toISOString() ?? null,
            finalHost: finalHost && displayHost(finalHost),
            problem: targetProblem,
            isContentChanged: row.isContentChanged ?? false,
          },
    targetPause:
      isOpen && targetPausedAt !== null && targetPausedFor !== null && targetHost !== null
        ? {
            reason: targetPausedFor,
            since: targetPausedAt.toISOString(),
            from: displayHost(approvedHost ?? targetHost),
            to: displayHost(PAUSING_HOST[targetPausedFor](row) ?? targetHost),
          }
        : null,
  };
}

/** The host because of which the target keeps the ad from being shown; null if it is that of the target itself. */
const PAUSING_HOST: Record<TargetPause, (row: AdRow) => string | null> = {
  changed: ({ finalHost }) => finalHost,
  listed: ({ listedHost }) => listedHost,
  not_public: () => null,
};

function targetState({ listedHost, targetCheckedAt, targetProblem }: AdRow): TargetState {
  if (listedHost !== null) return 'listed';
  if (targetCheckedAt === null) return 'waiting';
  return targetProblem === null ? 'reached' : 'not_reached';
}

/** An ad as the person who reviews it sees it. Throws if the advertiser of the ad was not found. */
export function submissionReply(row: AdRow, advertisers: ReadonlyMap<number, AdvertiserRow>): Submission {
  const advertiser = advertisers.get(row.userId);
  if (!advertiser) throw new Error(`Ad ${row.id} has no advertiser`);
  return { ...adReply(row), advertiser: advertiserReply(advertiser), variantOf: null };
}

function advertiserReply({
  firstName,
  lastName,
  businessName,
  createdAt,
  adsRun,
  adsRejected,
}: AdvertiserRow): Advertiser {
  return {
    name: [firstName, lastName].filter(Boolean).join(' ') || null,
    businessName: businessName || null,
    since: createdAt.toISOString(),
    adsRun: Number(adsRun),
    adsRejected: Number(adsRejected),
  };
}

/** When a live ad's clock stopped: at the zone's pause, or at the ad's start if it was paid for during the pause. */
function pausedAt({ status, zonePausedAt, startDate }: AdRow): Date | null {
  if (status !== 'active' || zonePausedAt === null || startDate === null) return null;
  return startDate > zonePausedAt ? startDate : zonePausedAt;
}
