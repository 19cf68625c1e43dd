import { SUBJECT_WORDS, type Subject } from '#domain/operator/acts.ts';
import type { Context } from '../context.ts';
import { decodeCursor, pageOf } from '../http/cursor.ts';
import { notFound } from '../http/errors.ts';
import type { Page } from '../http/route.ts';
import { type ActRow, isOperator, listActsOn } from './store.ts';
import { findNumber, findSubject, type FoundRow, selectFound, type SubjectRow } from './store-find.ts';

const PAGE_SIZE = 50;
const MAX_ACTS = 50;

/** Finds by words, by number or by uuid, newest first. [OPER-09] */
export async function find(
  ctx: Context,
  subject: Subject,
  query: { search: string; cursor?: string | undefined; limit?: number | undefined },
): Promise<Page<FoundRow>> {
  const { search, cursor, limit = PAGE_SIZE } = query;
  const before = decodeCursor(cursor);
  return pageOf(await selectFound(ctx.db, subject, { search, before, limit: limit + 1 }), limit);
}

/** The number of a subject that an operator named by its number, its uuid, or a person's e-mail address. Throws 404. */
export async function numberOf(ctx: Context, subject: Subject, named: string): Promise<number> {
  const number = await findNumber(ctx.db, subject, named);
  if (number === null) throw notFound(`There is no ${SUBJECT_WORDS[subject]} “${named}”.`);
  return number;
}

export type Shown = SubjectRow & { acts: ActRow[]; isOperator: boolean };

/** One person, website, ad zone or ad with the latest acts about it. Throws 404. */
export async function show(ctx: Context, subject: Subject, id: number): Promise<Shown> {
  const row = await findSubject(ctx.db, subject, id);
  if (!row) throw notFound(`There is no ${SUBJECT_WORDS[subject]} with this number.`);
  return {
    ...row,
    acts: await listActsOn(ctx.db, subject, id, MAX_ACTS),
    isOperator: subject === 'person' && (await isOperator(ctx.db, id)),
  };
}
