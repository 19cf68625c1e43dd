/**
 * An act of an operator, as one row. Its sheet and its call in the console, the command of `openslot` with the usage line,
 * and the rows of acts.test.ts follow from it.
 */
import { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';
import {
  type ActDone,
  actDone,
  type ActField,
  type OfferedAct,
} from '#domain/operator/console/act-contract.ts';
import { CONSEQUENCE } from '#domain/operator/limits.ts';
import { rowNumber } from '#domain/operator/forms.ts';
import { holds, type Right } from '#domain/operator/rights.ts';
import type { Context } from '#server/platform/context.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import type { Route } from '#server/platform/http/route.ts';
import { sessionOf } from '#server/platform/http/sessions.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import type { Operator } from '../act.ts';
import { type Command, done, type Input, read as readOptions } from './command.ts';

/** What a call of the console sends: the parts of its path, and its body. */
export type Sent = { params: Record<string, string>; body: Record<string, unknown> };

/** The target of an act, and how a call and a command name it. act-targets.ts has all kinds. */
export type TargetKind<Target> = {
  /** The word of the usage line, such as 'AD'. */
  takes: string;
  /** The fields of the body that belong to the target, such as the text of a page. */
  body?: z.ZodRawShape;
  /** Throws 404 if the path can name nothing. `path` is that of the form, such as '/operator/people/:id/hold'. */
  inCall: (sent: Sent, path: string) => Target;
  /** Throws UsageError or 404. */
  inWords: (input: Input) => Target | Promise<Target>;
};

type Form<Target, Fields, Answer> = {
  /** Its address, such as '/operator/ads/:id/take-down'. The call is below /api. */
  path: string;
  button: string;
  /** The heading of its sheet. By default it is the text of the button. */
  title?: string;
  /** The words of the button in the sheet, in which {amount} stands for that field. By default those of the button. */
  confirm?: string;
  /** What the act does, as far as that is always the same. */
  note?: string;
  /**
   * What it does and costs now. An operator who has read something else than what is true when the act comes is asked
   * again.
   */
  consequence?: (ctx: Context, target: Target) => Promise<string>;
  /** A session that was confirmed more than 15 minutes ago has to be confirmed again. */
  dangerous?: boolean;
  /** It can't be undone, or takes something away. By default, what is dangerous is. */
  harmful?: boolean;
  /** By default an act needs a reason. */
  reason?: 'optional' | 'none';
  /** Reasons that operators often give. */
  reasons?: readonly string[];
  /** The most bytes that may be sent, where the usual limit is too small. */
  bodyLimit?: number;
  /** The sentence for the operator after the act. By default it is that of the command. */
  says?: (answer: Answer, asked: Target & Fields, ctx: Context) => string;
  /** The page that opens afterwards, if it is not the page with the form. */
  next?: (answer: Answer, operator: OperatorCaller, ctx: Context) => string | null | Promise<string | null>;
};

type Row<Target, Fields, Answer> = {
  summary: string;
  /** The right that an operator needs for it in the console. */
  right: Right;
  of: TargetKind<Target>;
  /** The fields of the form, which are options or words of the command. */
  fields: z.ZodObject & z.ZodType<Fields>;
  run: (ctx: Context, operator: Operator, asked: Target & Fields) => Promise<Answer>;
  /** Empty for an act that only the command line has. */
  forms: Form<Target, Fields, Answer>[];
  /** Null for an act that only the console has. */
  command: {
    words: string;
    /** The words of the usage line after the target. */
    takes?: string;
    /** The fields that are words instead of options. */
    fields?: (args: string[]) => Record<string, string | undefined>;
    /** A reason that may be left out, or null if the act takes none. */
    reason?: string | null;
    says: (answer: Answer, asked: Target & Fields, ctx: Context) => string;
    /** The output of --json. By default it is the answer, or the request if the use case returns nothing. */
    json?: (answer: Answer, asked: Target & Fields, ctx: Context) => object;
  } | null;
};

export type ActForm = {
  path: string;
  right: Right;
  isDangerous: boolean;
  /** The call of the console. */
  route: Route;
  /** Null for an operator without the right. `ids` are the parts of the path that stand for something. */
  offer: (ctx: Context, operator: OperatorCaller, offered?: Offered) => Promise<OfferedAct | null>;
};
export type OperatorAct = { forms: ActForm[]; commands: Record<string, Command> };

/** What the page knows of an act that it offers. */
type Offered = {
  ids?: Record<string, string | number>;
  fields?: readonly (Pick<ActField, 'name' | 'label'> & Partial<ActField>)[];
  hidden?: Record<string, string>;
  /** In place of those of the form, in a list whose entries differ. */
  button?: string;
  confirm?: string;
};

export function defineAct<Target extends object, Fields extends object, Answer extends object | void>(
  row: Row<Target, Fields, Answer>,
): OperatorAct {
  const { command } = row;
  return {
    forms: row.forms.map((form) => ({
      path: form.path,
      right: row.right,
      isDangerous: form.dangerous ?? false,
      route: routeOf(row, form),
      offer: async (ctx, operator, offered = {}) =>
        holds(operator.role, row.right) ? await offerOf(ctx, row, form, offered) : null,
    })),
    commands: command === null ? {} : { [command.words]: commandOf(row, command) },
  };
}

async function offerOf<Target extends object, Fields, Answer>(
  ctx: Context,
  { of }: Pick<Row<Target, Fields, Answer>, 'of'>,
  form: Form<Target, Fields, Answer>,
  { ids = {}, fields = [], hidden = {}, button = form.button, confirm = form.confirm }: Offered,
): Promise<OfferedAct> {
  const params = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]));
  const consequence = await form.consequence?.(ctx, of.inCall({ params, body: {} }, form.path));
  return {
    path: `/api${addressOf(form, ids)}`,
    title: form.title ?? button,
    button,
    confirm: confirm ?? button,
    consequence: consequence ?? form.note ?? null,
    isHarmful: form.harmful ?? form.dangerous ?? false,
    reason: form.reason ?? 'required',
    reasons: [...(form.reasons ?? [])],
    fields: fields.map((field) => ({
      kind: 'text',
      value: '',
      isRequired: false,
      max: null,
      hint: null,
      choices: [],
      ...field,
    })),
    hidden,
  };
}

/** An answer of an act that a second operator has to confirm. */
const WAITS = 'Nothing has happened yet: another operator has to confirm it.';
const isWaiting = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'waits' in answer && answer.waits === true;

function routeOf<Target extends object, Fields extends object, Answer extends object | void>(
  { summary, right, of, fields, run, command }: Row<Target, Fields, Answer>,
  form: Form<Target, Fields, Answer>,
): Route {
  const { path, consequence, dangerous = false, bodyLimit, next, says = command?.says } = form;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  const body = z.object({ ...of.body, ...fields.shape, [CONSEQUENCE]: z.string().max(2000).optional() });
  const endpoint: Endpoint = {
    method: 'POST',
    path: `/api${path}`,
    summary,
    ...(names.length > 0 && { params }),
    body,
    reply: actDone,
  };
  return {
    access: 'operator',
    right,
    ...(dangerous && { confirmed: true }),
    ...(bodyLimit !== undefined && { bodyLimit }),
    endpoint,
    handle: async (ctx, who, input, request): Promise<ActDone> => {
      const operator = { ...(who as unknown as OperatorCaller), session: sessionOf(request).publicId };
      const sent = input as unknown as Sent;
      const target = of.inCall({ params: sent.params ?? {}, body: sent.body }, path);
      const read = sent.body[CONSEQUENCE];
      const present = read === undefined ? read : await consequence?.(ctx, target);
      if (present !== undefined && present !== read)
        throw conflict(`This has changed since you read it: ${present}`, { [CONSEQUENCE]: present });
      // The schema of the body has parsed the fields. The target has what it made of its part of the body.
      const asked = { ...(sent.body as Fields), ...target };
      const answer = await run(ctx, operator, asked);
      return {
        said: isWaiting(answer) ? WAITS : (says?.(answer, asked, ctx) ?? 'Done.'),
        next: (await next?.(answer, operator, ctx)) ?? null,
      };
    },
  };
}

function commandOf<Target extends object, Fields extends object, Answer extends object | void>(
  { summary, of, fields, run }: Row<Target, Fields, Answer>,
  { takes = '', fields: fieldsIn, reason, says, json }: NonNullable<Row<Target, Fields, Answer>['command']>,
): Command {
  const takesReason = reason === undefined ? '--reason TEXT' : reason === null ? '' : '[--reason TEXT]';
  return {
    usage: [of.takes, takes, takesReason].filter((part) => part !== '').join(' '),
    summary,
    run: async (input) => {
      const { ctx, operator, args, options } = input;
      const given = readOptions(fields, {
        ...fieldsIn?.(args),
        amount: options.amount,
        ...(options.role !== undefined && { role: options.role }),
        ...(options.until !== undefined && { until: options.until }),
        ...(options.mail === true && { mail: 'yes' }),
        reason: options.reason ?? reason ?? undefined,
      });
      const asked = { ...(await of.inWords(input)), ...given };
      const answer = await run(ctx, operator, asked);
      return done(input, json?.(answer, asked, ctx) ?? answer ?? asked, says(answer, asked, ctx));
    },
  };
}

/** The form of an act with one, or with this path. */
export function formOf({ forms }: OperatorAct, path?: string): ActForm {
  const form = path === undefined ? forms[0] : forms.find((each) => each.path === path);
  if (!form) throw new Error(`This act has no form in the console${path === undefined ? '' : ` at ${path}`}`);
  return form;
}

/** The acts that the operator may do, of those that a page offers. */
export async function offers(acts: readonly (Promise<OfferedAct | null> | false)[]): Promise<OfferedAct[]> {
  const all = await Promise.all(acts.filter((act) => act !== false));
  return all.filter((act) => act !== null);
}

/** The address of a form. `ids` are the parts of its path that stand for something. */
export function addressOf({ path }: { path: string }, ids: Record<string, string | number>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(ids[name])));
}

/** The number in the path. Throws 404 if no row can have it. */
export function idIn({ params }: Sent): number {
  const id = rowNumber(params['id'] ?? '');
  if (id === null) throw notFound();
  return id;
}
