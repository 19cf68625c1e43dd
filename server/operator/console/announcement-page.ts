/** The console's page about the announcement. */
import { MAX_ANNOUNCEMENT } from '#domain/operator/forms.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { ANNOUNCE, END_ANNOUNCEMENT } from '../acts/acts-of-announcements.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import type { showAnnouncement } from '../announcements/announce.ts';
import type { ConsolePage } from './console.ts';
import { hidden, input, select, textarea } from '#server/platform/http/page/form.ts';
import { confirmFirst, isReady, OPTIONAL_REASON, type Viewer } from './markup.ts';

type Present = Awaited<ReturnType<typeof showAnnouncement>>;

/** `typed` are the fields of a form that was refused. */
export function announcementPage(
  present: Present,
  typed: Readonly<Record<string, string>>,
  viewer: Viewer,
): ConsolePage {
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
${isReady(viewer, end) && html`<form method="post" action="${addressOf(end, {})}">${hidden('end', 'yes')}<button class="button">${end.button}</button></form>`}</section>`;
}

function announceForm(present: Present, typed: Readonly<Record<string, string>>): Markup {
  const act = formOf(ANNOUNCE);
  return html`<section class="card act" aria-labelledby="new"><h2 id="new">${present === null ? 'Announce' : 'Announce something else'}</h2>
<form method="post" action="${addressOf(act, {})}">
${textarea({
  name: 'text',
  label: 'Text',
  value: typed['text'],
  isRequired: true,
  max: MAX_ANNOUNCEMENT,
  hint: `One line of at most ${MAX_ANNOUNCEMENT} characters, without links.`,
})}${input({
    name: 'until',
    label: 'Until, in UTC (optional)',
    value: typed['until'] ?? '',
    hint: 'Such as 2027-01-31 18:00.',
    more: html`autocomplete="off"`,
  })}${select({
    name: 'mail',
    label: 'Where',
    value: typed['mail'] ?? '',
    options: [
      ['', 'On every page'],
      ['yes', 'On every page and by mail'],
    ],
    hint: 'Accounts that have turned off e-mail notifications get no mail.',
  })}${input({ ...OPTIONAL_REASON, value: typed['reason'] ?? '' })}<button class="button">${act.button}</button></form></section>`;
}
