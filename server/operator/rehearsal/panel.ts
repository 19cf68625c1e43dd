import { counted } from '#domain/format.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bodyReference } from '#domain/fields.ts';
import { decimalOf } from '#domain/money.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import type { Context } from '#server/platform/context.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { hidden, select } from '#server/platform/http/page/form.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { rows } from '#server/platform/http/page/parts.ts';
import { parseInput } from '#server/platform/http/route.ts';
import { numberOf } from '../people/find.ts';
import { verifySite } from '../decisions/queues.ts';
import { playsOf } from './play.ts';
import { paidAds, payees, unverifiedSites } from './store.ts';

const verifyBody = z.object({ website: bodyReference });

/**
 * `/dev/rehearsal` is a panel over `/dev/clock` and `/dev/sandbox`, for rehearsing payments, refunds and payouts. It
 * can also verify a website, because a made-up domain cannot prove its owner.
 */
export function registerPanel(app: FastifyInstance, ctx: Context): void {
  app.get('/dev/rehearsal', { config: { page: true } }, async (_request, reply) =>
    sendPage(reply, { title: 'Rehearsal', main: await view(ctx), script: SCRIPT, look: 'wide' }),
  );

  app.post('/dev/rehearsal/verify', async (request, reply) => {
    const { website } = parseInput(verifyBody, request.body);
    const named = 'id' in website ? String(website.id) : website.publicId;
    const id = await numberOf(ctx, 'website', named);
    // The panel has no operator's account, like the command line.
    const site = await verifySite(ctx, { id: null }, { id, reason: 'Verified for a rehearsal' });
    return reply.header('cache-control', 'no-store').send({ message: `${site.name} is verified.` });
  });
}

async function view(ctx: Context): Promise<Markup> {
  const inSandbox = isSandbox(ctx.payments);
  const [ads, publishers, sites] = await Promise.all([
    paidAds(ctx.db),
    payees(ctx.db),
    unverifiedSites(ctx.db),
  ]);
  return html`<h1>Rehearsal</h1>
<p><strong>For development only.</strong> Move the marketplace’s clock, and play events such as disputes and failed refunds. ${
    inSandbox
      ? html`Sandbox payments: no money moves.`
      : html`Payments run through Stripe, so play disputes and refunds with Stripe’s own test cards.`
  } The consequences follow within a minute. Read the mail at <a href="/dev/mail">Development mail</a>.</p>
<noscript><p class="error">This page needs JavaScript.</p></noscript>
<p id="result" role="status" class="card result" hidden></p>
<div id="state">
<h2>Clock</h2>
<p>It is <strong>${instantText(ctx.now())}</strong>${
    ctx.clockAheadMs() > 0 && html`, ${aheadText(ctx.clockAheadMs())} ahead of the wall clock`
  }. It can’t go back.</p>
<div class="actions" role="group" aria-label="Move the clock">
${(
  [
    ['+1 hour', 3600],
    ['+1 day', 86_400],
    ['+7 days', 604_800],
  ] as const
).map(
  ([label, seconds]) =>
    html`<form data-to="/dev/clock">${hidden('advance', seconds)}<button class="button" id="clock-${seconds}">${label}</button></form>`,
)}
</div>
${
  inSandbox &&
  html`<h2>Payments</h2>
${rows(
  ads.map(
    ({ id, publicId, title, status, amountCents, currency, email }) =>
      html`<strong dir="auto">${title}</strong>
<span class="quiet">${status}, ${decimalOf(amountCents)} ${currency}, paid by ${email}</span>
${playForm(`payment-${id}`, 'ad', publicId, title)}`,
  ),
  'No ad has been paid for yet. Approve one and pay for it with a test card.',
)}
<h2>Publishers with payouts</h2>
${rows(
  publishers.map(
    ({ id, email, state }) =>
      html`<strong>${email}</strong> <span class="quiet">Payouts: ${state}</span>
${playForm(`user-${id}`, 'user', String(id), email)}`,
  ),
  'No publisher has begun to set up payouts. Sign in as a publisher and set them up.',
)}`
}
<h2>Unverified websites</h2>
${rows(
  sites.map(
    ({ id, publicId, name, url, email }) =>
      html`<strong dir="auto">${name}</strong> <span class="quiet">${url}, ${email}</span>
<form data-to="/dev/rehearsal/verify">${hidden('website', publicId)}<button class="button" id="site-${id}" aria-label="Mark as verified: ${name}">Mark as verified</button></form>`,
  ),
  'Every website is verified.',
)}
</div>`;
}

function playForm(id: string, subject: 'ad' | 'user', named: string, title: string): Markup {
  return html`<form class="search" data-to="/dev/sandbox">${hidden(subject, named)}${select({
    id,
    name: 'play',
    label: 'What happens',
    options: playsOf(subject).map(({ name, label }) => [name, label]),
  })}<button class="button" id="${id}-play" aria-label="Play: ${title}">Play</button></form>`;
}

/** '9 days', '2 days 3 hours', '40 minutes' */
function aheadText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const named = parts.flatMap(([n, unit]) => (n === 0 ? [] : [counted(n, unit)]));
  return named.slice(0, 2).join(' ') || 'a moment';
}

/**
 * Sends each form as JSON, shows the answer, and shows the page as it is afterwards. The focus and the choices in the other
 * forms stay.
 */
const SCRIPT = `const result = document.getElementById('result');
function show(text, isError) {
  result.hidden = false;
  result.textContent = text;
  result.classList.toggle('error', isError);
}
async function send(form) {
  const body = Object.fromEntries(new FormData(form));
  if ('advance' in body) body.advance = Number(body.advance);
  const answer = await fetch(form.dataset.to, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) return show(said.message, true);
  show(said.message || 'The clock is now at ' + said.now.replace('T', ' ').slice(0, 16) + ' UTC.', false);
  await refresh();
}
async function refresh() {
  const answer = await fetch('/dev/rehearsal');
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const chosen = [...document.querySelectorAll('select')].map((each) => [each.id, each.value]);
  const focused = document.activeElement && document.activeElement.id;
  document.getElementById('state').replaceWith(page.getElementById('state'));
  for (const [id, value] of chosen) {
    const select = document.getElementById(id);
    if (select) select.value = value;
  }
  const again = focused && document.getElementById(focused);
  if (again) again.focus();
  else if (focused) result.focus();
}
result.tabIndex = -1;
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.dataset.to) return;
  event.preventDefault();
  const button = form.querySelector('button');
  if (button.getAttribute('aria-disabled')) return;
  button.setAttribute('aria-disabled', 'true');
  send(form)
    .catch(() => show('The server didn’t answer. Check that it’s running, and try again.', true))
    .finally(() => button.removeAttribute('aria-disabled'));
});`;
