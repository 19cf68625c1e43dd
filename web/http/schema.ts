import type { z } from 'zod';

/** The schema of a contract's body, for a form to validate by. Throws for a call without a body. */
export function bodyOf<Schema extends z.ZodType>(endpoint: { path: string; body?: Schema }): Schema {
  if (!endpoint.body) throw new Error(`${endpoint.path} has no body`);
  return endpoint.body;
}
