import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { getStatement } from '#domain/payments/statement-contract.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { html } from '#server/platform/http/html.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { input, select } from '#server/platform/http/page/form.ts';
import { type ServerPage, sendPage } from '#server/platform/http/page/page.ts';
import { parseInput } from '#server/platform/http/route.ts';
import { admitUser } from '#server/platform/http/who-may-call.ts';
import { statementCsv } from './statement.ts';

const STATEMENT_CSV: CallDescription = {
  summary: 'Your statement of a month as comma-separated values',
  access: 'user',
  right: 'money',
  whileSuspended: true,
  notInView: true,
  answers: { 200: 'RFC 4180', 401: 'No session', 404: 'A month to come' },
};

/** Registers statements as files, and the page and the script that check them. [STMT-01] [LOGS-06] */
export function registerLedgerPages(app: FastifyInstance, ctx: Context): void {
  app.get<{ Params: { month: string } }>(
    '/api/statements/:month.csv',
    { config: { call: STATEMENT_CSV } },
    async (request, reply) => {
      const who = await admitUser(ctx, request);
      const month = getStatement.params?.safeParse(request.params);
      if (!month?.success) throw notFound();
      const { side } = parseInput(
        getStatement.query as NonNullable<typeof getStatement.query>,
        request.query,
      );
      const csv = await statementCsv(ctx, who, month.data.month, side);
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="openslot-${month.data.month}.csv"`)
        .type('text/csv; charset=utf-8')
        .send(csv);
    },
  );

  const script = readFileSync(path.join(import.meta.dirname, '../../../scripts/verify-ledger.mjs'), 'utf8');
  app.get('/verify-ledger.mjs', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(script),
  );
  app.get('/verify-ledger', (_request, reply) => sendPage(reply, pageOf(script)));
}

/** Runs the script of the command line on chosen files, or on the statement of a month. */
const PAGE_SCRIPT = `
const form = document.querySelector('form');
const list = document.querySelector('output ol');
const state = document.querySelector('output p');

async function show(files) {
  list.replaceChildren();
  list.parentElement.hidden = false;
  state.textContent = 'Checking…';
  try {
    const findings = await verifyLedger(await files());
    const wrong = findings.filter(({ holds }) => !holds).length;
    state.textContent = wrong === 0 ? 'Everything holds.' : wrong + ' of ' + findings.length + ' checks failed.';
    list.append(...findings.map(({ holds, text }) => {
      const item = document.createElement('li');
      item.textContent = (holds ? '✓ ' : '✗ ') + text;
      if (!holds) item.className = 'error';
      return item;
    }));
  } catch (error) {
    state.textContent = error.message;
  }
}

async function answerOf(address) {
  const answer = await fetch(address);
  const body = await answer.json();
  if (answer.status === 401) throw new Error('Sign in first, so that your statement can be read.');
  if (!answer.ok) throw new Error(body.message);
  return body;
}

async function statementOf(month, side) {
  const pages = [];
  for (let cursor = ''; cursor !== null; cursor = pages.at(-1).next) {
    const query = new URLSearchParams({ side, ...(cursor && { cursor }) });
    pages.push(await answerOf('/api/statements/' + encodeURIComponent(month) + '?' + query));
  }
  return { ...pages[0], lines: pages.flatMap(({ lines }) => lines), next: null };
}

const asked = new URLSearchParams(location.search);
form.month.value = asked.get('month') ?? new Date().toISOString().slice(0, 7);
form.side.value = asked.get('side') === 'buyer' ? 'buyer' : 'publisher';
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show(async () => [await statementOf(form.month.value, form.side.value), await answerOf('/.well-known/openslot-ledger')]);
});
form.files.addEventListener('change', () => {
  void show(async () => {
    const texts = await Promise.all([...form.files.files].map(async (file) => [file.name, await file.text()]));
    return texts.map(([name, text]) => {
      try {
        return JSON.parse(text);
      } catch {
        throw new Error(name + ' is not one of the saved answers.');
      }
    });
  });
});
`;

function pageOf(verifier: string): ServerPage {
  return {
    title: 'Check the ledger',
    isPublic: true,
    found: {
      description:
        'How to check statements of this marketplace against its public log, without trusting its operator.',
    },
    form: true,
    script: verifier + PAGE_SCRIPT,
    main: html`<h1>Check the ledger</h1>
<p>Every amount that this marketplace books is a line of a log. Once a day the server signs the hash of the whole log. Each
line of your statement comes with a proof that leads to such a signed root. If a line were changed or removed afterwards,
even by the operator, its proof would no longer fit.</p>
<form class="card">
${input({
  name: 'month',
  label: 'Month',
  type: 'month',
  isRequired: true,
  hint: 'Your own statement, which needs you to be signed in. Lines of today are signed at midnight, UTC.',
  more: html`pattern="\\d{4}-\\d{2}" placeholder="2026-11"`,
})}${select({
      name: 'side',
      label: 'Side',
      options: [
        ['publisher', 'Publisher'],
        ['buyer', 'Advertiser'],
      ],
    })}<button class="button">Check my statement</button>
${input({
  name: 'files',
  label: 'Saved answers',
  type: 'file',
  hint: 'They are checked in your browser and not uploaded.',
  more: html`accept=".json,application/json" multiple`,
})}<output hidden><p class="quiet"></p><ol></ol></output>
</form>
<h2>Without this page</h2>
<p>Save these answers, and check them offline with <a href="/verify-ledger.mjs" download>verify-ledger.mjs</a>, which needs
only Node.js:</p>
<ul>
<li><code>/api/statements/2026-11</code>: your statement of a month</li>
<li><code>/api/documents/R-2026-000001/proof</code>: one of your documents with its proof</li>
<li><a href="/.well-known/openslot-ledger"><code>/.well-known/openslot-ledger</code></a>: the newest signed root; with
<code>?day=2026-11-01</code>, that of a day</li>
<li><code>/.well-known/openslot-ledger?from=100&amp;to=200</code>: the proof that the log of 200 lines begins with that of
100 lines</li>
</ul>
<pre>node verify-ledger.mjs statement.json root.json older-root.json consistency.json</pre>
<p>Keep an old root. If it still fits the newest one, nothing before it was rewritten.</p>`,
  };
}
