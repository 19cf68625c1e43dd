import type { FastifyInstance, FastifyReply } from 'fastify';
import { MAX_TAKEDOWN_REASON, REPORT_REASONS, takeDownForm } from '#domain/transparency/report.ts';
import { takeDown } from '../ads/take-down.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { acceptForms } from '../http/forms.ts';
import { escapeHtml } from '../http/html.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage } from '../http/page.ts';
import { creative } from './archive-pages.ts';
import { openCase, type ReportedCase } from './moderate.ts';

const CASE: CallDescription = {
  summary: 'A reported ad, for the operator: `key` comes with the mail about the report',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

const TAKE_DOWN: CallDescription = {
  summary: 'Takes the ad down; the body is the form’s (application/x-www-form-urlencoded)',
  access: 'anyone',
  answers: {
    303: 'Back to the page',
    400: 'The form again, with what is missing',
    403: 'Sent from another site',
    ...UNKNOWN,
    409: 'The ad has ended already',
  },
};

/**
 * `/moderate-ad?key=…`: whoever runs the server looks at an ad that was reported, and takes it down. The key comes by
 * mail to the operator alone, stands in the query, which no log keeps, and is told to no other page.
 */
export function registerModerationPages(app: FastifyInstance, ctx: Context): void {
  const keyOf = (query: unknown): string => {
    const { key } = query as { key?: unknown };
    return typeof key === 'string' ? key : '';
  };
  const caseOf = async (key: string): Promise<ReportedCase> => {
    const found = await openCase(ctx, key);
    if (!found) throw notFound('This link is not known. It works for a year after the report.');
    return found;
  };

  app.get('/moderate-ad', { config: { page: true, call: CASE } }, async (request, reply) => {
    const key = keyOf(request.query);
    return sendCase(reply, await caseOf(key), { key });
  });

  void app.register(async (scope) => {
    acceptForms(scope);
    scope.post('/moderate-ad', { config: { page: true, call: TAKE_DOWN } }, async (request, reply) => {
      const key = keyOf(request.query);
      const found = await caseOf(key);
      const parsed = takeDownForm.safeParse(request.body ?? {});
      if (!parsed.success) return sendCase(reply, found, { key, error: parsed.error.issues[0]?.message });
      // Pressed twice, it is taken down once.
      if (found.takenDownReason === null) await takeDown(ctx, found.adId, parsed.data.reason);
      return reply
        .header('cache-control', 'no-store')
        .redirect(`/moderate-ad?key=${encodeURIComponent(key)}`, 303);
    });
  });
}

function sendCase(
  reply: FastifyReply,
  found: ReportedCase,
  { key, error }: { key: string; error?: string | undefined },
): FastifyReply {
  const { ad, reports } = found;
  void reply.header('referrer-policy', 'same-origin');
  const page = {
    title: error ? 'Error: A reported ad' : 'A reported ad',
    form: true,
    film: true,
    main: `<h1>A reported ad</h1>
${found.takenDownReason === null ? `<div class="shown"><span class="mark">Ad</span>\n${creative(ad)}</div>` : ''}
<dl class="facts">
<div><dt>Advertiser</dt><dd><bdi>${escapeHtml(ad.advertiser || 'Has left Openslot')}</bdi>, ${escapeHtml(found.advertiserEmail)}</dd></div>
<div><dt>Publisher</dt><dd><bdi>${escapeHtml(ad.websiteName)}</bdi> (${escapeHtml(ad.websiteUrl)}), ${escapeHtml(found.publisherEmail)}</dd></div>
<div><dt>Leads to</dt><dd>${escapeHtml(ad.targetUrl)}</dd></div>
<div><dt>State</dt><dd>${stateOf(found)}</dd></div>
</dl>
<h2>What was said</h2>
<dl class="facts">
${reports.map(reportLine).join('\n')}
</dl>
${formOf(found, key, error)}`,
  };
  return sendPage(reply, page, error ? 400 : 200);
}

function stateOf({ status, takenDownReason }: ReportedCase): string {
  if (takenDownReason !== null) return `Taken down: <bdi>${escapeHtml(takenDownReason)}</bdi>`;
  return status === 'active' ? 'Running' : 'Over';
}

function formOf({ status, takenDownReason }: ReportedCase, key: string, error?: string): string {
  if (status !== 'active' || takenDownReason !== null) return '';
  return `<form method="post" action="/moderate-ad?key=${encodeURIComponent(key)}">
<div class="field">
<label for="reason">Why is it taken down?</label>
<textarea id="reason" name="reason" required maxlength="${MAX_TAKEDOWN_REASON}" dir="auto" aria-describedby="reason-use${error ? ' reason-error' : ''}"${error ? ' aria-invalid="true"' : ''}></textarea>
<small id="reason-use">Advertiser and publisher are sent these words, and the ad archive shows them.</small>
${error ? `<p class="error" id="reason-error">${escapeHtml(error)}</p>` : ''}
</div>
<p>The ad leaves every page within two seconds, for good: this cannot be undone. Nothing is paid back by it.</p>
<button class="button">Take the ad down</button>
</form>`;
}

function reportLine({ reason, details, email, createdAt }: ReportedCase['reports'][number]): string {
  const utc = createdAt.toISOString();
  const words = REPORT_REASONS[reason];
  return `<div><dt><time datetime="${utc}">${utc.slice(0, 10)} ${utc.slice(11, 16)} UTC</time>${email === null ? '' : `, ${escapeHtml(email)}`}</dt>
<dd>${words}${details === '' ? '' : `: <bdi>${escapeHtml(details)}</bdi>`}</dd></div>`;
}
