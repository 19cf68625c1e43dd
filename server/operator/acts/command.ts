/** Types and helpers that the commands of `openslot` share. */
import { type Subject, SUBJECTS } from '#domain/operator/acts.ts';
import type { z } from 'zod';
import type { Context } from '#server/platform/context.ts';
import type { Page } from '#server/platform/http/route.ts';
import type { Operator } from '../act.ts';

/** The command line cannot be understood. Nothing was done. */
export class UsageError extends Error {}

export type Options = {
  reason?: string | undefined;
  cursor?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  amount?: string | undefined;
  role?: string | undefined;
  until?: string | undefined;
  mail?: boolean | undefined;
  failed?: boolean | undefined;
  days?: string | undefined;
  day?: string | undefined;
  year?: string | undefined;
  dir?: string | undefined;
  toDir?: string | undefined;
  format?: string | undefined;
  timeZone?: string | undefined;
  keep?: string | undefined;
  scratch?: string | undefined;
  programs?: string | undefined;
  deliveryUrl?: string | undefined;
  unlessSince?: string | undefined;
  send?: boolean | undefined;
  all?: boolean | undefined;
  lost?: boolean | undefined;
  dryRun: boolean;
};

/** `json` is printed with --json, `lines` without. `refused` sets the exit code 1 for a check that found problems. */
export type Outcome = { json: unknown; lines: string[]; refused?: boolean };

export type Input = { ctx: Context; operator: Operator; args: string[]; options: Options };
export type Command = { usage: string; summary: string; run: (input: Input) => Promise<Outcome> };

/** Parses with a form's schema. A wrong value is wrong usage. */
export function read<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`--${String(issue?.path[0] ?? 'value')}: ${issue?.message}.`.replace('..', '.'));
}

export function subjectOf(word: string | undefined): Subject {
  const subject = SUBJECTS.find((each) => each === word);
  if (!subject) throw new UsageError(`Expected one of ${SUBJECTS.join(', ')} instead of “${word ?? ''}”.`);
  return subject;
}

/** A page of a list. The last line says how to read on. */
export function listed<Item>(page: Page<Item>, line: (item: Item) => string, none: string): Outcome {
  const lines = page.items.length === 0 ? [none] : page.items.map(line);
  return { json: page, lines: page.next === null ? lines : [...lines, `More: --cursor ${page.next}`] };
}

export function done({ options }: Input, json: object, line: string): Outcome {
  return {
    json: { ...json, dryRun: options.dryRun },
    lines: [options.dryRun ? `Dry run, nothing was changed: ${line}` : line],
  };
}

export const at = (instant: Date) => instant.toISOString().replace(/\.\d+Z$/, 'Z');
