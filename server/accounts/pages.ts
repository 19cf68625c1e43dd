import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import type { CallDescription } from '../http/openapi.ts';
import { sendPage } from '../http/page.ts';
import { endSession, signedInUser } from '../http/sessions.ts';
import { ownUser } from './sign-in.ts';

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

/** Registers the two addresses that the browser navigates to instead of calling them. */
export function registerAccountPages(app: FastifyInstance, ctx: Context): void {
  // It needs no session, because the deletion of the account has already ended it. [OP-008]
  app.get('/api/logout', { config: { call: LOGOUT } }, async (request, reply) => {
    await endSession(request);
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

/** For users who have not paid yet. [OP-102] */
const NO_BILLING_ACCOUNT = {
  title: 'No billing account yet',
  main: `<h1>No billing account yet</h1>
<div class="card">
<p class="quiet">It is opened with your first payment. From then on your cards and receipts are found there.</p>
<p><a class="button" href="/settings?tab=billing">Back to Settings</a></p>
</div>`,
};
