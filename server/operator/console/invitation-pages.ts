import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ROLE_WORDS } from '#domain/operator/rights.ts';
import { currentUser } from '#server/people/accounts/sign-in.ts';
import type { Context } from '#server/platform/context.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { acceptForms } from '#server/platform/http/page/form.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import { sendPage, type ServerPage } from '#server/platform/http/page/page.ts';
import { fact, facts } from '#server/platform/http/page/parts.ts';
import { signedInUser } from '#server/platform/http/sessions.ts';
import { admitUser } from '#server/platform/http/who-may-call.ts';
import { acceptInvitation, readInvitation } from '../invitations/invitations.ts';

const PATH = '/operator-invitation';
/** Far more tries than a person needs. */
const TRIES_AN_HOUR = { points: 60, seconds: 3600 };

const READ: CallDescription = {
  summary: 'An invitation to become an operator, by its mailed `token`. Changes nothing',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN, 429: 'Too many tries from this network' },
};
const ACCEPT: CallDescription = {
  summary: 'Accepts an invitation to become an operator, signed in with the invited address',
  access: 'user',
  right: 'person',
  answers: {
    200: 'A page that says what happens next',
    401: 'Signed out',
    403: 'Signed in with another address, or sent from another site',
    ...UNKNOWN,
    409: 'The one who invited is no owner any more',
    429: 'Too many tries from this network',
  },
};

/** Registers the page of a mailed invitation. Scanners of mail follow links, so only its form accepts. [OWNS-27] */
export function registerInvitationPages(app: FastifyInstance, ctx: Context): void {
  app.get(PATH, { config: { page: true, call: READ } }, async (request, reply) => {
    const token = await readToken(ctx, request);
    const { email, role, expiresAt } = await readInvitation(ctx, token);
    const who = await signedInUser(ctx, request);
    const signedInAs = who && (await currentUser(ctx, who)).email;
    // The token must not leave with a link. Without any referrer, the form would seem to come from another site.
    void reply.header('referrer-policy', 'same-origin');
    return sendPage(
      reply,
      pageOf(
        ctx,
        html`<p>You’re invited to become an operator: ${ROLE_WORDS[role]}.</p>
${facts(email !== null && fact('For', html`<bdi>${email}</bdi>`), fact('Until', instantText(expiresAt)))}
${nextStep(token, email, signedInAs)}`,
      ),
    );
  });

  void app.register(async (scope) => {
    acceptForms(scope);
    scope.post(PATH, { config: { page: true, call: ACCEPT } }, async (request, reply) => {
      const who = await admitUser(ctx, request);
      const token = await readToken(ctx, request);
      const { waits } = await acceptInvitation(ctx, await currentUser(ctx, who), token);
      return sendPage(
        reply,
        pageOf(
          ctx,
          waits
            ? html`<p>Another owner has to confirm it. You become an operator then.</p>`
            : html`<p>You’re an operator now, and you were signed out. Sign in again and turn on two-step verification in Settings › Security. The console opens after that.</p>
<p class="actions"><a class="button" href="/auth?return=${encodeURIComponent('/operator')}">Sign in</a></p>`,
        ),
      );
    });
  });
}

async function readToken(ctx: Context, request: FastifyRequest): Promise<string> {
  await ctx.limits('operator-invitation', TRIES_AN_HOUR)(request.ip);
  const { token } = request.query as { token?: unknown };
  return typeof token === 'string' ? token.slice(0, 100) : '';
}

function pageOf({ config }: Context, content: Markup): ServerPage {
  const title = `Help to run ${config.brand.name}`;
  return { title, form: true, main: html`<h1>${title}</h1>\n${content}` };
}

/** `email` is the invited address; null for the first operator, who may be anybody with the link. */
function nextStep(token: string, email: string | null, signedInAs: string | null): Markup {
  const here = `${PATH}?token=${encodeURIComponent(token)}`;
  if (signedInAs !== null && (email === null || signedInAs === email))
    return html`<form method="post" action="${here}"><button class="button">Accept</button></form>`;
  const back = encodeURIComponent(here);
  return signedInAs === null
    ? html`<p>Sign in or sign up${email !== null && ' with this address'} first.</p>
<p class="actions"><a class="button" href="/auth?return=${back}">Sign in</a> <a class="plain" href="/auth?tab=signup&return=${back}">Sign up</a></p>`
    : html`<p>You’re signed in as <bdi>${signedInAs}</bdi>. Sign out, and sign in with the invited address.</p>`;
}
