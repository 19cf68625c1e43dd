import { limitWords } from '#domain/targeting/words.ts';
import type { Context } from '#server/platform/context.ts';
import { PERMISSIONS } from '#server/platform/http/answers.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { frameOf } from '#server/platform/http/page/frame.ts';
import { pagePolicy, renderPage, type ServerPage } from '#server/platform/http/page/page.ts';
import { fact, facts } from '#server/platform/http/page/parts.ts';
import type { Request, Response } from '#server/platform/http/raw-answer.ts';
import { type AdOrigin, findAdvertiser } from './store-why.ts';

/**
 * `GET /api/serve/why/{publicId}` of an ad or of its second creative: tells a visitor that this is an ad, on whose behalf it is shown, who paid for it, why
 * it is shown, and how to report it (Digital Services Act, article 26).
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
    return answerPage(ctx, request, response, 404, {
      title: 'Ad not found',
      home: ctx.config.publicUrl,
      main: html`<h1>Ad not found</h1>
<p class="quiet">This ad doesn’t exist, or it has never been shown.</p>
<p class="actions"><a class="button" href="${ctx.config.publicUrl}/ad-archive">Browse the ad archive</a></p>`,
    });
  }
  const advertiser = ad.advertiser || 'An advertiser who has left';
  const { publicUrl } = ctx.config;
  answerPage(ctx, request, response, 200, {
    title: 'Why this ad?',
    home: publicUrl,
    main: html`<h1>Why this ad?</h1>
<p>“<bdi>${ad.title}</bdi>” is an advertisement.</p>
${
  ad.takenDownReason !== null &&
  html`<p>The marketplace operator took it down. Reason: <bdi>${ad.takenDownReason}</bdi></p>`
}
${facts(
  fact('Shown on behalf of', html`<bdi>${advertiser}</bdi>`),
  fact('Paid for by', html`<bdi>${advertiser}</bdi>`),
  fact(
    'Why you see it',
    html`The advertiser booked an ad zone on this page, and the page’s publisher approved the ad. We
didn’t use a profile, a cookie or an identifier to choose it for you. If you’ve been shown an ad six times today, other ads
come first.${limitsOf(ad)}
<a href="${publicUrl}/global-privacy-control">What a privacy signal changes</a>`,
  ),
)}
<p class="actions"><a class="button" href="${publicUrl}/report-ad/${adPublicId}">Report this ad</a>
${ad.archived !== null && html`<a class="plain" href="${publicUrl}/ad-archive/${ad.archived}">This ad in the archive</a>`}</p>`,
  });
}

function limitsOf({ targeting }: AdOrigin): Markup | false {
  return (
    targeting !== null &&
    html` The advertiser limits it to visitors with: ${limitWords(targeting).map(
      ({ name, value }, index) => html`${index > 0 && '; '}${name.toLowerCase()} <bdi>${value}</bdi>`,
    )}. To find that out, we looked at this request only, and stored nothing.`
  );
}

function answerPage(
  ctx: Context,
  request: Request,
  response: Response,
  status: number,
  page: ServerPage,
): void {
  // The font of the marketplace is on its own host, and its announcements are for its users.
  const frame = { ...frameOf(ctx, null), announcement: null };
  const document = renderPage(page, frame);
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(document),
    'Cache-Control': status < 400 ? 'no-cache' : 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': PERMISSIONS,
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': pagePolicy(page, frame),
  });
  response.end(request.method === 'HEAD' ? undefined : document);
}
