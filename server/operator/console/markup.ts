/** Parts that the console's pages share. */
import { actorText, actWords } from '#domain/operator/acts.ts';
import { MAX_REASON, MAX_SETTING_REASON } from '#domain/operator/forms.ts';
import { holds, type OperatorRole } from '#domain/operator/rights.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { input, textarea } from '#server/platform/http/page/form.ts';
import { fact, pageLinks, time } from '#server/platform/http/page/parts.ts';
import { type ActForm, addressOf } from '../acts/define-act.ts';
import type { ActRow } from '../store.ts';

/** The link to the next page of a list; `address` is the page's own, with its query. */
export function nextPage(address: string, next: string | null): Markup | false {
  if (next === null) return false;
  const url = new URL(address, 'http://host');
  url.searchParams.set('cursor', next);
  return pageLinks({ href: url.pathname + url.search, text: 'Next page' });
}

/**
 * The operator who looks at a page. `confirmAt` is where the session is confirmed for dangerous acts; null if it needs no confirmation.
 */
export type Viewer = { role: OperatorRole; confirmAt: string | null };

/** Whether the viewer has the right to an act. */
export function mayUse({ role }: Viewer, { right }: ActForm): boolean {
  return holds(role, right);
}

/** Whether the viewer can send the form of an act now, without a confirmation before. */
export function isReady(viewer: Viewer, form: ActForm): boolean {
  return mayUse(viewer, form) && (!form.dangerous || viewer.confirmAt === null);
}

/** Leads to the confirmation, on a page whose forms of an act are hidden until then. */
export function confirmFirst(viewer: Viewer, form: ActForm, then: string): Markup | false {
  return (
    mayUse(viewer, form) &&
    !isReady(viewer, form) &&
    html`<p><a class="button" href="${viewer.confirmAt ?? ''}">Confirm that it’s you</a> <span class="quiet">to ${then}.</span></p>`
  );
}

/** `ids` are the parts of the form's path. A list needs words of its own for the button if its entries differ. */
type Place = { viewer: Viewer; form: ActForm; ids?: Record<string, string | number>; button?: string };

/** Makes the ids of a form's fields unique on its page. */
function nameOf({ form, ids = {} }: Pick<Place, 'form' | 'ids'>): string {
  return [form.path.replaceAll(/^\/operator\/|:\w+\/?/g, ''), ...Object.values(ids)]
    .join('-')
    .replaceAll('/', '-');
}

/**
 * The form of an act, with its reason; nothing for a viewer without the right. If the session must be confirmed for a
 * dangerous act, a link to do so replaces the form. `before` has the act's other fields.
 */
export function actForm(place: Place & { note?: string; before?: Markup | false }): Markup | false {
  const { viewer, form, ids = {}, note = form.note, before = false } = place;
  if (!mayUse(viewer, form)) return false;
  return html`<section class="card act"><h2>${form.title ?? form.button}</h2>
${note !== undefined && html`<p class="quiet">${note}</p>`}
${
  isReady(viewer, form)
    ? html`<form method="post" action="${addressOf(form, ids)}">${before}${textarea({
        ...REASON,
        id: `${nameOf(place)}-reason`,
        hint: 'It goes to the audit trail, and a person whom the act affects can read it.',
      })}<button class="button">${form.button}</button></form>`
    : html`<p><a class="button second" href="${viewer.confirmAt ?? ''}">Confirm that it’s you</a></p>`
}</section>
`;
}

/** The form of an act in one line, for lists. Nothing for a viewer who cannot send it now. */
export function smallForm(place: Place): Markup | false {
  const { viewer, form, ids = {}, button = form.button } = place;
  return (
    isReady(viewer, form) &&
    html`<form class="search" method="post" action="${addressOf(form, ids)}">${input({ ...REASON, id: nameOf(place) })}<button class="button second">${button}</button></form>`
  );
}

/** The form of an act that opens from its line, for lists in which most entries need none. */
export function foldedForm(place: Place): Markup | false {
  return (
    isReady(place.viewer, place.form) &&
    html`<details><summary>${place.button ?? place.form.button}</summary>${smallForm(place)}</details>`
  );
}

/** The reason of an act. */
export const REASON = { name: 'reason', label: 'Reason', isRequired: true, max: MAX_REASON };

/** The reason of a change that needs none. */
export const OPTIONAL_REASON = { name: 'reason', label: 'Reason (optional)', max: MAX_SETTING_REASON };

/** One act of the audit trail. */
export function actLine(act: ActRow & { operatorEmail?: string | null }): Markup {
  return fact(
    html`${time(act.actedAt)}, ${actorText(act)}`,
    html`<bdi>${actWords(act)}</bdi>: <bdi>${act.reason}</bdi>${
      act.appealBody !== null &&
      html`<br><a href="/operator/appeals/${act.id}">${act.outcome === null ? 'Answered, waits for your decision' : `Answered, ${act.outcome}`}</a>`
    }`,
  );
}
