/** The console's page of the requests that wait for a second operator. [OPER-22] */
import { decimalOf, moneyText } from '#domain/money.ts';
import type { Context } from '#server/platform/context.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { CONFIRM_REQUEST, DECLINE_REQUEST } from '../acts/acts-of-accounts.ts';
import type { ConsolePage } from './console.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import { rows, time } from '#server/platform/http/page/parts.ts';
import { confirmFirst, foldedForm, isReady, type Viewer } from './markup.ts';
import { requestWords, type RequestRow } from '../requests/requests.ts';

export function requestsPage(
  ctx: Context,
  requests: readonly RequestRow[],
  { operatorId, viewer }: { operatorId: number; viewer: Viewer },
): ConsolePage {
  const { currency, operatorRefundLimitCents } = ctx.config;
  const decide = ({ id, requestedBy }: RequestRow): Markup | string =>
    requestedBy === operatorId
      ? html`<span class="quiet">You asked for this. Another operator has to confirm it.</span>`
      : isReady(viewer, formOf(CONFIRM_REQUEST))
        ? html`<form method="post" action="${addressOf(formOf(CONFIRM_REQUEST), { id })}"><button class="button">Confirm request ${id}</button></form>`
        : confirmFirst(viewer, formOf(CONFIRM_REQUEST), 'decide') || '';
  return {
    title: 'Requests',
    main: html`<h1>Requests</h1>
<p class="quiet">With two operators who have the right, one asks and another confirms: to add or remove an operator or change a role, and to refund more than ${moneyText(decimalOf(operatorRefundLimitCents), currency)} for one ad. A request waits for seven days.</p>
${rows(
  requests.map(
    (request) => html`<strong><bdi>${requestWords(request, currency)}</bdi></strong>
<span class="quiet">Request ${request.id} by ${request.askedBy ?? 'a deleted account'}, ${time(request.requestedAt)}, expires ${time(request.expiresAt)}: <bdi>${request.reason}</bdi></span>
${decide(request)}
${foldedForm({
  viewer,
  form: formOf(DECLINE_REQUEST),
  ids: { id: request.id },
  ...(request.requestedBy === operatorId && { button: 'Take the request back' }),
})}`,
  ),
  'No request waits.',
)}`,
  };
}
