/** The console's page of the requests that wait for a second operator. */
import { decimalOf, moneyText } from '#domain/money.ts';
import { reasonForm } from '#domain/operator/forms.ts';
import type { Context } from '../context.ts';
import { html, type Markup } from '../http/html.ts';
import { confirmAddress, type Console, type View, type Visit } from './console.ts';
import { idOf, read } from './form-fields.ts';
import { foldedForm, rows, time } from './markup.ts';
import { confirmRequest, declineRequest, openRequests } from './requests.ts';
import { requestWords } from './request-words.ts';
import type { RequestRow } from './store-requests.ts';

export const REQUESTS = '/operator/requests';

/** Registers the page and its forms. [OPER-22] */
export function registerRequests(pages: Console, ctx: Context): void {
  const view = async ({ operator, confirmed }: Visit): Promise<View> =>
    requestsView(ctx, await openRequests(ctx), {
      operatorId: operator.id,
      confirmAt: confirmed ? null : confirmAddress(REQUESTS),
    });
  pages.page(REQUESTS, 'The requests that wait for a second operator', view);
  pages.form(`${REQUESTS}/:id/confirm`, 'Does what another operator has requested', {
    view,
    dangerous: () => REQUESTS,
    act: async (visit) => {
      await confirmRequest(ctx, visit.operator, idOf(visit));
      return REQUESTS;
    },
  });
  pages.form(`${REQUESTS}/:id/decline`, 'Refuses a request, or takes it back', {
    view,
    act: async (visit) => {
      await declineRequest(ctx, visit.operator, { id: idOf(visit), ...read(reasonForm, visit.body) });
      return REQUESTS;
    },
  });
}

function requestsView(
  ctx: Context,
  requests: readonly RequestRow[],
  { operatorId, confirmAt }: { operatorId: number; confirmAt: string | null },
): View {
  const { currency, operatorRefundLimitCents } = ctx.config;
  const decide = ({ id, requestedBy }: RequestRow): Markup | string =>
    requestedBy === operatorId
      ? html`<span class="quiet">You asked for this. Another operator has to confirm it.</span>`
      : confirmAt === null
        ? html`<form method="post" action="${REQUESTS}/${id}/confirm"><button class="button">Confirm request ${id}</button></form>`
        : html`<a class="button" href="${confirmAt}">Confirm that it’s you</a>`;
  return {
    title: 'Requests',
    main: html`<h1>Requests</h1>
<p class="quiet">With two operators or more, one asks and another confirms: to add or remove an operator, and to refund more than ${moneyText(decimalOf(operatorRefundLimitCents), currency)} for one ad. A request waits for seven days.</p>
${rows(
  requests.map(
    (request) => html`<strong><bdi>${requestWords(request, currency)}</bdi></strong>
<span class="quiet">Request ${request.id} by ${request.askedBy ?? 'a deleted account'}, ${time(request.requestedAt)}, expires ${time(request.expiresAt)}: <bdi>${request.reason}</bdi></span>
${decide(request)}
${foldedForm({
  id: `decline-${request.id}`,
  action: `${REQUESTS}/${request.id}/decline`,
  button: request.requestedBy === operatorId ? 'Take the request back' : 'Decline the request',
})}`,
  ),
  'No request waits.',
)}`,
  };
}
