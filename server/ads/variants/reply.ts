import type { Submission } from '#domain/ads/contract.ts';
import { WITHDRAWN_REASON } from '#domain/ads/status.ts';
import type { VariantStatus } from '#domain/ads/variants.ts';
import type { Variant } from '#domain/ads/variants-contract.ts';
import { asciiAddress } from '#domain/public-host.ts';
import { hostOf } from '#server/platform/net/web-address.ts';
import type { AdvertiserRow } from '../store-advertisers.ts';
import type { AdRow } from '../store.ts';
import { submissionReply } from '../reply.ts';
import type { VariantRow } from './store.ts';

/** A second creative as its advertiser sees it. */
export function variantReply(row: VariantRow, adPublicId: string): Variant {
  return {
    id: row.id,
    publicId: row.publicId,
    ad: adPublicId,
    title: row.title,
    description: row.description,
    targetUrl: asciiAddress(row.targetUrl),
    imageUrl: row.imageUrl,
    videoUrl: row.videoUrl,
    status: row.status,
    rejectionReason: row.rejectionReason,
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    removedAt: row.removedAt?.toISOString() ?? null,
    removedFor: row.removedFor,
  };
}

/** For the person who reviews it, a second creative that was taken away is like an ad that was withdrawn. */
const STATUSES: Record<VariantStatus, AdRow['status']> = {
  pending: 'pending',
  approved: 'approved',
  rejected: 'rejected',
  removed: 'rejected',
};

/** The row of the campaign with the content of its second creative, so that it is reviewed like an ad. */
export function adWith(ad: AdRow, variant: VariantRow, answerDueAt: Date | null): AdRow {
  const { id, publicId, title, description, targetUrl, imageUrl, videoUrl, createdAt, checkedAt } = variant;
  const { finalHost, approvedHost } = variant;
  return {
    ...ad,
    id,
    publicId,
    title,
    description,
    targetUrl,
    imageUrl,
    videoUrl,
    createdAt,
    answerDueAt,
    status: STATUSES[variant.status],
    rejectionReason: variant.status === 'removed' ? WITHDRAWN_REASON : variant.rejectionReason,
    withdrawnAt: variant.removedAt,
    version: 1,
    finalHost,
    approvedHost,
    targetHost: hostOf(targetUrl),
    targetCheckedAt: checkedAt,
    targetProblem: checkedAt !== null && finalHost === null ? 'The address could not be opened.' : null,
    listedHost: null,
    isContentChanged: false,
    targetPausedAt: null,
    targetPausedFor: null,
  };
}

/** A second creative as the person who reviews it sees it, with the first one that it is shown in turn with. */
export function variantSubmissionReply(
  ad: AdRow,
  shown: AdRow,
  advertisers: ReadonlyMap<number, AdvertiserRow>,
): Submission {
  const { publicId, title, description, targetUrl, imageUrl, videoUrl } = ad;
  return {
    ...submissionReply(shown, advertisers),
    variantOf: { publicId, title, description, targetUrl: asciiAddress(targetUrl), imageUrl, videoUrl },
  };
}
