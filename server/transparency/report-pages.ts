import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { MAX_DETAILS, REPORT_REASONS, reportForm } from '#domain/transparency/report.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { acceptForms } from '../http/forms.ts';
import { escapeHtml } from '../http/html.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage } from '../http/page.ts';
import { findReportedAd, reportAd, type ReportedAd } from './report.ts';

/** A person sends one or two; who sends hundreds is none. */
const REPORTS_AN_HOUR = { points: 20, seconds: 3600 };

const FORM: CallDescription = {
  summary: 'The form for reporting an ad',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

const REPORT: CallDescription = {
  summary: 'Reports an ad; the body is the form’s (application/x-www-form-urlencoded)',
  access: 'anyone',
  answers: {
    303: 'To the thank-you page',
    400: 'The form again, with what is missing',
    403: 'Sent from another site',
    ...UNKNOWN,
    429: 'Too many reports from this network',
  },
};

const SENT: CallDescription = {
  summary: 'The thank-you page after a report',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

/** `/report-ad/{publicId}`: a form that needs no script and no account. */
export function registerReportPages(app: FastifyInstance, ctx: Context): void {
  const adOf = async (params: unknown): Promise<ReportedAd> => {
    const ad = await findReportedAd(ctx, (params as { publicId: string }).publicId);
    if (!ad) throw notFound('There is no such ad, or it has never been shown.');
    return ad;
  };

  app.get('/report-ad/:publicId', { config: { page: true, call: FORM } }, async (request, reply) =>
    sendForm(reply, await adOf(request.params), {}),
  );

  app.get('/report-ad/:publicId/sent', { config: { page: true, call: SENT } }, async (request, reply) => {
    const ad = await adOf(request.params);
    return sendPage(reply, {
      title: 'Thank you',
      main: `<h1>Thank you</h1>
<p>Your report of “<bdi>${escapeHtml(ad.title)}</bdi>” has arrived. Whoever runs this server and the publisher who shows
the ad look at it. If you left your address and there is something to say, you will hear from them.</p>
<p class="actions"><a class="button" href="/api/serve/why/${ad.publicId}">Why is this ad shown?</a></p>`,
    });
  });

  void app.register(async (scope) => {
    acceptForms(scope);
    scope.post('/report-ad/:publicId', { config: { page: true, call: REPORT } }, async (request, reply) => {
      const ad = await adOf(request.params);
      const parsed = reportForm.safeParse(request.body ?? {});
      if (!parsed.success) {
        const errors = Object.fromEntries(
          parsed.error.issues.map(({ path, message }) => [String(path[0]), message]),
        );
        return sendForm(reply, ad, { ...(request.body as Fields), errors });
      }
      await ctx.limits('report-ad', REPORTS_AN_HOUR)(request.ip);
      await reportAd(ctx, ad, parsed.data);
      // See other (RFC 9110, 15.4.4): loading that page again sends nothing again.
      return reply.header('cache-control', 'no-store').redirect(`/report-ad/${ad.publicId}/sent`, 303);
    });
  });
}

type Fields = { id?: string; reason?: string; details?: string; email?: string };
type FormState = Fields & { errors?: Partial<Record<keyof Fields, string>> };

function sendForm(reply: FastifyReply, ad: ReportedAd, state: FormState): FastifyReply {
  const { errors = {}, details = '', email = '' } = state;
  const id = errors.id || !state.id ? randomUUID() : state.id;
  const advertiser = ad.advertiser || 'an advertiser who has left Openslot';
  const wrong = Object.keys(errors).length > 0;
  const page = {
    title: wrong ? 'Error: Report this ad' : 'Report this ad',
    form: true,
    main: `<h1>Report this ad</h1>
<p class="quiet">“<bdi>${escapeHtml(ad.title)}</bdi>”, on behalf of <bdi>${escapeHtml(advertiser)}</bdi>. Whoever runs this server and the
publisher are told, not the advertiser. You need not say who you are.</p>
${errors.id ? `<p class="error" role="alert">${escapeHtml(errors.id)}</p>` : ''}
<form method="post" action="/report-ad/${ad.publicId}">
<input type="hidden" name="id" value="${escapeHtml(id)}">
<fieldset${described('reason', errors)}>
<legend>What is wrong with it?</legend>
${errorOf('reason', errors)}
<div class="choices">
${Object.entries(REPORT_REASONS)
  .map(
    ([name, words]) =>
      `<label><input type="radio" name="reason" value="${name}" required${name === state.reason ? ' checked' : ''}> <span>${words}</span></label>`,
  )
  .join('\n')}
</div>
</fieldset>
<div class="field">
<label for="details">What should we know? (optional)</label>
<textarea id="details" name="details" maxlength="${MAX_DETAILS}" dir="auto"${described('details', errors)}>${escapeHtml(details)}</textarea>
${errorOf('details', errors)}
</div>
<div class="field">
<label for="email">Your e-mail address, if you want an answer (optional)</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email" value="${escapeHtml(email)}" aria-describedby="email-use${errors.email ? ' email-error' : ''}"${errors.email ? ' aria-invalid="true"' : ''}>
<small id="email-use">Only whoever runs this server sees it. It is forgotten after a year.</small>
${errorOf('email', errors)}
</div>
<button class="button">Send the report</button>
</form>`,
  };
  return sendPage(reply, page, wrong ? 400 : 200);
}

function errorOf(field: keyof Fields, errors: NonNullable<FormState['errors']>): string {
  const message = errors[field];
  return message ? `<p class="error" id="${field}-error">${escapeHtml(message)}</p>` : '';
}

function described(field: keyof Fields, errors: NonNullable<FormState['errors']>): string {
  if (!errors[field]) return '';
  // A group is no control, so it cannot be invalid; it is described all the same.
  return ` aria-describedby="${field}-error"${field === 'reason' ? '' : ' aria-invalid="true"'}`;
}
