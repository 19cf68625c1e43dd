import type { FastifyInstance, FastifyReply } from 'fastify';
import { actWords, APPEAL_DAYS } from '#domain/operator/acts.ts';
import { appealForm, MAX_APPEAL } from '#domain/operator/forms.ts';
import type { Context } from '#server/platform/context.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import { acceptForms, textarea } from '#server/platform/http/page/form.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { fact, facts, time } from '#server/platform/http/page/parts.ts';
import { signedInUser } from '#server/platform/http/sessions.ts';
import { appeal, appealState, readDecision } from '../decisions/appeals.ts';
import type { ActRow } from '../store.ts';

/** Far more answers than a person sends. */
const ANSWERS_AN_HOUR = { points: 20, seconds: 3600 };

const READ: CallDescription = {
  summary:
    'An operator’s decision with its reasons, for the affected person: signed in, or with the mailed `key`',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

const ANSWER: CallDescription = {
  summary: 'Answers an operator’s decision, once; the body is the form’s (application/x-www-form-urlencoded)',
  access: 'anyone',
  answers: {
    303: 'Back to the page',
    400: 'The form again, with what is missing',
    403: 'Sent from another site',
    ...UNKNOWN,
    409: 'Answered already, or too late',
    429: 'Too many answers from this network',
  },
};

/**
 * Registers `/decision/{publicId}`, where the affected person reads a decision and answers it. The key stands in the query,
 * because logs leave the query out. [OPER-10]
 */
export function registerDecisionPages(app: FastifyInstance, ctx: Context): void {
  app.get('/decision/:publicId', { config: { page: true, call: READ } }, async (request, reply) => {
    const { publicId } = request.params as { publicId: string };
    const key = keyOf(request.query);
    const who = await signedInUser(ctx, request);
    const act = await readDecision(ctx, publicId, { userId: who?.id ?? null, key });
    return sendDecision(ctx, reply, act, { key });
  });

  void app.register(async (scope) => {
    acceptForms(scope);
    scope.post('/decision/:publicId', { config: { page: true, call: ANSWER } }, async (request, reply) => {
      const { publicId } = request.params as { publicId: string };
      const key = keyOf(request.query);
      const who = await signedInUser(ctx, request);
      const act = await readDecision(ctx, publicId, { userId: who?.id ?? null, key });
      const parsed = appealForm.safeParse(request.body ?? {});
      if (!parsed.success)
        return sendDecision(ctx, reply, act, { key, error: parsed.error.issues[0]?.message });
      await ctx.limits('answer-decision', ANSWERS_AN_HOUR)(request.ip);
      await appeal(ctx, act, parsed.data.body);
      return reply.header('cache-control', 'no-store').redirect(addressOf(act, key), 303);
    });
  });
}

function keyOf(query: unknown): string {
  const { key } = query as { key?: unknown };
  return typeof key === 'string' ? key : '';
}

function addressOf({ publicId }: ActRow, key: string): string {
  return `/decision/${publicId}${key === '' ? '' : `?key=${encodeURIComponent(key)}`}`;
}

function sendDecision(
  ctx: Context,
  reply: FastifyReply,
  act: ActRow,
  { key, error }: { key: string; error?: string | undefined },
): FastifyReply {
  void reply.header('referrer-policy', 'same-origin');
  const title = 'Decision of the marketplace operator';
  const page = {
    title: error === undefined ? title : `Error: ${title}`,
    form: true,
    main: html`<h1>${title}</h1>
${facts(
  fact('Decision', html`<bdi>${actWords(act, true)}</bdi>`),
  fact('Date', time(act.actedAt)),
  fact('Reason', html`<bdi>${act.reason}</bdi>`),
  act.appealBody !== null && fact('Your answer', html`<bdi>${act.appealBody}</bdi>`),
  act.outcome !== null &&
    fact(
      act.outcome === 'upheld' ? 'The decision stands' : 'The decision was reversed',
      html`<bdi>${act.answer ?? ''}</bdi>`,
    ),
)}
${stateOf(act, ctx.now(), key, error)}`,
  };
  return sendPage(reply, page, error === undefined ? 200 : 400);
}

function stateOf(act: ActRow, now: Date, key: string, error?: string): Markup | false {
  const state = appealState(act, now);
  if (state === 'waiting')
    return html`<p>We’ve received your answer. The operator decides again and e-mails you the result.</p>`;
  if (state !== 'possible') return false;
  return html`<h2>Answer the decision</h2>
<p class="quiet">A person made this decision. If you disagree, you can answer once within ${APPEAL_DAYS} days. The operator
reads your answer and decides again. You can also turn to a court.</p>
<form method="post" action="${addressOf(act, key)}">
${textarea({ name: 'body', label: 'Why do you disagree?', isRequired: true, max: MAX_APPEAL, error })}<button class="button">Send answer</button>
</form>`;
}
