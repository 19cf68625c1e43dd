import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { forbidden } from '#server/platform/http/errors.ts';
import { isFromAnotherSite } from '#server/platform/http/guard.ts';
import { html } from '#server/platform/http/html.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { logSecurity } from '#server/platform/http/security-log.ts';
import { admitUser } from '#server/platform/http/who-may-call.ts';
import { answering, isUnknown } from '../provider-requests/answer-time.ts';
import { customerOf, replaceCustomer } from './customers.ts';
import { findBuyer } from './store-customers.ts';

const BILLING_PORTAL: CallDescription = {
  summary: 'The payment provider’s billing portal',
  access: 'user',
  right: 'money',
  confirmed: true,
  notInView: true,
  answers: {
    200: 'A page: no billing account yet',
    303: 'To the provider',
    401: 'No session',
    403: 'The session was not confirmed within 15 minutes (code `reauthenticate`); from another site, or before the user has asked for it',
  },
};

/** Registers the address that opens the provider's portal, where advertisers manage their cards. */
export function registerBillingPortal(app: FastifyInstance, ctx: Context): void {
  app.get('/api/billing/portal', { config: { page: true, call: BILLING_PORTAL } }, async (request, reply) => {
    void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    const who = await admitUser(ctx, request);
    refuseUnasked(ctx, request);
    // The sandbox has nothing to show to a user who has never paid. [OP-102]
    if (ctx.payments.name === 'sandbox' && (await findBuyer(ctx.db, who.id)).stripeCustomerId === null)
      return sendPage(reply, NO_BILLING_ACCOUNT);
    await ctx.limits('billing-portal', { points: 60, seconds: 3600 })(String(personOf(who)));
    const { url } = await answering(
      ctx,
      () => 'Please try again in a moment. Nothing was charged.',
      () => openPortal(ctx, who),
    );
    await logSecurity(ctx, ctx.db, { userId: who.id, kind: 'billing-portal-opened', client: request });
    return reply.redirect(url, 303);
  });
}

/**
 * Every visit creates a session that opens the user's cards, so links on other sites, prefetches, and pictures and scripts
 * with this address are refused (OWASP ASVS 5.0, 3.5.3).
 */
function refuseUnasked({ config }: Context, request: FastifyRequest): void {
  const { headers } = request;
  const use = headers['sec-fetch-dest'] ?? 'document';
  if (isFromAnotherSite(request, config.publicUrl) || (use !== 'document' && use !== 'empty'))
    throw forbidden('Open the billing portal from your settings.');
  const purpose = String(headers['sec-purpose'] ?? headers['purpose'] ?? '');
  if (purpose.includes('prefetch')) throw forbidden('The billing portal is opened on request only.');
}

async function openPortal(ctx: Context, who: Caller): Promise<{ url: string }> {
  const returnUrl = `${ctx.config.publicUrl}/billing`;
  const customerId = await customerOf(ctx, who.id);
  try {
    return await ctx.payments.billingPortal(customerId, returnUrl);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    // The customer was deleted at the provider.
    return ctx.payments.billingPortal(await replaceCustomer(ctx, who.id, customerId), returnUrl);
  }
}

/** Shown to a user who has never paid. [OP-102] */
const NO_BILLING_ACCOUNT = {
  isSignedIn: true,
  title: 'No billing account yet',
  main: html`<h1>No billing account yet</h1>
<div class="card">
<p class="quiet">Your billing account is created with your first payment. After that, you’ll find your cards
here, and your receipts in your settings.</p>
<p><a class="button" href="/billing">Back to Billing</a></p>
</div>`,
};
