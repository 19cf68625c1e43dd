/**
 * Looks for proofs that a website belongs to its publisher: a line in its ads.txt (IAB Tech Lab,
 * https://iabtechlab.com/ads-txt/), a meta tag on its home page, or a TXT record. [DEL-28, OWN-01]
 */
import { isIP } from 'node:net';
import { adsTxtLine } from '#domain/inventory/ads-txt.ts';
import {
  metaTag,
  type ProofProblems,
  type ProofWay,
  txtNames,
  txtRecord,
} from '#domain/inventory/ownership.ts';
import { fetchBytes, FetchError, type FetchRules } from '../adapters/fetch-bytes.ts';
import type { Context } from '../context.ts';
import { DecoderEnded } from '../decoding/decoders.ts';
import { hostOf } from '../net/web-address.ts';
import { registrableDomain, staysOnDomain } from './site-address.ts';

/** The facts that proofs depend on. `token` is the website's own. */
export type ProvableSite = { url: string; userId: number; token: string };

/** The place where a publisher puts a proof, and its text. */
export type Proof = { way: ProofWay; place: string; value: string };

export function proofsOf(ctx: Context, { url, userId, token }: ProvableSite): Proof[] {
  const site = new URL(url);
  return [
    // The standard puts ads.txt at the root domain.
    {
      way: 'ads.txt',
      place: `${site.protocol}//${registrableDomain(site)}/ads.txt`,
      value: adsTxtLine(marketOf(ctx), String(userId)),
    },
    { way: 'meta-tag', place: `${site.protocol}//${site.host}/`, value: metaTag(token) },
    { way: 'dns', place: txtNames(dnsNameOf(site))[0]!, value: txtRecord(token) },
  ];
}

/** Looks for all proofs at once. Never throws. A proof that cannot be read counts as missing, with the reason. */
export async function findProblems(ctx: Context, site: ProvableSite): Promise<ProofProblems> {
  const [adsTxt, page, record] = proofsOf(ctx, site) as [Proof, Proof, Proof];
  const [inFile, inPage, inDns] = await Promise.all([
    problemOf(() => adsTxtProblem(ctx, site, adsTxt.place)),
    problemOf(() => metaTagProblem(ctx, site, page.place)),
    dnsProblem(ctx, site, record.value),
  ]);
  return { 'ads.txt': inFile, 'meta-tag': inPage, dns: inDns };
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

async function metaTagProblem(ctx: Context, { token }: ProvableSite, place: string): Promise<string | null> {
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
  return (await ctx.decoders.decode('meta-tag', bytes, { token })).isFound
    ? null
    : 'The meta tag is not in the head of your home page. Add it and check again.';
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
