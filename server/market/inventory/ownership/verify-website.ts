/** A publisher proves that a website is theirs. [OWN-01] */
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { checkAdsTxt, getAdsTxt, getVerification, verifyWebsite } from '#domain/inventory/contract.ts';
import type { ProofProblems } from '#domain/inventory/ownership.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type Checkable, checkWebsite, isCheckable } from './check-website.ts';
import { proofsOf } from './proofs.ts';
import { selectOwnership } from './store-ownership.ts';
import { verificationReply } from './reply-ownership.ts';

/** Limits how often a publisher, and all publishers of a site, can make our server call another one. */
const PER_PUBLISHER = { points: 20, seconds: 10 * 60 };
const PER_SITE = { points: 30, seconds: 10 * 60 };

type ByReference = Pick<Parsed<typeof getVerification>, 'params'>;

export async function ownVerification(
  ctx: Context,
  who: Caller,
  { params }: ByReference,
): Promise<Reply<typeof getVerification>> {
  const website = await ownWebsite(ctx, who, params);
  return verificationReply(website, proofsOf(ctx, website));
}

/** Throws 404 if the website is not the publisher's own, 429 after too many checks. */
export async function verifyNow(
  ctx: Context,
  who: Caller,
  { params }: ByReference,
): Promise<Reply<typeof verifyWebsite>> {
  await checkNow(ctx, who, params);
  return await ownVerification(ctx, who, { params });
}

export async function ownAdsTxt(
  ctx: Context,
  who: Caller,
  { params }: ByReference,
): Promise<Reply<typeof getAdsTxt>> {
  const proofs = proofsOf(ctx, await ownWebsite(ctx, who, params));
  const adsTxt = proofs.find(({ way }) => way === 'ads.txt')!;
  return { line: adsTxt.value, address: adsTxt.place };
}

/** Checks all ways, and answers about the ads.txt. */
export async function verifyByAdsTxt(
  ctx: Context,
  who: Caller,
  { params }: ByReference,
): Promise<Reply<typeof checkAdsTxt>> {
  const { 'ads.txt': problem } = await checkNow(ctx, who, params);
  return { found: problem === null, problem };
}

async function checkNow(ctx: Context, who: Caller, params: ByReference['params']): Promise<ProofProblems> {
  const website = await ownWebsite(ctx, who, params);
  await ctx.limits('site-check', PER_PUBLISHER)(String(personOf(who)));
  await ctx.limits('site-check-host', PER_SITE)(website.host ?? website.url);
  return await checkWebsite(ctx, website, { requested: true });
}

async function ownWebsite(ctx: Context, who: Caller, { ref }: ByReference['params']): Promise<Checkable> {
  const website = await selectOwnership(ctx.db, { ref, userId: who.id });
  if (!website || !isCheckable(website)) throw notFound('Website not found. Please reload the page.');
  return website;
}
