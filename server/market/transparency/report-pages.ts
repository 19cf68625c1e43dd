import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { MAX_DETAILS, reportForm } from '#domain/transparency/report.ts';
import { REPORT_REASONS } from '#domain/transparency/report-reasons.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { html } from '#server/platform/http/html.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import {
  acceptForms,
  EMAIL_FIELD,
  choices,
  hidden,
  input,
  textarea,
} from '#server/platform/http/page/form.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { subscriberOf, widestNetworkOf } from '#server/platform/net/networks.ts';
import { findReportedAd, reportAd, type ReportedAd } from './report.ts';

/** Far more than a person sends, and few enough to stop a program. */
const REPORTS_AN_HOUR = { points: 20, seconds: 3600 };
/** A provider's network can have many people, or one person with all of its addresses. [DOOR-14] */
const REPORTS_OF_WIDER_NETWORK = { points: 60, seconds: 3600 };

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

/** Registers `/report-ad/{publicId}`, a form that works without a script and without an account. */
export function registerReportPages(app: FastifyInstance, ctx: Context): void {
  const adOf = async (params: unknown): Promise<ReportedAd> => {
    const ad = await findReportedAd(ctx, (params as { publicId: string }).publicId);
    if (!ad) throw notFound('This ad doesn’t exist, or it has never been shown.');
    return ad;
  };

  app.get('/report-ad/:publicId', { config: { page: true, call: FORM } }, async (request, reply) =>
    sendForm(reply, await adOf(request.params), {}),
  );

  app.get('/report-ad/:publicId/sent', { config: { page: true, call: SENT } }, async (request, reply) => {
    const ad = await adOf(request.params);
    return sendPage(reply, {
      title: 'Thank you',
      main: html`<h1>Thank you</h1>
<p>We’ve received your report of “<bdi>${ad.title}</bdi>”. It goes to the marketplace operator and to the publisher who
shows the ad. If you left your email address, the operator may reply to you.</p>
<p class="actions"><a class="button" href="/api/serve/why/${ad.publicId}">Why this ad?</a></p>`,
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
      await ctx.limits('report-ad', REPORTS_AN_HOUR)(subscriberOf(request.ip));
      await ctx.limits('report-ad-wider', REPORTS_OF_WIDER_NETWORK)(widestNetworkOf(request.ip));
      await reportAd(ctx, ad, parsed.data);
      // After 303 See Other, reloading the page doesn't send the report again (RFC 9110, section 15.4.4).
      return reply.header('cache-control', 'no-store').redirect(`/report-ad/${ad.publicId}/sent`, 303);
    });
  });
}

type Fields = { id?: string; reason?: string; details?: string; email?: string };
type FormState = Fields & { errors?: Partial<Record<keyof Fields, string>> };

function sendForm(reply: FastifyReply, ad: ReportedAd, state: FormState): FastifyReply {
  const { errors = {}, details = '', email = '' } = state;
  const id = errors.id || !state.id ? randomUUID() : state.id;
  const advertiser = ad.advertiser || 'an advertiser who has left';
  const wrong = Object.keys(errors).length > 0;
  const page = {
    title: wrong ? 'Error: Report this ad' : 'Report this ad',
    form: true,
    main: html`<h1>Report this ad</h1>
<p class="quiet">You’re reporting “<bdi>${ad.title}</bdi>”, shown on behalf of <bdi>${advertiser}</bdi>. Your report goes to
the marketplace operator and to the publisher, not to the advertiser. You don’t have to say who you are.</p>
${errors.id && html`<p class="error" role="alert">${errors.id}</p>`}
<form method="post" action="/report-ad/${ad.publicId}">
${hidden('id', id)}${choices({
      name: 'reason',
      label: 'What’s wrong with this ad?',
      options: Object.entries(REPORT_REASONS),
      value: state.reason,
      error: errors.reason,
    })}${textarea({
      name: 'details',
      label: 'Details (optional)',
      value: details,
      max: MAX_DETAILS,
      error: errors.details,
    })}${input({
      name: 'email',
      label: 'Your email address, if you’d like a reply (optional)',
      value: email,
      max: 254,
      hint: 'Only the marketplace operator sees it. We delete it after one year.',
      error: errors.email,
      more: html`${EMAIL_FIELD} autocomplete="email"`,
    })}<button class="button">Send report</button>
</form>`,
  };
  return sendPage(reply, page, wrong ? 400 : 200);
}
