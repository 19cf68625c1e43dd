/** The requests that wait for a second operator. [OPER-22] */
import { listOperatorRequests } from '#domain/operator/console/requests-contract.ts';
import { decimalOf } from '#domain/money.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { CONFIRM_REQUEST, DECLINE_REQUEST } from '../acts/acts-of-accounts.ts';
import { formOf, offers } from '../acts/define-act.ts';
import { openRequests, requestWords } from '../requests/requests.ts';

export const requestRoutes: Route[] = [
  route(listOperatorRequests, { access: 'operator' }, async (ctx, operator) => {
    const { currency, operatorRefundLimitCents } = ctx.config;
    const requests = await openRequests(ctx);
    return {
      refundLimit: decimalOf(operatorRefundLimitCents),
      requests: await Promise.all(
        requests.map(async (request) => {
          const isOwn = request.requestedBy === operator.id;
          const ids = { id: request.id };
          return {
            id: request.id,
            words: requestWords(request, currency),
            reason: request.reason,
            askedBy: request.askedBy,
            requestedAt: request.requestedAt.toISOString(),
            expiresAt: request.expiresAt.toISOString(),
            isOwn,
            acts: await offers([
              !isOwn && formOf(CONFIRM_REQUEST).offer(ctx, operator, { ids }),
              formOf(DECLINE_REQUEST).offer(ctx, operator, {
                ids,
                ...(isOwn && { button: 'Take the request back' }),
              }),
            ]),
          };
        }),
      ),
    };
  }),
];
