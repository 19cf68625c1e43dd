import { PERMISSIONS } from '#server/platform/http/answers.ts';
import { html, rawText } from '#server/platform/http/html.ts';
import { sourceHash } from '#server/platform/http/page/page.ts';
import { refuse, type Request, type Response } from '#server/platform/http/raw-answer.ts';
import { isOwnPage } from '../decision/decide.ts';
import { TEST_MARK } from './test-zone.ts';
import type { SiteProof } from '../tokens/site-proof.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { pageOf } from '../traffic/traffic.ts';

/**
 * The publisher's snippet gives the frame the size of the zone. The ad fills the frame. The frame does not know the font
 * and the colors of the page around it, so it has its own.
 */
const STYLE =
  'html,body{height:100%;margin:0;overflow:hidden;background:#fff;color:#000;font-family:system-ui,sans-serif}ad-zone{display:block!important;width:100%;height:100%}';
const STYLE_HASH = sourceHash(STYLE);

export type FrameParts = {
  realNow: () => Date;
  snapshot: Snapshot;
  siteProof: SiteProof;
  developmentMode: boolean;
  deliveryUrl: string;
};

/**
 * `GET /z/{publicId}`: the document of the sandboxed frame, for publishers who allow no third-party scripts. It contains
 * one zone and the tag. The browser's `Referer` tells which site holds the frame, and a page cannot forge another site's
 * (docs/decisions/012-iframe.md). An unknown zone stays blank, as with the tag. With `?test`, this is the page of 'Test my
 * zone', and nothing it shows is recorded.
 */
export function answerFrame(
  parts: FrameParts,
  request: Request,
  response: Response,
  publicId: string,
  isTest: boolean,
): void {
  const name = publicId.toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)) return refuse(response, 404, 'Not found');
  const zone = parts.snapshot.zone(name);
  const page = pageOf(originOf(request.headers.referer ?? ''));
  // A frame document that is opened as a page is on no site.
  const isFrame = request.headers['sec-fetch-dest'] !== 'document';
  const isOwn = zone !== undefined && isFrame && isOwnPage(zone, page, parts.developmentMode);
  const proven = isOwn ? parts.siteProof.nameOf(name, 'frame', parts.realNow().getTime()) : name;
  const shown = isTest ? name + TEST_MARK : proven;
  const document =
    html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Advertisement</title><style>${rawText(STYLE)}</style></head><body><ad-zone zone="${shown}"></ad-zone><script async crossorigin src="${parts.deliveryUrl}/api/serve/zone/${name}"></script></body></html>`.toString();
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(document),
    // The document differs by site, so only the visitor's browser caches it. The proof in it is valid for one day.
    'Cache-Control': 'private, max-age=3600',
    Vary: 'Referer, Sec-Fetch-Dest',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': PERMISSIONS,
    'Content-Security-Policy': policyOf(new URL(parts.deliveryUrl).origin),
  });
  response.end(request.method === 'HEAD' ? undefined : document);
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? '';
}

/** Everything comes from this server. */
function policyOf(host: string): string {
  return [
    "default-src 'none'",
    `script-src ${host}`,
    `connect-src ${host}`,
    `img-src ${host}`,
    `media-src ${host}`,
    `style-src ${STYLE_HASH}`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    // The sandbox also applies when the publisher's frame lacks the attribute, so the frame never gets our origin.
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
