/** Verifies a website by a line in its ads.txt (IAB Tech Lab, https://iabtechlab.com/ads-txt/). [DEL-28] */
import { getDomain } from 'tldts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { adsTxtLine, holdsAdsTxtLine } from '#domain/inventory/ads-txt.ts';
import type { checkAdsTxt, getAdsTxt } from '#domain/inventory/contract.ts';
import type { Context, Who } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { FetchError, type FetchRules, fetchText } from '../adapters/fetch-text.ts';
import { markWebsiteVerified, selectOwnWebsite, type WebsiteRow } from './store.ts';

/** Limits how often a publisher can make our server call another one. */
const CHECKS = { points: 20, seconds: 10 * 60 };

const RULES: Omit<FetchRules, 'allowLocal'> = {
  maxBytes: 512 * 1024,
  timeoutMs: 5000,
  maxRedirects: 3,
  // ads.txt 1.1 allows one redirect to another domain. We don't follow it, because the file has to prove that the
  // publisher controls this domain.
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

/** Throws 404 if the website is not the publisher's own, 429 after too many checks. */
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
    if (status !== 200)
      return `Your ads.txt answered with status ${status}. Publish it at this address and check again.`;
    if (!contentType.toLowerCase().startsWith('text/plain')) {
      return 'Your ads.txt is not served as text/plain. Change its content type and check again.';
    }
    if (!holdsAdsTxtLine(text, hostOf(ctx), String(who.id))) {
      return 'The line is not in your ads.txt. Add it and check again.';
    }
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
  if (!website) throw notFound('Website not found. Please reload the page.');
  return website;
}

/** The standard puts ads.txt at the root domain. A host without one, such as localhost, is used as it is. */
function fileOf({ url }: WebsiteRow): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${getDomain(url) ?? host}/ads.txt`;
}

function hostOf(ctx: Context): string {
  return new URL(ctx.config.publicUrl).hostname;
}
