import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { holds, type Right, ROLE_WORDS } from '#domain/operator/rights.ts';
import type { Context } from '#server/platform/context.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { acceptFileForms, acceptForms, readFileForm } from '#server/platform/http/forms.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { UNKNOWN } from '#server/platform/http/openapi.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { readOutbound } from '#server/platform/outbound/wait.ts';
import { presentAlarms, type Alarm } from '#server/money/books/alarms.ts';
import { admit, isConfirmed, toSignIn, type Visit } from '../admit.ts';
import { confirmPage, targetOf } from './confirm-page.ts';
import { groupsOf, pagesOf } from './menu.ts';
import { outboundBar } from './outbound-pages.ts';

/** A page of the console. `problem` is a refusal of the form that led back to it. */
export type ConsolePage = { title: string; main: Markup; video?: boolean; script?: string; style?: string };

/** `refuse` sends the answer. The reply itself cannot be returned by an async function, because it is thenable. */
type Arrival = { visit: Visit } | { refuse: (reply: FastifyReply) => FastifyReply };

const READ = {
  access: 'operator' as const,
  answers: {
    200: 'A page',
    303: 'To the sign-in, without a session',
    403: 'Asks for a code or a passkey, after a sign-in with a password alone',
    ...UNKNOWN,
  },
};
const CHANGE = {
  access: 'operator' as const,
  answers: {
    200: 'The page with what was typed, if the form is only a preview',
    303: 'Back to the page, or to the second factor if the act needs it again',
    400: 'The page again, with what is missing',
    403: 'Sent from another site, by a session that neither a code nor a passkey opened, or without the right',
    ...UNKNOWN,
    409: 'The page again, with why the act is refused',
  },
};

/**
 * The work of a form. `act` returns the address that the browser opens next, or null to show the page with what was typed. If it
 * is refused, `show` shows the page again with the reason. For a dangerous act, `dangerous` returns the page to which
 * the operator returns after a fresh confirmation. `confirms`: the form takes the code that opens the console. `right`:
 * what the operator needs for it. `at`: the path of the page that has the form, for the menu. `isLarge`: the body is read
 * only after the operator was admitted.
 */
type FormHandlers = {
  dangerous?: (visit: Visit) => string | null;
  confirms?: boolean;
  bodyLimit?: number;
  isLarge?: boolean;
  at?: string;
  right: Right | null;
  act: (visit: Visit) => Promise<string | null>;
  show: (visit: Visit) => Promise<ConsolePage>;
};

type ServedFile = { name: string; body: string | Buffer };

/** Registers pages and forms of the console. Every one of them admits operators only. */
export function createConsole(app: FastifyInstance, ctx: Context) {
  const bars = async () => await barsOf(ctx);

  /** All forms share one scope, because each scope delays the start of the server. */
  const forms: ((scope: FastifyInstance) => void)[] = [];
  void app.register(async (scope) => {
    acceptForms(scope);
    acceptFileForms(scope);
    for (const register of forms) register(scope);
  });

  return {
    page(path: string, summary: string, show: (visit: Visit) => Promise<ConsolePage>): void {
      app.get(path, { config: { page: true, call: { summary, ...READ } } }, async (request, reply) => {
        const arrival = await arrive(ctx, request);
        if ('refuse' in arrival) return arrival.refuse(reply);
        return send(reply, await show(arrival.visit), { at: path, bars: await bars() });
      });
    },

    /** A file. `read` returns its name and what it holds. */
    file(path: string, summary: string, type: string, read: (visit: Visit) => Promise<ServedFile>): void {
      app.get(path, { config: { page: true, call: { summary, ...READ } } }, async (request, reply) => {
        const arrival = await arrive(ctx, request);
        if ('refuse' in arrival) return arrival.refuse(reply);
        const { name, body } = await read(arrival.visit);
        return reply
          .header('cache-control', 'no-store')
          .header('content-disposition', `attachment; filename="${name}"`)
          .type(type)
          .send(body);
      });
    },

    form(path: string, summary: string, handlers: FormHandlers): void {
      forms.push((scope) => {
        const { bodyLimit, isLarge = false, at = path } = handlers;
        const form = { ...handlers, at };
        const options = {
          config: { page: true, call: { summary, ...CHANGE, right: handlers.right } },
          ...(bodyLimit && { bodyLimit }),
          ...(isLarge && { onRequest: async (...call: Call) => await refuseEarly(ctx, call, form) }),
        };
        scope.post(path, options, async (...call) => await answerForm(ctx, call, form));
      });
    },
  };
}
export type Console = ReturnType<typeof createConsole>;

export function confirmAddress(from: string): string {
  return `/operator/confirm?${new URLSearchParams({ to: from }).toString()}`;
}

type Call = [request: FastifyRequest, reply: FastifyReply];
type PlacedForm = FormHandlers & { at: string };

/** The visit of an operator who may send the form now. */
async function arriveAt(ctx: Context, request: FastifyRequest, handlers: PlacedForm): Promise<Arrival> {
  const arrival = await arrive(ctx, request, handlers);
  if ('refuse' in arrival) return arrival;
  const { visit } = arrival;
  if (handlers.right !== null && !holds(visit.operator.role, handlers.right)) {
    const [view, bars] = [await handlers.show(visit), await barsOf(ctx)];
    const problem = `Your role doesn’t allow this. ${ROLE_WORDS[visit.operator.role]}.`;
    return { refuse: (reply) => send(reply, view, { at: handlers.at, problem, status: 403, bars }) };
  }
  const from = visit.confirmed ? null : (handlers.dangerous?.(visit) ?? null);
  return from === null ? arrival : { refuse: (reply) => go(reply, confirmAddress(from)) };
}

/** Answers before the body is read, unless the operator may send it. */
async function refuseEarly(
  ctx: Context,
  [request, reply]: Call,
  form: PlacedForm,
): Promise<FastifyReply | undefined> {
  const arrival = await arriveAt(ctx, request, form);
  return 'refuse' in arrival ? arrival.refuse(reply) : undefined;
}

async function answerForm(ctx: Context, [request, reply]: Call, form: PlacedForm): Promise<FastifyReply> {
  const arrival = await arriveAt(ctx, request, form);
  if ('refuse' in arrival) return arrival.refuse(reply);
  const { visit } = arrival;
  const { at, ...handlers } = form;
  try {
    const next = await handlers.act(visit);
    if (next !== null) return go(reply, next);
    return send(reply, await handlers.show(visit), { at, bars: await barsOf(ctx) });
  } catch (error) {
    if (!(error instanceof HttpError) || ![400, 403, 409].includes(error.status)) throw error;
    return send(reply, await handlers.show(visit), {
      at,
      problem: error.message,
      status: error.status,
      bars: await barsOf(ctx),
    });
  }
}

async function arrive(ctx: Context, request: FastifyRequest, { confirms = false } = {}): Promise<Arrival> {
  const admission = await admit(ctx, request);
  if (admission.kind === 'visitor') return { refuse: (reply) => toSignIn(request, reply) };
  const { kind, operator } = admission;
  if (kind === 'unconfirmed' && !confirms) {
    const page = await confirmPage(ctx, operator, { to: targetOf(request.url), isFirst: true });
    return { refuse: (reply) => send(reply, page ?? NO_SECOND_FACTOR, { menu: false, status: 403 }) };
  }
  return {
    visit: {
      operator,
      params: texts(request.params),
      query: texts(request.query),
      ...(await bodyOf(request)),
      confirmed: isConfirmed(ctx, request),
      request,
    },
  };
}

async function barsOf(ctx: Context): Promise<Markup> {
  return html`${outboundBar(await readOutbound(ctx.db))}${alarmBar(await presentAlarms(ctx))}`;
}

function go(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(address, 303);
}

async function bodyOf({ body, headers }: FastifyRequest): Promise<Pick<Visit, 'body' | 'file'>> {
  if (!Buffer.isBuffer(body)) return { body: texts(body) };
  const { fields, file } = await readFileForm(headers['content-type'] ?? '', Buffer.from(body));
  return { body: texts(fields), ...(file && { file }) };
}

/** The string fields of a query, form or path. PostgreSQL's text cannot hold U+0000. */
function texts(fields: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.replaceAll('\0', '')]] : [],
    ),
  );
}

function send(
  reply: FastifyReply,
  { title, main, video = false, script, style }: ConsolePage,
  options: { at?: string; problem?: string; menu?: boolean; status?: number; bars?: Markup | false },
): FastifyReply {
  const { at = '', problem, menu = true, status = 200, bars = false } = options;
  // Other pages must not learn from the referrer what an operator looks at.
  void reply.header('referrer-policy', 'same-origin');
  const page = {
    title: problem === undefined ? title : `Error: ${title}`,
    look: 'console' as const,
    isSignedIn: true,
    form: true,
    video,
    ...(script !== undefined && { script }),
    ...(style !== undefined && { style }),
    ...(menu && { nav: groupsOf(at) }),
    main: html`${menu && pagesOf(at)}${bars}${problem !== undefined && html`<p class="error" role="alert">${problem}</p>`}${main}`,
  };
  return sendPage(reply, page, status);
}

const NO_SECOND_FACTOR: ConsolePage = {
  title: 'Set up two-step verification',
  main: html`<h1>Set up two-step verification</h1>
<div class="card">
<p>You’re an operator. The console opens as soon as you turn on two-step verification with an authenticator app. You can also add a passkey there, and then sign in with it.</p>
<p><a class="button" href="/settings?tab=security">Open Settings › Security</a></p>
</div>`,
};

// The bar about alarms.

/** More alarms than this would push the page out of sight. `openslot doctor` and the mails name all of them. */
const MAX_SHOWN = 5;

/** Stands above every page of the console while there are alarms. [OWNS-30] */
export function alarmBar(alarms: readonly Alarm[]): Markup | false {
  const more = alarms.length - MAX_SHOWN;
  return (
    alarms.length > 0 &&
    html`<section class="notice" aria-label="Alarms">
${alarms.slice(0, MAX_SHOWN).map(
  ({ title, text, action }) =>
    html`<p><strong>${title}.</strong> ${text} <a href="${action.path}">${action.label}</a></p>
`,
)}${more > 0 && html`<p class="quiet">And ${String(more)} more: run <code>openslot doctor</code>.</p>`}</section>
`
  );
}
