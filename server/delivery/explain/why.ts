import type { Context } from '#server/context.ts';
import { escapeHtml } from '#server/http/html.ts';
import { pagePolicy, renderPage, type ServerPage } from '#server/http/page.ts';
import type { Request, Response } from '#server/http/raw-answer.ts';
import { findAdvertiser } from './store-why.ts';

/**
 * `GET /api/serve/why/{ad publicId}` tells a visitor what the Digital Services Act requires (article 26): that this is
 * an ad, on whose behalf it is shown, who paid for it, why it is shown here, and how to report it. [DEL-23]
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
    return answerPage(request, response, 404, {
      title: 'Ad not found',
      home: ctx.config.publicUrl,
      main: '<h1>Ad not found</h1><p class="quiet">There is no such ad, or it has never been shown.</p>',
    });
  }
  const advertiser = escapeHtml(ad.advertiser || 'An advertiser who has left Openslot');
  const { publicUrl } = ctx.config;
  answerPage(request, response, 200, {
    title: 'Why this ad?',
    home: ctx.config.publicUrl,
    main: `<h1>Why this ad?</h1>
<p>“<bdi>${escapeHtml(ad.title)}</bdi>” is an advertisement.</p>
${ad.takenDownReason === null ? '' : `<p>Whoever runs this server has taken it down: <bdi>${escapeHtml(ad.takenDownReason)}</bdi></p>\n`}<dl class="facts">
<div><dt>Shown on behalf of</dt><dd><bdi>${advertiser}</bdi></dd></div>
<div><dt>Paid for by</dt><dd><bdi>${advertiser}</bdi></dd></div>
<div><dt>Why you see it</dt><dd>The advertiser booked this page’s ad space, and the publisher of the page approved the ad.
No profile, no cookie and no identifier of yours was used; who has been shown an ad six times in a day is only shown others
first.
<a href="${publicUrl}/global-privacy-control">What a privacy signal changes</a></dd></div>
</dl>
<p class="actions"><a class="button" href="${publicUrl}/report-ad/${adPublicId}">Report this ad</a>
${ad.archived ? `<a class="plain" href="${publicUrl}/ad-archive/${adPublicId}">This ad in the archive</a>` : ''}</p>`,
  });
}

function answerPage(request: Request, response: Response, status: number, page: ServerPage): void {
  const html = renderPage(page);
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': pagePolicy(),
  });
  response.end(request.method === 'HEAD' ? undefined : html);
}
