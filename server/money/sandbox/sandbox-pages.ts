import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { html } from '#server/platform/http/html.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import { sendPage } from '#server/platform/http/page/page.ts';

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
    sendPage(reply, ONBOARDING),
  );
}

const BACK = '/earnings?payouts=returned';

const ONBOARDING = {
  isSignedIn: true,
  title: 'Payout set-up (sandbox)',
  main: html`<h1>Payout set-up (sandbox)</h1>
<div class="card">
<p><strong>Sandbox payments: no money moves.</strong></p>
<p class="quiet">With a real payment provider, you would enter your bank account and your documents here. The sandbox asks
for none: choose what the provider finds.</p>
<p id="result" role="alert" class="error" hidden></p>
<div class="actions">
<button class="button" type="button" data-outcome="complete">Everything is complete</button>
<button class="button" type="button" data-outcome="missing">Documents are missing</button>
</div>
<noscript><p class="error">The buttons need JavaScript.</p></noscript>
<p><a href="${BACK}">Back to Earnings</a></p>
</div>`,
  script: `const result = document.getElementById('result');
document.addEventListener('click', async (event) => {
  const outcome = event.target.dataset && event.target.dataset.outcome;
  if (!outcome) return;
  try {
    const answer = await fetch('/api/sandbox/onboarding', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome }),
    });
    if (answer.ok) return location.assign('${BACK}');
    result.textContent = (await answer.json()).message;
  } catch {
    result.textContent = 'The server did not answer. Check your connection and try again.';
  }
  result.hidden = false;
});`,
};

const BILLING_PORTAL = {
  isSignedIn: true,
  title: 'Billing portal (sandbox)',
  main: html`<h1>Billing portal (sandbox)</h1>
<div class="card">
<p><strong>Sandbox payments: no money moves.</strong></p>
<p class="quiet">With a real payment provider, you would manage your cards and receipts here. The sandbox doesn’t store
any.</p>
<p><a class="button" href="/billing">Back to Billing</a></p>
</div>`,
};
