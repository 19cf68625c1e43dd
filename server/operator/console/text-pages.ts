/** The console's pages about the pages that the operator writes. */
import { MAX_PAGE_TEXT, PAGE_TITLES, pagePath, TO_FILL_IN } from '#domain/pages.ts';
import { dayText, instantText } from '#server/platform/http/dates.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { renderMarkdown } from '#server/platform/pages/markdown.ts';
import { PUBLISH_PAGE, REMOVE_PAGE, SAVE_PAGE, SET_PAGE, WRITE_STARTERS } from '../acts/acts-of-pages.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import type { PageState, PageText } from '../pages/pages.ts';
import type { ConsolePage } from './console.ts';
import { hidden, input, textarea } from '#server/platform/http/page/form.ts';
import { rows } from '#server/platform/http/page/parts.ts';
import { confirmFirst, isReady, mayUse, OPTIONAL_REASON, REASON, type Viewer } from './markup.ts';

function stateText({ version, savedAt, publishedVersion, publishedAt }: PageState): string {
  const published =
    publishedVersion === null || publishedAt === null
      ? 'Not published'
      : `Version ${publishedVersion} is published since ${dayText(publishedAt)}`;
  if (version === 0) return `${published}. No text yet.`;
  if (version === publishedVersion || savedAt === null) return `${published}.`;
  return `${published}. Version ${version} was saved on ${dayText(savedAt)}.`;
}

export function textsPage(pages: readonly PageState[], viewer: Viewer): ConsolePage {
  const starters = formOf(WRITE_STARTERS);
  const missing = pages.filter(({ version }) => version === 0).length;
  return {
    title: 'Pages',
    main: html`<h1>Pages</h1>
<p class="quiet">Each page stands at its own address, and a link in the footer leads there once it is published. With terms, people accept them at the sign-up.</p>
${rows(
  pages.map(
    (page) => html`<a href="/operator/pages/${page.key}">${PAGE_TITLES[page.key]}</a>
<span class="quiet">${stateText(page)}</span>`,
  ),
)}
${
  missing > 0 &&
  html`<h2>Starter texts</h2>
<p>They say what this software does with data and money, and mark what you or your lawyer must fill in. ${missing === pages.length ? 'No page has' : `${missing} of ${pages.length} pages have no`} text yet. Nothing is published by this.</p>
${confirmFirst(viewer, starters, 'write them')}
${
  isReady(viewer, starters) &&
  html`<form method="post" action="${addressOf(starters, {})}">${input({ ...REASON, value: 'The first texts' })}<button class="button">${starters.button}</button></form>`
}`
}`,
  };
}

/** The fields of a form that was refused or previewed. `version` is the newest one when the operator opened the page. */
export type TypedPage = { text: string; version: string | undefined; reason: string };

export function textPage(
  page: PageText,
  { typed, isPreview = false, viewer }: { typed: TypedPage | undefined; isPreview?: boolean; viewer: Viewer },
): ConsolePage {
  const { key, version, publishedVersion, shown, versions } = page;
  const text = typed?.text ?? page.text;
  const isNewest = shown === version;
  const marks = text.match(TO_FILL_IN) ?? [];
  // A text that somebody is writing must not be lost because the confirmation ends meanwhile.
  const canWrite = isReady(viewer, formOf(SAVE_PAGE)) || (isPreview && mayUse(viewer, formOf(SAVE_PAGE)));
  return {
    title: PAGE_TITLES[key],
    main: html`<h1>${PAGE_TITLES[key]}</h1>
<p class="quiet">${stateText(page)}${publishedVersion !== null && html` <a href="${pagePath(key)}">Open it</a>`}</p>
${!isNewest && html`<p>This is version ${shown}. <a href="/operator/pages/${key}">Show the newest one</a>. Saving makes a new version from this text.</p>`}
${marks.length > 0 && html`<p class="notice">${marks.length === 1 ? 'One place is' : `${marks.length} places are`} marked with [TO FILL IN]. The page can be published when nothing is marked any more.</p>`}
${isPreview && html`<h2>Preview</h2><p class="quiet">This text is not saved yet. <a href="#text">Back to the text</a></p>${preview(text)}`}
${confirmFirst(viewer, formOf(SAVE_PAGE), 'change it')}
${canWrite && editor(page, typed, isPreview)}
${!isPreview && text !== '' && html`<h2>Preview</h2>${preview(text)}`}
${
  versions.length > 0 &&
  html`<h2>Versions</h2>
${rows(
  versions.map(
    (each) => html`<a href="/operator/pages/${key}?version=${each.version}">Version ${each.version}</a>
<span class="quiet">Saved on ${instantText(each.savedAt)} ${each.savedBy === null ? 'on the command line' : html`by <bdi>${each.savedBy}</bdi>`}${each.publishedAt !== null && `. Published on ${instantText(each.publishedAt)}`}</span>`,
  ),
)}`
}`,
  };
}

function preview(text: string): Markup {
  const { title, body } = renderMarkdown(text);
  return html`<div class="card text">${title !== null && html`<h2>${title}</h2>`}${body}</div>`;
}

/**
 * The form of a page. Its first button is the one that Enter presses, so it changes least. A preview keeps the version that
 * the operator opened, so that what somebody else has saved meanwhile is not overwritten unread.
 */
function editor(
  { key, version, publishedVersion, shown, text }: PageText,
  typed: TypedPage | undefined,
  isPreview: boolean,
): Markup {
  const ids = { key };
  const [save, set, publish, remove] = [SAVE_PAGE, SET_PAGE, PUBLISH_PAGE, REMOVE_PAGE].map((act) =>
    formOf(act),
  ) as [
    ReturnType<typeof formOf>,
    ReturnType<typeof formOf>,
    ReturnType<typeof formOf>,
    ReturnType<typeof formOf>,
  ];
  const isSavedOnly = !isPreview && version > 0 && version !== publishedVersion && shown === version;
  return html`<form method="post" action="${addressOf(save, ids)}">
${hidden('version', (isPreview && typed?.version) || version)}${textarea({
    name: 'text',
    label: 'Text, in Markdown',
    value: typed?.text ?? text,
    isRequired: true,
    max: MAX_PAGE_TEXT,
    hint: `The first line, after “# ”, is the heading. HTML is shown as text. At most ${MAX_PAGE_TEXT} characters.`,
    more: html`class="source"`,
  })}${input({ ...OPTIONAL_REASON, value: typed?.reason ?? '' })}<p class="actions"><button class="button">${save.button}</button>
<button class="button second" formaction="/operator/pages/${key}/preview">Preview</button>
<button class="button second" formaction="${addressOf(set, ids)}">${set.button}</button>
${isSavedOnly && html`<button class="button second" formaction="${addressOf(publish, ids)}" formnovalidate>${publish.button}</button>`}
${publishedVersion !== null && html`<button class="button second" formaction="${addressOf(remove, ids)}" formnovalidate>${remove.button}</button>`}</p></form>`;
}
