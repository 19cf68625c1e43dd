import type { Parsed } from '#domain/endpoint.ts';
import type { Consent, listConsents } from '#domain/payments/consent-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { listConsentsOf } from '../checkout/consent-rows.ts';
import { viewConsents } from './view.ts';

const DEFAULT_LIMIT = 20;

/** The user's own consents, newest first. */
export async function myConsents(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listConsents>,
): Promise<Page<Consent>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const before = decodeCursor(query.cursor);
  const rows = await listConsentsOf(ctx.db, who.id, { before, limit: limit + 1 });
  return pageOf(await viewConsents(ctx.db, rows), limit);
}
