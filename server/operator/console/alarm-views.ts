/** The bar about alarms. */
import { html, type Markup } from '#server/platform/http/html.ts';
import type { Alarm } from '#server/money/books/alarms.ts';

/** More alarms than this would push the page out of sight. `openslot doctor` and the mails name all of them. */
const MAX_SHOWN = 5;

/** Stands above every page of the console while there are alarms. [OWNS-30] */
export function alarmBar(alarms: readonly Alarm[]): Markup | false {
  const more = alarms.length - MAX_SHOWN;
  return (
    alarms.length > 0 &&
    html`<section class="notice" aria-label="Alarms">
${alarms.slice(0, MAX_SHOWN).map(
  ({ title, text, action }) =>
    html`<p><strong>${title}.</strong> ${text} <a href="${action.path}">${action.label}</a></p>
`,
)}${more > 0 && html`<p class="quiet">And ${String(more)} more: run <code>openslot doctor</code>.</p>`}</section>
`
  );
}
