import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';

/** What stands where a real provider would open its billing portal. */
export function registerSandboxPages(app: FastifyInstance, ctx: Context): void {
  if (ctx.payments.name !== 'sandbox') return;
  app.get('/api/sandbox/billing-portal', (_request, reply) =>
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(BILLING_PORTAL),
  );
}

const BILLING_PORTAL = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Billing portal (sandbox)</title>
<h1>Billing portal (sandbox)</h1>
<p><strong>Sandbox payments: no money moves.</strong> With a real card provider this page is theirs, and shows the
cards and receipts it keeps for you. The sandbox keeps none.</p>
<p><a href="/settings?tab=billing">Back to the billing settings</a></p>
</html>
`;
