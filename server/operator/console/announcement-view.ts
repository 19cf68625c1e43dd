/** The console's page about the announcement. */
import { MAX_ANNOUNCEMENT, MAX_SETTING_REASON } from '#domain/operator/forms.ts';
import { instantText } from '../../http/dates.ts';
import { html, type Markup } from '../../http/html.ts';
import { ANNOUNCE, END_ANNOUNCEMENT } from '../acts/acts-of-announcements.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import type { showAnnouncement } from '../announcements/announce.ts';
import type { View } from './console.ts';
import { confirmFirst, isReady, type Viewer } from './markup.ts';

type Present = Awaited<ReturnType<typeof showAnnouncement>>;

/** `typed` are the fields of a form that was refused. */
export function announcementView(
  present: Present,
  typed: Readonly<Record<string, string>>,
  viewer: Viewer,
): View {
  return {
    title: 'Announcement',
    main: html`<h1>Announcement</h1>
<p class="quiet">Every page shows it above its content, to visitors and signed-in people. There is one at a time.</p>
${present === null ? html`<p>There is no announcement.</p>` : presentCard(present, viewer)}
${confirmFirst(viewer, formOf(ANNOUNCE), 'announce something')}
${isReady(viewer, formOf(ANNOUNCE)) && announceForm(present, typed)}`,
  };
}

function presentCard({ text, until, mailed }: NonNullable<Present>, viewer: Viewer): Markup {
  const end = formOf(END_ANNOUNCEMENT);
  return html`<section class="card act" aria-labelledby="now"><h2 id="now">Now</h2>
<p dir="auto">${text}</p>
<p class="quiet">${until === null ? 'Until you end it.' : `Until ${instantText(until)}.`}${mailed !== null && ` Mailed to ${mailed} ${mailed === 1 ? 'account' : 'accounts'} so far.`}</p>
${isReady(viewer, end) && html`<form method="post" action="${addressOf(end, {})}"><input type="hidden" name="end" value="yes"><button class="button">${end.button}</button></form>`}</section>`;
}

function announceForm(present: Present, typed: Readonly<Record<string, string>>): Markup {
  const act = formOf(ANNOUNCE);
  return html`<section class="card act" aria-labelledby="new"><h2 id="new">${present === null ? 'Announce' : 'Announce something else'}</h2>
<form method="post" action="${addressOf(act, {})}">
<div class="field"><label for="text">Text</label>
<textarea id="text" name="text" required maxlength="${MAX_ANNOUNCEMENT}" dir="auto" aria-describedby="text-help">${typed['text'] ?? ''}</textarea>
<small id="text-help">One line of at most ${MAX_ANNOUNCEMENT} characters, without links.</small></div>
<div class="field"><label for="until">Until, in UTC (optional)</label>
<input id="until" name="until" value="${typed['until'] ?? ''}" autocomplete="off" aria-describedby="until-help">
<small id="until-help">Such as 2027-01-31 18:00.</small></div>
<div class="field"><label for="mail">Where</label>
<select id="mail" name="mail" aria-describedby="mail-help"><option value="">On every page</option><option value="yes"${typed['mail'] === 'yes' && html` selected`}>On every page and by mail</option></select>
<small id="mail-help">Accounts that have turned off e-mail notifications get no mail.</small></div>
<div class="field"><label for="reason">Reason (optional)</label>
<input id="reason" name="reason" maxlength="${MAX_SETTING_REASON}" value="${typed['reason'] ?? ''}" dir="auto"></div>
<button class="button">${act.button}</button></form></section>`;
}
