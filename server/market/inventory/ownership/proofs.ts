/**
 * Looks for proofs that a website belongs to its publisher: the embed code of one of its ad zones or a meta tag on its
 * home page, a line in its ads.txt (IAB Tech Lab, https://iabtechlab.com/ads-txt/), or a TXT record. [OWN-01]
 */
import { isIP } from 'node:net';
import { adsTxtLine } from '#domain/inventory/ads-txt.ts';
import { scriptUrl } from '#domain/inventory/embed.ts';
import {
  metaTag,
  type ProofProblems,
  type ProofWay,
  txtNames,
  txtRecord,
} from '#domain/inventory/ownership.ts';
import { fetchBytes, FetchError, type FetchRules } from '#server/platform/outbound/fetch-bytes.ts';
import type { Context } from '#server/platform/context.ts';
import { DecoderEnded } from '#server/platform/decoding/decoders.ts';
import { hostOf } from '#server/platform/net/web-address.ts';
import { registrableDomain, staysOnDomain } from './site-address.ts';

/** The facts that proofs depend on. `token` is the website's own, and `zones` are the public ids of its ad zones. */
export type ProvableSite = {
  url: string;
  userId: number;
  token: string;
  zones: string[];
};

/** The place where a publisher puts a proof, and its text. That of the embed code is the address of its script. */
export type Proof = { way: ProofWay; place: string; value: string };

/** There is no embed code before the website has an ad zone. */
export function proofsOf(ctx: Context, { url, userId, token, zones }: ProvableSite): Proof[] {
  const site = new URL(url);
  const homePage = `${site.protocol}//${site.host}/`;
  return [
    ...zones.slice(0, 1).map((zone) => ({
      way: 'embed-code' as const,
      place: homePage,
      value: scriptUrl(zone, ctx.config.deliveryUrl),
    })),
    // The standard puts ads.txt at the root domain.
    {
      way: 'ads.txt',
      place: `${site.protocol}//${registrableDomain(site)}/ads.txt`,
      value: adsTxtLine(marketOf(ctx), String(userId)),
    },
    { way: 'meta-tag', place: homePage, value: metaTag(token) },
    { way: 'dns', place: txtNames(dnsNameOf(site))[0]!, value: txtRecord(token) },
  ];
}

/** Looks for all proofs at once. Never throws. A proof that cannot be read counts as missing, with the reason. */
export async function findProblems(ctx: Context, site: ProvableSite): Promise<ProofProblems> {
  const proofs = new Map(proofsOf(ctx, site).map((proof) => [proof.way, proof]));
  const placeOf = (way: ProofWay) => proofs.get(way)!.place;
  const homePage = readHomePage(ctx, placeOf('meta-tag'));
  const [inCode, inFile, inPage, inDns] = await Promise.all([
    problemOf(async () => await embedCodeProblem(ctx, site, await homePage)),
    problemOf(async () => await adsTxtProblem(ctx, site, placeOf('ads.txt'))),
    problemOf(async () => await metaTagProblem(ctx, site, await homePage)),
    dnsProblem(ctx, site, proofs.get('dns')!.value),
  ]);
  return { 'embed-code': inCode, 'ads.txt': inFile, 'meta-tag': inPage, dns: inDns };
}

async function problemOf(find: () => Promise<string | null>): Promise<string | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof FetchError) return error.message;
    if (error instanceof DecoderEnded)
      return 'This file takes too long to read. Make it smaller and check again.';
    throw error;
  }
}

async function adsTxtProblem(ctx: Context, { userId }: ProvableSite, place: string): Promise<string | null> {
  const { status, bytes, contentType } = await fetchBytes(place, {
    ...rulesOf(ctx),
    maxBytes: 512 * 1024,
    accept: 'text/plain, text/*;q=0.5',
  });
  if (status !== 200)
    return `Your ads.txt answered with status ${status}. Publish it at this address and check again.`;
  if (!contentType.toLowerCase().startsWith('text/plain')) {
    return 'Your ads.txt is not served as text/plain. Change its content type and check again.';
  }
  const line = { host: marketOf(ctx), sellerId: String(userId) };
  return (await ctx.decoders.decode('ads-txt', bytes, line)).isFound
    ? null
    : 'The line is not in your ads.txt. Add it and check again.';
}

/** Returns the page, or a sentence that says why it proves nothing. */
async function readHomePage(ctx: Context, place: string): Promise<Buffer | string> {
  const { status, bytes, contentType } = await fetchBytes(place, {
    ...rulesOf(ctx),
    maxBytes: 2 * 1024 * 1024,
    accept: 'text/html, */*;q=0.5',
  });
  if (status !== 200)
    return `Your home page answered with status ${status}. Make it answer with status 200 and check again.`;
  if (!/^(?:text\/html|application\/xhtml\+xml)/i.test(contentType)) {
    return 'Your home page is not served as text/html. Change its content type and check again.';
  }
  return bytes;
}

async function metaTagProblem(
  ctx: Context,
  { token }: ProvableSite,
  page: Buffer | string,
): Promise<string | null> {
  if (typeof page === 'string') return page;
  return (await ctx.decoders.decode('meta-tag', page, { token })).isFound
    ? null
    : 'The meta tag is not in the head of your home page. Add it and check again.';
}

/**
 * The home page only: at many hosts, other pages are written by people who do not own the site, and some of them may use
 * scripts.
 */
async function embedCodeProblem(
  ctx: Context,
  { zones }: ProvableSite,
  page: Buffer | string,
): Promise<string | null> {
  if (zones.length === 0) return 'This website has no ad zone yet. Add one, and paste its embed code.';
  if (typeof page === 'string') return page;
  const scripts = zones.map((zone) => scriptUrl(zone, ctx.config.deliveryUrl));
  return (await ctx.decoders.decode('embed-code', page, { scripts })).isFound
    ? null
    : 'No embed code of this website’s ad zones is in the HTML of your home page. Paste it there and check again.';
}

async function dnsProblem(ctx: Context, { url }: ProvableSite, value: string): Promise<string | null> {
  const name = dnsNameOf(new URL(url));
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0)
    return 'An IP address has no DNS records. Use ads.txt or the meta tag.';
  const answers = await Promise.all(txtNames(name).map((each) => ctx.names.txt(each)));
  if (answers.some((records) => records?.some((record) => record.trim() === value))) return null;
  return answers.includes(null)
    ? 'The DNS servers of this website did not answer. Please try again later.'
    : 'There is no TXT record with this value. Add it and check again. A new record can take a few hours to be seen.';
}

function rulesOf(ctx: Context): Omit<FetchRules, 'maxBytes' | 'accept'> {
  return {
    timeoutMs: 5000,
    maxRedirects: 3,
    // ads.txt 1.1 allows one redirect to another domain. We don't follow it, because the answer has to prove that the
    // publisher controls this domain.
    mayFollow: staysOnDomain,
    redirectAdvice: 'Serve it from your own domain.',
    allowLocal: ctx.config.developmentMode,
    names: ctx.names,
  };
}

function dnsNameOf(site: URL): string {
  return hostOf(site.href).replace(/:\d+$/, '');
}

function marketOf(ctx: Context): string {
  return new URL(ctx.config.publicUrl).hostname;
}
