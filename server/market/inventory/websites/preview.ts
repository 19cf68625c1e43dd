import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { previewWebsite as previewWebsiteCall } from '#domain/inventory/contract.ts';
import { type Fetched, fetchBytes, FetchError } from '#server/platform/outbound/fetch-bytes.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { DecoderEnded } from '#server/platform/decoding/decoders.ts';
import { Refusal } from '#server/platform/decoding/kinds.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { hostOf } from '#server/platform/net/web-address.ts';
import { showPicture } from './site-picture.ts';
import { normalizeAddress, staysOnDomain } from '../ownership/site-address.ts';

/** Limits how often a publisher, and all publishers of a site, can make our server call another one. */
const PER_PUBLISHER = { points: 30, seconds: 10 * 60 };
const PER_SITE = { points: 30, seconds: 10 * 60 };

/**
 * Reads a website's home page and returns what it says about itself. It stores nothing. Throws 400 with the reason if the
 * page cannot be read, 429 after too many previews.
 */
export async function previewWebsite(
  ctx: Context,
  who: Caller,
  { body }: Pick<Parsed<typeof previewWebsiteCall>, 'body'>,
): Promise<Reply<typeof previewWebsiteCall>> {
  const url = normalizeAddress(body.url);
  if (url === null) throw invalid('Please enter a valid URL', 'url');
  await ctx.limits('site-preview', PER_PUBLISHER)(String(personOf(who)));
  await ctx.limits('site-preview-host', PER_SITE)(hostOf(url));
  try {
    const page = await fetchBytes(url, {
      maxBytes: 2 * 1024 * 1024,
      timeoutMs: 5000,
      maxRedirects: 3,
      mayFollow: staysOnDomain,
      redirectAdvice: 'Enter the address that it leads to.',
      accept: 'text/html, */*;q=0.5',
      allowLocal: ctx.config.developmentMode,
      names: ctx.names,
    });
    requirePage(page);
    const { contentType, url: address } = page;
    const summary = await ctx.decoders.decode('page', page.bytes, { contentType, url: address });
    const { imageUrl } = summary;
    return { ...summary, picture: imageUrl && (await showPicture(ctx, imageUrl)) };
  } catch (error) {
    if (error instanceof FetchError || error instanceof Refusal) throw invalid(error.message, 'url');
    if (error instanceof DecoderEnded) {
      throw invalid('This page takes too long to read. Fill in the fields yourself.', 'url');
    }
    throw error;
  }
}

function requirePage({ status, contentType }: Fetched): void {
  if (status !== 200)
    throw invalid(`The website answered with status ${status}. Check the address, then try again.`, 'url');
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType))
    throw invalid('This address is no web page. Enter the address of the home page.', 'url');
}
