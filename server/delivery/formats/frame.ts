import { escapeHtml } from '#server/http/html.ts';
import { sourceHash } from '#server/http/page.ts';
import { refuse, type Request, type Response } from '#server/http/raw-answer.ts';
import { isOwnPage } from '../decision/decide.ts';
import { TEST_MARK } from './test-zone.ts';
import type { FrameProof } from '../tokens/frame-proof.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { pageOf } from '../traffic/traffic.ts';

/** The frame is as large as the zone, and its ad is as large as the frame. */
const STYLE =
  'html,body{height:100%;margin:0;overflow:hidden}ad-zone{display:block!important;width:100%;height:100%}';
const STYLE_HASH = sourceHash(STYLE);

export type FrameParts = {
  now: () => Date;
  snapshot: Snapshot;
  frameProof: FrameProof;
  developmentMode: boolean;
  deliveryUrl: string;
};

/**
 * `GET /z/{publicId}`: the document of the sandboxed frame that publishers use who allow no third-party script. It
 * holds the zone and the tag, and nothing else. Its `Referer` tells the site that holds it: browsers set it, and no
 * page can forge another's (decision 012). Unknown zones stay blank, as with the tag. With `?test` it is the test page of
 * 'Test my zone': of what it shows nothing is recorded.
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
  // Opened as a page of its own, it stands on no site.
  const isFrame = request.headers['sec-fetch-dest'] !== 'document';
  const isOwn = zone !== undefined && isFrame && isOwnPage(zone, page, parts.developmentMode);
  const proven = isOwn ? parts.frameProof.nameOf(name, parts.now().getTime()) : name;
  const shown = isTest ? name + TEST_MARK : proven;
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>Advertisement</title><style>${STYLE}</style></head><body><ad-zone zone="${shown}"></ad-zone><script async crossorigin src="${escapeHtml(parts.deliveryUrl)}/api/serve/zone/${name}"></script></body></html>`;
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    // Each site has a document of its own; the proof in it lasts a day.
    'Cache-Control': 'private, max-age=3600',
    Vary: 'Referer, Sec-Fetch-Dest',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policyOf(new URL(parts.deliveryUrl).origin),
  });
  response.end(request.method === 'HEAD' ? undefined : html);
}

function originOf(address: string): string {
  return URL.parse(address)?.origin ?? '';
}

/** Ads may show pictures and videos that are hosted elsewhere; everything else is ours. */
function policyOf(host: string): string {
  return [
    "default-src 'none'",
    `script-src ${host}`,
    `connect-src ${host}`,
    `img-src ${host} https:`,
    `media-src ${host} https:`,
    `style-src ${STYLE_HASH}`,
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    // Also where the publisher's frame has lost its attribute: our own pages' origin is never lent to it.
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
