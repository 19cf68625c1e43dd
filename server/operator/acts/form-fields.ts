import { rowNumber } from '#domain/operator/forms.ts';
import type { z } from 'zod';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import type { Visit } from '../admit.ts';

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
