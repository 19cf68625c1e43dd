import type { z } from 'zod';

/** The schema of a contract's body, by which a form validates its input. Throws for a call without a body. */
export function bodyOf<Schema extends z.ZodType>(endpoint: { path: string; body?: Schema }): Schema {
  if (!endpoint.body) throw new Error(`${endpoint.path} has no body`);
  return endpoint.body;
}
