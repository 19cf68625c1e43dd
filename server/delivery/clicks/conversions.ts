import { createHash } from 'node:crypto';
import { verdictOf } from '#domain/ads/variants.ts';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { CONVERSION_WINDOW_DAYS, CONVERSION_WINDOW_MS, rangeOf } from '#domain/delivery/conversions.ts';
import type {
  getResults,
  getZoneResults,
  reportConversion,
  Results,
} from '#domain/delivery/conversions-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Reference } from '#domain/fields.ts';
import { decimalOf, divideHalfUp } from '#domain/money.ts';
import { later } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { HttpError, notFound } from '#server/platform/http/errors.ts';
import { ownerOfKey } from './conversion-keys.ts';
import { isNamed } from './land-click.ts';
import type { LandingTokens } from '../tokens/landing-tokens.ts';
import {
  dropUnproven,
  findAdvertiser,
  findCounted,
  findCreatives,
  findResults,
  findZoneResults,
  forgetClicks,
  insertConversion,
  lockCountedClick,
  lockOrder,
  sumConversions,
} from './store-conversions.ts';

/**
 * Counts a conversion that the advertiser's page or server reports. Only a token of a counted click writes a row, and at
 * most 20, so a flood of reports costs reads but no space.
 */
export function convert(tokens: LandingTokens) {
  return async (
    ctx: Context,
    _who: unknown,
    { body }: Parsed<typeof reportConversion>,
    request: FastifyRequest,
  ): Promise<Reply<typeof reportConversion>> => {
    const { currency } = ctx.config;
    if (typeof body.currency === 'string' && body.currency !== currency)
      throw new HttpError(
        400,
        `This marketplace counts values in ${currency}. Send the value in ${currency}.`,
      );
    const nowMs = ctx.realNow().getTime();
    const reading = tokens.read(body.osid, nowMs);
    if (reading.state === 'forged')
      throw notFound(
        'Unknown token. Send the value of osid from the address of the landing page, unchanged.',
      );
    const { claims } = reading;
    if (body.ad && !(await isNamed(ctx, body.ad, claims.adId)))
      throw notFound('This token belongs to another ad. Leave out ad, or send the id of that ad.');
    const keyOwner = await ownerOfKey(ctx, request.headers.authorization);
    const advertiser = await findAdvertiser(ctx.db, claims.adId);
    if (keyOwner !== null && keyOwner !== advertiser)
      throw notFound('This token belongs to an ad of another advertiser than the key.');
    if (isRobot(request)) return { counted: false, reason: 'robot' };
    if (nowMs - claims.clickedAtMs > CONVERSION_WINDOW_MS) return { counted: false, reason: 'window' };

    const decisionId = Buffer.from(claims.decisionId, 'hex');
    const orderHash =
      typeof body.order === 'string' ? createHash('sha256').update(body.order).digest() : null;
    const isProven = keyOwner !== null && orderHash !== null;
    const valueCents = body.value ?? null;
    const conversion = { ...claims, decisionId, orderHash, valueCents, at: ctx.now(), isProven };
    // A flood of reports with one token ends here, so it doesn't wait for the lock of its click.
    const before = await findCounted(ctx.db, conversion);
    if (before.isClickSpent) return refused(before);
    return await ctx.db.transaction().execute(async (tx) => {
      if (advertiser !== undefined && orderHash !== null) await lockOrder(tx, advertiser, orderHash);
      if (!(await lockCountedClick(tx, decisionId)))
        throw notFound('The click of this token was not counted, so it cannot convert.');
      if (isProven) await dropUnproven(tx, keyOwner, orderHash);
      if (await insertConversion(tx, conversion)) return { counted: true };
      return refused(await findCounted(tx, conversion));
    });
  };
}

const refused = ({ isOrderKnown }: { isOrderKnown: boolean }) =>
  ({ counted: false, reason: isOrderKnown ? 'order' : 'token' }) as const;

/**
 * A browser names the page in Origin, and then the User-Agent must be no robot's. HTTP libraries count as robots there,
 * but the advertiser's server uses one, so a report without Origin is refused only if it says that it is a crawler.
 * Clicks of headless browsers are filtered before they get a token, except on a loopback address, where tests use them.
 */
function isRobot({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? '';
  return headers.origin === undefined
    ? /bot\b|crawler|spider/i.test(agent)
    : isbot(agent.replace('HeadlessChrome', 'Chrome'));
}

/** The results of one of the advertiser's own ads. */
export async function results(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getResults>,
): Promise<Results> {
  return await resultsOf(ctx, { ref: params.ref, ownerId: who.id });
}

export async function resultsOf(ctx: Context, ad: { ref: Reference; ownerId: number }): Promise<Results> {
  const found = await findResults(ctx.db, { ...ad, book: ctx.payments.book });
  if (!found) throw notFound('Ad not found. Please reload the page.');
  const { clicks, landings, conversions } = found;
  const costOf = (count: number) =>
    count === 0 ? null : decimalOf(divideHalfUp(Number(found.deliveredCents), count));
  return {
    clicks,
    landings,
    conversions,
    value: decimalOf(Number(found.valueCents)),
    currency: ctx.config.currency,
    costPerLanding: costOf(landings),
    costPerConversion: costOf(conversions),
    windowDays: CONVERSION_WINDOW_DAYS,
    flagged: conversions > clicks,
    ...(await compare(ctx, found.adId)),
  };
}

/** The results of an ad's two creatives, and which one is ahead by more than chance. [RES-46] */
export async function compare(ctx: Context, adId: number): Promise<Pick<Results, 'creatives' | 'verdict'>> {
  const creatives = await findCreatives(ctx.db, adId);
  const [first, second] = creatives;
  const ahead = first && second ? verdictOf(first, second) : null;
  return { creatives, verdict: (ahead && { first, second }[ahead]?.ref) ?? null };
}

/** The sums of the conversions that the user reported as an advertiser, for each ad. Single ones name no person. */
export async function ownConversions(
  ctx: Context,
  who: Caller,
): Promise<{ adPublicId: string; conversions: number; value: string }[]> {
  const sums = await sumConversions(ctx.db, who.id);
  return sums.map(({ valueCents, ...sum }) => ({ ...sum, value: decimalOf(Number(valueCents)) }));
}

/** The results of one of the publisher's own ad zones, as ranges. */
export async function zoneResults(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getZoneResults>,
): Promise<Reply<typeof getZoneResults>> {
  const found = await findZoneResults(ctx.db, query.zone, who.id);
  if (!found) throw notFound('Ad zone not found. Please reload the page.');
  return { landings: rangeOf(found.landings), conversions: rangeOf(found.conversions) };
}

/** Part of the job 'remove-expired'. */
export async function forgetConvertedClicks(ctx: Context): Promise<void> {
  await forgetClicks(ctx.db, later(ctx.now(), -CONVERSION_WINDOW_MS));
}
