import type { FastifyInstance, FastifyReply } from 'fastify';
import { MAX_TAKEDOWN_REASON, REPORT_REASONS, takeDownForm } from '#domain/transparency/report.ts';
import { takeDown } from '../ads/take-down.ts';
import type { Context } from '../context.ts';
import { instantText } from '../http/dates.ts';
import { notFound } from '../http/errors.ts';
import { acceptForms } from '../http/forms.ts';
import { html, type Markup } from '../http/html.ts';
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
 * Registers `/moderate-ad?key=…`, where the operator reviews a reported ad and can take it down. Only the operator's mail
 * has the key. The key stands in the query, because logs leave the query out, and no other page learns it as a referrer.
 */
export function registerModerationPages(app: FastifyInstance, ctx: Context): void {
  const keyOf = (query: unknown): string => {
    const { key } = query as { key?: unknown };
    return typeof key === 'string' ? key : '';
  };
  const caseOf = async (key: string): Promise<ReportedCase> => {
    const found = await openCase(ctx, key);
    if (!found)
      throw notFound('This link is invalid or has expired. It works for one year after the report.');
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
      // A second press of the button changes nothing.
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
    title: error ? 'Error: Reported ad' : 'Reported ad',
    form: true,
    video: true,
    main: html`<h1>Reported ad</h1>
${
  found.takenDownReason === null &&
  html`<div class="shown"><span class="mark">Ad</span>
${creative(ad)}</div>`
}
<dl class="facts">
<div><dt>Advertiser</dt><dd><bdi>${ad.advertiser || 'Has left Openslot'}</bdi>, ${found.advertiserEmail}</dd></div>
<div><dt>Publisher</dt><dd><bdi>${ad.websiteName}</bdi> (${ad.websiteUrl}), ${found.publisherEmail}</dd></div>
<div><dt>Links to</dt><dd>${ad.targetUrl}</dd></div>
<div><dt>Status</dt><dd>${statusOf(found)}</dd></div>
</dl>
<h2>Reports</h2>
<dl class="facts">
${reports.map(reportLine)}
</dl>
${formOf(found, key, error)}`,
  };
  return sendPage(reply, page, error ? 400 : 200);
}

function statusOf({ status, takenDownReason }: ReportedCase): Markup {
  if (takenDownReason !== null) return html`Taken down: <bdi>${takenDownReason}</bdi>`;
  return status === 'active' ? html`Running` : html`Ended`;
}

function formOf({ status, takenDownReason }: ReportedCase, key: string, error?: string): Markup | false {
  if (status !== 'active' || takenDownReason !== null) return false;
  return html`<form method="post" action="/moderate-ad?key=${encodeURIComponent(key)}">
<div class="field">
<label for="reason">Reason for taking it down</label>
<textarea id="reason" name="reason" required maxlength="${MAX_TAKEDOWN_REASON}" dir="auto" aria-describedby="reason-use${error && ' reason-error'}"${error && html` aria-invalid="true"`}></textarea>
<small id="reason-use">We send this text to the advertiser and the publisher, and show it in the ad archive.</small>
${error && html`<p class="error" id="reason-error">${error}</p>`}
</div>
<p>The ad disappears from every page within two seconds. You can’t undo this, and it doesn’t refund the advertiser.</p>
<button class="button">Take down the ad</button>
</form>`;
}

function reportLine({ reason, details, email, createdAt }: ReportedCase['reports'][number]): Markup {
  const words = REPORT_REASONS[reason];
  return html`<div><dt><time datetime="${createdAt.toISOString()}">${instantText(createdAt)}</time>${email !== null && html`, ${email}`}</dt>
<dd>${words}${details !== '' && html`: <bdi>${details}</bdi>`}</dd></div>`;
}
