/** Parts that the console's pages share. */
import { actWords } from '#domain/operator/acts.ts';
import { MAX_REASON } from '#domain/operator/forms.ts';
import { instantText } from '../../http/dates.ts';
import { html, type Markup } from '../../http/html.ts';
import { type ActForm, addressOf } from '../acts/define-act.ts';
import type { ActRow } from '../store.ts';

export function time(instant: Date): Markup {
  return html`<time datetime="${instant.toISOString()}">${instantText(instant)}</time>`;
}

export function fact(name: string, value: Markup | string): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** A list whose entries are links, with a line below each. */
export function rows(entries: readonly Markup[], none: string): Markup {
  return entries.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ol class="rows">${entries.map((entry) => html`<li>${entry}</li>`)}</ol>`;
}

/** The link to the next page of a list; `address` is the page's own, with its query. */
export function nextPage(address: string, next: string | null): Markup | false {
  if (next === null) return false;
  const url = new URL(address, 'http://host');
  url.searchParams.set('cursor', next);
  return html`<nav class="actions" aria-label="Pages"><a class="button" rel="next" href="${url.pathname}${url.search}">Next page</a></nav>`;
}

/** `ids` are the parts of the form's path. A list needs words of its own for the button if its entries differ. */
type Place = { form: ActForm; ids?: Record<string, string | number>; button?: string };

/** Makes the ids of a form's fields unique on its page. */
function nameOf({ form, ids = {} }: Place): string {
  return [form.path.replaceAll(/^\/operator\/|:\w+\/?/g, ''), ...Object.values(ids)]
    .join('-')
    .replaceAll('/', '-');
}

/**
 * The form of an act, with its reason. If `confirmAt` is set and the act is dangerous, the form is replaced by a link to
 * that address, where the operator confirms the session first. `before` has the act's other fields.
 */
export function actForm(
  place: Place & { note?: string; before?: Markup | false; confirmAt: string | null },
): Markup {
  const { form, ids = {}, note = form.note, before = false, confirmAt } = place;
  const name = nameOf(place);
  return html`<section class="card act"><h2>${form.title ?? form.button}</h2>
${note !== undefined && html`<p class="quiet">${note}</p>`}
${
  form.dangerous && confirmAt !== null
    ? html`<p><a class="button" href="${confirmAt}">Confirm that it’s you</a></p>`
    : html`<form method="post" action="${addressOf(form, ids)}">${before}
<div class="field"><label for="${name}-reason">Reason</label>
<textarea id="${name}-reason" name="reason" required maxlength="${MAX_REASON}" dir="auto" aria-describedby="${name}-use"></textarea>
<small id="${name}-use">It goes to the audit trail, and a person whom the act affects can read it.</small></div>
<button class="button">${form.button}</button></form>`
}</section>
`;
}

/** The form of an act in one line, for lists. */
export function smallForm(place: Place): Markup {
  const { form, ids = {}, button = form.button } = place;
  const id = nameOf(place);
  return html`<form class="search" method="post" action="${addressOf(form, ids)}">
<div class="field"><label for="${id}">Reason</label><input id="${id}" name="reason" required maxlength="${MAX_REASON}" dir="auto"></div>
<button class="button">${button}</button></form>`;
}

/** The form of an act that opens from its line, for lists in which most entries need none. */
export function foldedForm(place: Place): Markup {
  return html`<details><summary>${place.button ?? place.form.button}</summary>${smallForm(place)}</details>`;
}

/** One act of the audit trail. */
export function actLine(act: ActRow & { operatorEmail?: string | null }): Markup {
  const by = act.operatorId === null ? 'command line' : (act.operatorEmail ?? `operator ${act.operatorId}`);
  return html`<div><dt>${time(act.actedAt)}, ${by}</dt>
<dd><bdi>${actWords(act)}</bdi>: <bdi>${act.reason}</bdi>${
    act.appealBody !== null &&
    html`<br><a href="/operator/appeals/${act.id}">${act.outcome === null ? 'Answered, waits for your decision' : `Answered, ${act.outcome}`}</a>`
  }</dd></div>`;
}
