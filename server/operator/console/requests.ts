/** The requests that wait for a second operator. [OPER-22] */
import { listOperatorRequests } from '#domain/operator/console/requests-contract.ts';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import { decimalOf } from '#domain/money.ts';
import type { Context } from '#server/platform/context.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import type { OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { CONFIRM_REQUEST, DECLINE_REQUEST } from '../acts/acts-of-accounts.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { openRequests, type RequestRow, requestWords } from '../requests/requests.ts';

export const requestRoutes: Route[] = [
  route(listOperatorRequests, { access: 'operator' }, async (ctx, operator) => {
    const { currency, operatorRefundLimitCents } = ctx.config;
    const requests = await openRequests(ctx);
    return {
      refundLimit: decimalOf(operatorRefundLimitCents),
      requests: await Promise.all(
        requests.map(async (request) => {
          const isOwn = request.requestedBy === operator.id;
          return {
            id: request.id,
            words: requestWords(request, currency),
            reason: request.reason,
            askedBy: request.askedBy,
            requestedAt: request.requestedAt.toISOString(),
            expiresAt: request.expiresAt.toISOString(),
            isOwn,
            acts: await requestActs(ctx, operator, request),
          };
        }),
      ),
    };
  }),
];

/** An operator does not confirm their own request, and may take it back. */
export async function requestActs(
  ctx: Context,
  operator: OperatorCaller,
  { id, requestedBy }: Pick<RequestRow, 'id' | 'requestedBy'>,
): Promise<OfferedAct[]> {
  const isOwn = requestedBy === operator.id;
  return await offers([
    !isOwn && formOf(CONFIRM_REQUEST).offer(ctx, operator, { ids: { id } }),
    formOf(DECLINE_REQUEST).offer(ctx, operator, {
      ids: { id },
      ...(isOwn && { button: 'Take the request back' }),
    }),
  ]);
}
