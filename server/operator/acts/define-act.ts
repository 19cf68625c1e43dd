/**
 * An act of an operator, as one row. Its form in the console with the route, the command of `openslot` with the usage line,
 * and the rows of acts.test.ts follow from it.
 */
import type { Right } from '#domain/operator/rights.ts';
import type { z } from 'zod';
import type { Context } from '#server/platform/context.ts';
import type { Operator } from '../act.ts';
import { type Command, done, type Input, read as readOptions } from './command.ts';
import type { Visit } from '../admit.ts';
import { rowNumber } from '#domain/operator/forms.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';

/** The console's pages that have forms. pages.ts has their views. */
export type PageName =
  | 'person'
  | 'website'
  | 'zone'
  | 'ad'
  | 'appeal'
  | 'claims'
  | 'withdrawals'
  | 'newWebsites'
  | 'mail'
  | 'jobs'
  | 'operators'
  | 'requests'
  | 'money'
  | 'books'
  | 'bank'
  | 'evidence'
  | 'outbound'
  | 'settings'
  | 'pages'
  | 'page'
  | 'announcement'
  | 'faults';

/** The target of an act, and how a form and a command name it. act-targets.ts has all kinds. */
export type TargetKind<Target> = {
  /** The word of the usage line, such as 'AD'. */
  takes: string;
  /** Throws 404 if the path of the form can name nothing. */
  inPath: (visit: Visit, page: PageName) => Target;
  /** Throws UsageError or 404. */
  inWords: (input: Input) => Target | Promise<Target>;
};

type Form<Answer> = {
  /** Its route, such as '/operator/ads/:id/take-down'. */
  path: string;
  /** The page with the form. A refusal shows that page again. */
  page: PageName;
  button: string;
  /** The form's heading. Without it, the heading is the text of the button. */
  title?: string;
  note?: string;
  /** A session that was confirmed more than 15 minutes ago has to be confirmed again. */
  dangerous?: boolean;
  /** The most bytes that may be sent, where the usual limit is too small. */
  bodyLimit?: number;
  /** The page that opens afterwards, if it is not the page with the form. */
  next?: (answer: Answer, visit: Visit, ctx: Context) => string | null | Promise<string | null>;
};

type Row<Target, Fields, Answer> = {
  summary: string;
  /** The right that an operator needs for it in the console. */
  right: Right;
  of: TargetKind<Target>;
  /** The fields of the form, which are options or words of the command. */
  fields: z.ZodType<Fields>;
  run: (ctx: Context, operator: Operator, asked: Target & Fields) => Promise<Answer>;
  /** Empty for an act that only the command line has. */
  forms: Form<Answer>[];
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

export type ActForm = Omit<Form<never>, 'next'> & {
  summary: string;
  right: Right;
  /** Returns the address of the page that opens next; null for the page with the form. */
  act: (ctx: Context, visit: Visit) => Promise<string | null>;
};
export type OperatorAct = { forms: ActForm[]; commands: Record<string, Command> };

export function defineAct<Target extends object, Fields extends object, Answer extends object | void>(
  row: Row<Target, Fields, Answer>,
): OperatorAct {
  const { summary, right, of, fields, run, forms, command } = row;
  return {
    forms: forms.map(({ next, ...form }) => ({
      ...form,
      summary,
      right,
      act: async (ctx, visit) => {
        const asked = { ...of.inPath(visit, form.page), ...readForm(fields, visit.body) };
        const answer = await run(ctx, visit.operator, asked);
        return (await next?.(answer, visit, ctx)) ?? null;
      },
    })),
    commands: command === null ? {} : { [command.words]: commandOf(row, command) },
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

/** The act's form on this page, or its only form. */
export function formOf({ forms }: OperatorAct, page?: PageName): ActForm {
  const form = page === undefined ? forms[0] : forms.find((each) => each.page === page);
  if (!form)
    throw new Error(`This act has no form in the console${page === undefined ? '' : ` on the page ${page}`}`);
  return form;
}

/** The address to which a form is sent. `ids` are the parts of its path that stand for something. */
export function addressOf({ path }: ActForm, ids: Record<string, string | number>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(ids[name])));
}

/** Reads a form's fields. Throws 400 with the message of the first wrong one. */
export function readForm<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues[0]?.message ?? 'Invalid input');
}

/** The number in the path. Throws 404 if no row can have it. */
export function idOf({ params }: Visit): number {
  const id = rowNumber(params['id'] ?? '');
  if (id === null) throw notFound();
  return id;
}
