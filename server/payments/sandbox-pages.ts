import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage } from '../http/page.ts';

const PORTAL: CallDescription = {
  summary: 'Stands in for the provider’s billing portal while payments run in the sandbox',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

/** Registers the page that replaces a real provider's billing portal while payments run in the sandbox. */
export function registerSandboxPages(app: FastifyInstance, ctx: Context): void {
  if (ctx.payments.name !== 'sandbox') return;
  app.get('/api/sandbox/billing-portal', { config: { call: PORTAL } }, (_request, reply) =>
    sendPage(reply, BILLING_PORTAL),
  );
}

const BILLING_PORTAL = {
  title: 'Billing portal (sandbox)',
  main: `<h1>Billing portal (sandbox)</h1>
<div class="card">
<p><strong>Sandbox payments: no money moves.</strong></p>
<p class="quiet">With a real card provider this page is theirs, and shows the cards and receipts it keeps for you. The
sandbox keeps none.</p>
<p><a class="button" href="/settings?tab=billing">Back to the billing settings</a></p>
</div>`,
};
