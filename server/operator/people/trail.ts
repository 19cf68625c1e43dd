import type { Act } from '#domain/operator/acts.ts';
import { listOwnActs, type OwnAct } from '#domain/operator/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { type Page, type Route, route } from '#server/platform/http/route.ts';
import { appealState } from '../decisions/appeals.ts';
import { type ActRow, listActs, listActsAbout } from '../store.ts';

const PAGE_SIZE = 50;
type Paging = { cursor?: string | undefined; limit?: number | undefined };

/** Lists the acts of operators that concern the caller. It leaves out which operator it was. [OPER-04] */
export async function ownActs(
  ctx: Context,
  who: Caller,
  { query: { cursor, limit = PAGE_SIZE } }: Parsed<typeof listOwnActs>,
): Promise<Page<OwnAct>> {
  const before = decodeCursor(cursor);
  const page = pageOf(await listActsAbout(ctx.db, who.id, { before, limit: limit + 1 }), limit);
  return { items: page.items.map((act) => ownActReply(act, ctx.now())), next: page.next };
}

function ownActReply(act: ActRow, now: Date): OwnAct {
  return {
    id: act.publicId,
    actedAt: act.actedAt.toISOString(),
    act: act.act,
    subject: act.subject,
    subjectId: act.subjectId,
    subjectName: act.subjectName,
    reason: act.reason,
    appeal: appealState(act, now),
  };
}

export type TrailRow = Awaited<ReturnType<typeof listActs>>[number];

/** The audit trail, newest first. With `acts`, only entries of these acts. */
export async function auditTrail(
  ctx: Context,
  { cursor, limit = PAGE_SIZE, acts }: Paging & { acts?: readonly Act[] | undefined },
): Promise<Page<TrailRow>> {
  return pageOf(await listActs(ctx.db, { before: decodeCursor(cursor), limit: limit + 1, acts }), limit);
}

export const routes: Route[] = [route(listOwnActs, { access: 'user', right: 'owner' }, ownActs)];
