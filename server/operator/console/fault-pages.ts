/** The console's page about what refuses nearly all reports. */
import { html, type Markup } from '#server/platform/http/html.ts';
import { EXPECT_FAULT } from '../acts/acts-of-announcements.ts';
import { formOf } from '../acts/define-act.ts';
import type { OperatorFaults } from '../faults/faults.ts';
import type { ConsolePage } from './console.ts';
import { rows, time } from '#server/platform/http/page/parts.ts';
import { foldedForm, type Viewer } from './markup.ts';

type Fault = OperatorFaults['installation'][number];

export function faultsPage({ installation, websites }: OperatorFaults, viewer: Viewer): ConsolePage {
  return {
    title: 'Faults',
    main: html`<h1>Faults</h1>
<p class="quiet">One reason refuses nearly all views and clicks within an hour, where it did not before.</p>
<h2>Of the installation</h2>
${rows(
  installation.map(
    (fault) => html`${text(fault)}
${foldedForm({ viewer, form: formOf(EXPECT_FAULT), ids: { id: fault.id } })}`,
  ),
  'There is none.',
)}
<h2>Of websites</h2>
<p class="quiet">The publisher was told by mail, and reads it with the embed code and in the results. Where only you can mend it, the text here says how.</p>
${rows(
  websites.map(
    (fault) =>
      html`<a href="/operator/websites/${fault.websiteId}">${fault.websiteName}</a>
${text(fault)}`,
  ),
  'There is none.',
)}`,
  };
}

function text({ id, title, evidence, cause, next, beganAt }: Fault): Markup {
  return html`<strong>${title}</strong>
<span class="quiet">Fault ${id}, since ${time(beganAt)}. ${evidence}</span>
<span>${cause} ${next}</span>`;
}
