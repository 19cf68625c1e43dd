import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { html } from '../http/html.ts';
import type { CallDescription } from '../http/openapi.ts';
import { sendPage } from '../http/page.ts';
import { signedInUser } from '../http/sessions.ts';
import { endOwnSession } from './sign-in.ts';
import { ownUser } from './own-user.ts';

const LOGOUT: CallDescription = {
  summary: 'Sign out by visiting. Works without a session, too',
  access: 'anyone',
  answers: { 302: 'To the landing page' },
};

const BILLING_PORTAL: CallDescription = {
  summary: 'The payment provider’s billing portal',
  access: 'user',
  answers: { 200: 'A page: no billing account yet', 302: 'To the provider', 401: 'No session' },
};

/** Registers the two addresses that a browser opens instead of calling them. */
export function registerAccountPages(app: FastifyInstance, ctx: Context): void {
  // This works without a session, too: deleting an account has already ended it. [OP-008]
  app.get('/api/logout', { config: { call: LOGOUT } }, async (request, reply) => {
    // A link or picture of another site must not sign anybody out. Clients other than browsers send no header. [SEC-12]
    const from = request.headers['sec-fetch-site'] ?? 'none';
    if (from === 'same-origin' || from === 'none')
      await endOwnSession(ctx, await signedInUser(ctx, request), request);
    return reply.header('cache-control', 'no-store').redirect('/', 302);
  });

  app.get('/api/billing/portal', { config: { page: true, call: BILLING_PORTAL } }, async (request, reply) => {
    const who = await signedInUser(ctx, request);
    if (!who) throw unauthorized();
    const { stripeCustomerId } = await ownUser(ctx, who);
    void reply.header('cache-control', 'no-store');
    if (stripeCustomerId === null) return sendPage(reply, NO_BILLING_ACCOUNT);
    const { url } = await ctx.payments.billingPortal(stripeCustomerId, `${ctx.config.publicUrl}/settings`);
    return reply.redirect(url, 302);
  });
}

/** Shown to a user who has never paid. [OP-102] */
const NO_BILLING_ACCOUNT = {
  title: 'No billing account yet',
  main: html`<h1>No billing account yet</h1>
<div class="card">
<p class="quiet">Your billing account is created with your first payment. After that, you’ll find your cards and receipts
here.</p>
<p><a class="button" href="/settings?tab=billing">Back to settings</a></p>
</div>`,
};
