/** Proof of a website by a line in its ads.txt (design 6.9; IAB Tech Lab, ads.txt 1.1). */
import { getDomain } from 'tldts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { adsTxtLine, holdsAdsTxtLine } from '#domain/inventory/ads-txt.ts';
import type { checkAdsTxt, getAdsTxt } from '#domain/inventory/contract.ts';
import type { Context, Who } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { FetchError, type FetchRules, fetchText } from '../adapters/fetch-text.ts';
import { markWebsiteVerified, selectOwnWebsite, type WebsiteRow } from './store.ts';

/** Each check makes our server call somebody else's. */
const CHECKS = { points: 20, seconds: 10 * 60 };

const RULES: Omit<FetchRules, 'allowLocal'> = {
  maxBytes: 512 * 1024,
  timeoutMs: 5000,
  maxRedirects: 3,
  // The standard allows one redirect to another domain, for files kept by a service; ours are asked for a proof of
  // the domain itself, so none.
  mayFollow: (from, to) => (getDomain(from.href) ?? from.host) === (getDomain(to.href) ?? to.host),
};

export async function ownAdsTxt(
  ctx: Context,
  who: Who,
  { params }: Pick<Parsed<typeof getAdsTxt>, 'params'>,
): Promise<Reply<typeof getAdsTxt>> {
  const website = await ownWebsite(ctx, who, params);
  return { line: adsTxtLine(hostOf(ctx), String(who.id)), address: fileOf(website) };
}

/** Throws 404 for what is not the caller's, 429 after too many checks. */
export async function verifyByAdsTxt(
  ctx: Context,
  who: Who,
  { params }: Pick<Parsed<typeof checkAdsTxt>, 'params'>,
): Promise<Reply<typeof checkAdsTxt>> {
  const website = await ownWebsite(ctx, who, params);
  await ctx.limits('ads-txt', CHECKS)(String(who.id));
  const problem = await problemWith(ctx, who, fileOf(website));
  if (problem === null) await markWebsiteVerified(ctx.db, website.id, ctx.now());
  return { found: problem === null, problem };
}

async function problemWith(ctx: Context, who: Who, address: string): Promise<string | null> {
  try {
    const { status, text, contentType } = await fetchText(address, {
      ...RULES,
      allowLocal: ctx.config.developmentMode,
    });
    if (status !== 200) return `It answered with status ${status}.`;
    if (!contentType.toLowerCase().startsWith('text/plain')) return 'It is not served as text/plain.';
    if (!holdsAdsTxtLine(text, hostOf(ctx), String(who.id))) return 'The line is not in it.';
    return null;
  } catch (error) {
    if (error instanceof FetchError) return error.message;
    throw error;
  }
}

async function ownWebsite(
  ctx: Context,
  who: Who,
  { ref }: Parsed<typeof getAdsTxt>['params'],
): Promise<WebsiteRow> {
  const website = await selectOwnWebsite(ctx.db, ref, who.id);
  if (!website) throw notFound('Website not found');
  return website;
}

/** At the root domain, as the standard says; where there is none, as on a developer's own machine, at the host. */
function fileOf({ url }: WebsiteRow): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${getDomain(url) ?? host}/ads.txt`;
}

function hostOf(ctx: Context): string {
  return new URL(ctx.config.publicUrl).hostname;
}
