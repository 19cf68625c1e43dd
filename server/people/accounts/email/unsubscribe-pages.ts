import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Switch, SWITCH_LABELS } from '#domain/notifications/switches.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { readUnsubscribeToken } from '#server/notify/unsubscribe.ts';
import { changeSettings, readSettings } from '../record/store.ts';

/** Mail programs send a few bytes. */
const MAX_BYTES = 4 * 1024;

const READ: CallDescription = {
  summary: 'Asks whether to turn off the kind of mail that the mailed `token` names. Changes nothing',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

const TURN_OFF: CallDescription = {
  summary: 'Turns off the kind of mail that the mailed `token` names (RFC 8058). The body does not matter',
  access: 'anyone',
  answers: { 200: 'A page. Also if it was off already', ...UNKNOWN },
};

/**
 * Registers the address in the header List-Unsubscribe of notices. Mail programs send the POST without a session, and from
 * other sites. Scanners of mail follow links, so the GET changes nothing.
 */
export function registerUnsubscribePages(app: FastifyInstance, ctx: Context): void {
  app.get('/unsubscribe', { config: { page: true, call: READ } }, async (request, reply) => {
    const { token, offSwitch } = await readToken(ctx, request);
    return send(
      reply,
      `Turn off “${SWITCH_LABELS[offSwitch]}”?`,
      html`<p>${EFFECTS[offSwitch]}</p>
<form method="post" action="/unsubscribe?token=${token}"><button class="button">Turn off</button></form>`,
    );
  });

  void app.register(async (scope) => {
    // The body may be of any type, and says nothing that the token does not say.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, _body, done) =>
      done(null),
    );
    scope.post(
      '/unsubscribe',
      { config: { page: true, isSigned: true, call: TURN_OFF } },
      async (request, reply) => {
        const { userId, offSwitch } = await readToken(ctx, request);
        const now = ctx.now();
        await ctx.db.transaction().execute(async (tx) => {
          await readSettings(tx, userId, now);
          await changeSettings(tx, userId, { [offSwitch]: false, updatedAt: now });
        });
        return send(
          reply,
          `“${SWITCH_LABELS[offSwitch]}” is off`,
          html`<p>To turn it on again, <a href="/settings?tab=notifications">open your settings</a>.</p>`,
        );
      },
    );
  });
}

const EFFECTS: Record<Switch, string> = {
  emailNotifications:
    'You’ll get no more mail about your ads, your ad zones and your payouts. Mail about security and the operator’s decisions goes on.',
  campaignUpdates: 'You’ll get no more mail about the progress of campaigns.',
  paymentAlerts: 'You’ll get no more mail about payments, refunds and the documents of a month.',
};

async function readToken(
  ctx: Context,
  request: FastifyRequest,
): Promise<{ token: string; userId: number; offSwitch: Switch }> {
  const { token } = request.query as { token?: unknown };
  const read = typeof token === 'string' ? await readUnsubscribeToken(ctx, token) : null;
  if (read === null)
    throw notFound('This link doesn’t work any more. Sign in to choose in Settings which emails you get.');
  return { token: token as string, ...read };
}

function send(reply: FastifyReply, title: string, content: Markup): FastifyReply {
  // The address has the token, so it does not become a referrer.
  void reply.header('referrer-policy', 'no-referrer');
  return sendPage(reply, { title, form: true, main: html`<h1>${title}</h1>${content}` });
}
