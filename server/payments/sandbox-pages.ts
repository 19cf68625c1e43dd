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

/** Registers the sandbox's stand-in for a payment provider's billing portal. */
export function registerSandboxPages(app: FastifyInstance, ctx: Context): void {
  if (ctx.payments.name !== 'sandbox') return;
  app.get('/api/sandbox/billing-portal', { config: { call: PORTAL } }, (_request, reply) =>
    sendPage(reply, BILLING_PORTAL),
  );
}

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
