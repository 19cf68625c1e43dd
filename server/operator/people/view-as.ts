/** An operator looks at the product as another person (docs/decisions/140-view-as.md). [OPER-200] */
import type { FastifyRequest } from 'fastify';
import { endView as endViewCall } from '#domain/accounts/view-contract.ts';
import { later } from '#domain/time.ts';
import type { Reply } from '#domain/endpoint.ts';
import type { Context } from '#server/platform/context.ts';
import { VIEW_MS } from '#server/platform/http/acting/view.ts';
import { forbidden, unauthorized } from '#server/platform/http/errors.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { beginView, endView, sessionOf } from '#server/platform/http/sessions.ts';
import { type Operator, perform, record } from '../act.ts';
import { requireSubject } from '../decisions/suspend.ts';
import { operatorRole } from '../store.ts';

const OPERATORS_ACCOUNT = 'This account is an operator’s. Nobody can look at the product as an operator.';

/**
 * Lets the operator's session look at the product as the person. Throws 404, 403 for the account of an operator, and 409 for
 * one of which they are a member.
 */
export async function viewAs(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<{ until: Date }> {
  const until = later(ctx.realNow(), VIEW_MS);
  await perform(ctx, operator, async (tx) => {
    await requireSubject(tx, 'person', id);
    await record(ctx, tx, operator, {
      act: 'view-as',
      subject: 'person',
      subjectId: id,
      // As with the reading of the file, the person does not see it.
      affectedId: null,
      reason,
    });
    if ((await operatorRole(tx, id)) !== null) throw forbidden(OPERATORS_ACCOUNT);
    const { id: operatorId, session } = operator;
    if (operatorId === null || session === undefined) throw unauthorized();
    // The session has ended meanwhile.
    if (!(await beginView(tx, { session, operatorId, personId: id, until }))) throw unauthorized();
  });
  return { until };
}

export const viewRoutes: Route[] = [
  // The person may be suspended.
  route(
    endViewCall,
    { access: 'user', right: 'person', whileSuspended: true, endsView: true },
    async (ctx, _who, _input, request) => await stopView(ctx, request),
  ),
];

/** Ends the view of the session. Without one, nothing happens: it may have ended by itself. */
async function stopView(ctx: Context, request: FastifyRequest): Promise<Reply<typeof endViewCall>> {
  await endView(ctx.db, sessionOf(request).publicId);
  return { success: true };
}
