import { randomBytes } from 'node:crypto';
import { ENDED_LINK_DAYS, LINK_DAYS, MAX_LINK_DAYS, MAX_OPEN_LINKS } from '#domain/report-links/limits.ts';
import type {
  createAdReportLink,
  createPlanReportLink,
  listAdReportLinks,
  listPlanReportLinks,
  ReportLink,
  revokeReportLink,
} from '#domain/report-links/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { findOwnAd } from '#server/ads/read.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { idOfOwnPlan } from '#server/market/plans/read.ts';
import {
  deleteEndedLinks,
  deleteLinksOf,
  insertLink,
  type LinkRow,
  listLinks,
  listLinksOf,
  revokeLink,
  revokeLinksSince,
  type Subject,
} from './store.ts';

const DEFAULT_LIMIT = 100;
/** 256 bits, so that nobody finds a report by trying. */
const KEY_BYTES = 32;

/** Makes a link to the report of an own ad. [RES-41] */
export async function linkAd(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof createAdReportLink>,
): Promise<ReportLink> {
  return await makeLink(ctx, who, { adId: (await findOwnAd(ctx.db, who, params.ref)).id }, body);
}

/** Makes a link to the report of an own plan. [RES-41] */
export async function linkPlan(
  ctx: Context,
  who: Caller,
  { params, body }: Parsed<typeof createPlanReportLink>,
): Promise<ReportLink> {
  return await makeLink(ctx, who, { planId: await idOfOwnPlan(ctx, who, params.ref) }, body);
}

async function makeLink(
  ctx: Context,
  who: Caller,
  subject: Subject,
  { name = null, expiresAt }: Parsed<typeof createAdReportLink>['body'],
): Promise<ReportLink> {
  await ctx.limits('report-links', { points: 60, seconds: 3600 })(String(personOf(who)));
  const now = ctx.now();
  const end = expiresAt ? new Date(expiresAt) : later(now, LINK_DAYS * DAY_MS);
  if (end <= now) throw invalid('Choose a time in the future.', 'expiresAt');
  if (end > later(now, MAX_LINK_DAYS * DAY_MS))
    throw invalid(`A link works for at most ${MAX_LINK_DAYS} days.`, 'expiresAt');
  const key = randomBytes(KEY_BYTES).toString('base64url');
  const link = { subject, userId: who.id, key, name, createdAt: now, expiresAt: end };
  const row = await insertLink(ctx.db, link, MAX_OPEN_LINKS);
  if (!row)
    throw conflict(`There are ${MAX_OPEN_LINKS} links to this report already. Revoke one that nobody needs.`);
  return linkReply(ctx, row);
}

/** The links to reports of an own ad. [RES-41] */
export async function linksOfAd(
  ctx: Context,
  who: Caller,
  { params, query }: Parsed<typeof listAdReportLinks>,
): Promise<Page<ReportLink>> {
  return await pageOfLinks(ctx, { adId: (await findOwnAd(ctx.db, who, params.ref)).id }, query);
}

/** The links to reports of an own plan. [RES-41] */
export async function linksOfPlan(
  ctx: Context,
  who: Caller,
  { params, query }: Parsed<typeof listPlanReportLinks>,
): Promise<Page<ReportLink>> {
  return await pageOfLinks(ctx, { planId: await idOfOwnPlan(ctx, who, params.ref) }, query);
}

async function pageOfLinks(
  ctx: Context,
  subject: Subject,
  { cursor, limit = DEFAULT_LIMIT }: Parsed<typeof listAdReportLinks>['query'],
): Promise<Page<ReportLink>> {
  const rows = await listLinks(ctx.db, subject, { before: decodeCursor(cursor), limit: limit + 1 });
  const { items, next } = pageOf(rows, limit);
  return { items: items.map((row) => linkReply(ctx, row)), next };
}

/** Ends an own link at once. A second time changes nothing. [RES-41] */
export async function revoke(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof revokeReportLink>,
): Promise<{ success: true }> {
  if (!(await revokeLink(ctx.db, params.id, who.id, ctx.now())))
    throw notFound('Link not found. Please reload the page.');
  return { success: true };
}

/** All links of the user, with the ad or the plan that they show. */
export async function ownLinks(
  ctx: Context,
  who: Caller,
  cursor: string | undefined,
): Promise<Page<ReportLink & { ad: string | null; plan: string | null }>> {
  const after = decodeCursor(cursor) ?? 0;
  const rows = await listLinksOf(ctx.db, who.id, { after, limit: DEFAULT_LIMIT + 1 });
  const { items, next } = pageOf(rows, DEFAULT_LIMIT);
  const shown = items.map((row) => ({
    ...linkReply(ctx, row),
    ad: row.adPublicId,
    plan: row.planPublicId,
  }));
  return { items: shown, next };
}

/** Ends links to reports of a user: all, or those that were made since then. [WARD-02] */
export async function endLinks(ctx: Context, tx: Tx, userId: number, since: Date | null): Promise<void> {
  await revokeLinksSince(tx, userId, since, ctx.now());
}

/** Before an account is deleted. */
export async function forgetLinks(tx: Tx, userId: number): Promise<void> {
  await deleteLinksOf(tx, userId);
}

/** Part of the job 'remove-expired'. */
export async function removeEndedLinks(ctx: Context): Promise<void> {
  await deleteEndedLinks(ctx.db, later(ctx.now(), -ENDED_LINK_DAYS * DAY_MS));
}

function linkReply(
  { config }: Context,
  { id, key, name, createdAt, expiresAt, revokedAt }: LinkRow,
): ReportLink {
  return {
    id,
    name,
    url: `${config.publicUrl}/reports/${key}`,
    expiresAt: expiresAt.toISOString(),
    revokedAt: revokedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
