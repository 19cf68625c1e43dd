import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { html } from '../http/html.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage } from '../http/page.ts';

const PORTAL: CallDescription = {
  summary: 'Stands in for the provider’s billing portal while payments run in the sandbox',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

const ONBOARDING_CALL: CallDescription = {
  summary: 'Stands in for the provider’s onboarding of publishers while payments run in the sandbox',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

/** Registers the sandbox's stand-ins for a payment provider's billing portal and its onboarding of publishers. */
export function registerSandboxPages(app: FastifyInstance, ctx: Context): void {
  if (ctx.payments.name !== 'sandbox') return;
  app.get('/api/sandbox/billing-portal', { config: { call: PORTAL } }, (_request, reply) =>
    sendPage(reply, BILLING_PORTAL),
  );
  app.get('/api/sandbox/onboarding', { config: { call: ONBOARDING_CALL } }, (_request, reply) =>
    sendPage(reply, onboarding(ctx.config.developmentMode)),
  );
}

const onboarding = (canRehearse: boolean) => ({
  title: 'Payout set-up (sandbox)',
  main: html`<h1>Payout set-up (sandbox)</h1>
<div class="card">
<p><strong>Sandbox payments: no money moves.</strong></p>
<p class="quiet">With a real payment provider, you would give your bank account and your documents here. The sandbox asks for
none. ${canRehearse && html`To complete or refuse them, play it in the <a href="/dev/rehearsal">rehearsal</a>.`}</p>
<p><a class="button" href="/settings">Back to settings</a></p>
</div>`,
});

const BILLING_PORTAL = {
  title: 'Billing portal (sandbox)',
  main: html`<h1>Billing portal (sandbox)</h1>
<div class="card">
<p><strong>Sandbox payments: no money moves.</strong></p>
<p class="quiet">With a real payment provider, you would manage your cards and receipts here. The sandbox doesn’t store
any.</p>
<p><a class="button" href="/settings?tab=billing">Back to billing settings</a></p>
</div>`,
};
