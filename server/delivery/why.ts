import { createHash } from 'node:crypto';
import type { Context } from '../context.ts';
import { escapeHtml } from '../http/html.ts';
import type { Request, Response } from './answer.ts';
import { findAdvertiser } from './store.ts';

const STYLE =
  'body{font:17px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1.5rem;color:#1a1a1a;background:#fff;overflow-wrap:anywhere}' +
  'dt{font-weight:600;margin-top:1rem}dd{margin:0}a{color:#13c}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#151515}a{color:#9bf}}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/**
 * `GET /api/serve/why/{ad publicId}`: what every visitor may know of an ad (Digital Services Act, article 26):
 * that it is one, on whose behalf it is shown, who paid, why here, and how to report it.
 */
export async function answerWhy(
  ctx: Context,
  request: Request,
  response: Response,
  adPublicId: string,
): Promise<void> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(adPublicId);
  const ad = isUuid ? await findAdvertiser(ctx.db, adPublicId) : null;
  if (!ad) {
    return answerPage(
      request,
      response,
      404,
      'Ad not found',
      '<p>There is no such ad, or it has never been shown.</p>',
    );
  }
  const personal = [ad.firstName, ad.lastName].filter(Boolean).join(' ');
  const advertiser = escapeHtml(ad.businessName?.trim() || personal || 'An advertiser who has left Openslot');
  const report = `mailto:${ctx.config.contactEmail}?subject=${encodeURIComponent(`Report of ad ${adPublicId}`)}`;
  answerPage(
    request,
    response,
    200,
    'Why this ad?',
    `<p>“${escapeHtml(ad.title)}” is an advertisement.</p>
<dl>
<dt>Shown on behalf of</dt><dd>${advertiser}</dd>
<dt>Paid for by</dt><dd>${advertiser}</dd>
<dt>Why you see it</dt><dd>The advertiser booked this page’s ad space, and the publisher of the page approved the ad.
Nothing about you was used: no profile, no cookie, no identifier.</dd>
</dl>
<p><a href="${escapeHtml(report)}">Report this ad</a></p>`,
  );
}

function answerPage(
  request: Request,
  response: Response,
  status: number,
  title: string,
  content: string,
): void {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
${content}
</main></body></html>
`;
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': POLICY,
  });
  response.end(request.method === 'HEAD' ? undefined : html);
}
