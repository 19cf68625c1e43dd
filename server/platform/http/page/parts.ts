/** The parts of pages: facts, lists, tables, figures and links. A page writes no other markup for them. */
import { dayText, instantText } from '../dates.ts';
import { html, type Markup } from '../html.ts';

export function time(instant: Date): Markup {
  return html`<time datetime="${instant.toISOString()}">${instantText(instant)}</time>`;
}

export function day(at: Date): Markup {
  return html`<time datetime="${at.toISOString()}">${dayText(at)}</time>`;
}

/** A text of several lines. */
export function lines(text: string): Markup {
  return html`${text.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`)}`;
}

export function fact(name: Markup | string, value: Markup | string): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

export function facts(...entries: readonly (Markup | false | readonly (Markup | false)[])[]): Markup {
  return html`<dl class="facts">${entries}</dl>`;
}

/** A list whose entries are links, with a line below each. `none` stands in the place of an empty list. */
export function rows(entries: readonly Markup[], none = ''): Markup {
  return entries.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ol class="rows">${entries.map((entry) => html`<li>${entry}</li>`)}</ol>`;
}

/** A large figure with its name, for `figures`. */
export function figure(name: string, value: string, note: string | null = null): Markup {
  return html`<div><dt>${name}</dt><dd>${value}</dd>${note !== null && html`<dd class="quiet">${note}</dd>`}</div>`;
}

export function figures(entries: readonly (Markup | false)[]): Markup {
  return html`<dl class="figures">${entries}</dl>`;
}

type Cell = Markup | string;

/** The first cell of each row is its heading. Columns whose name begins with '#' hold numbers. */
export function table(
  columns: readonly string[],
  body: readonly (readonly Cell[])[],
  foot?: readonly Cell[],
): Markup {
  const names = columns.map((name) => name.replace(/^#/, ''));
  const number = (at: number) => columns[at]?.startsWith('#') && html` class="n"`;
  const row = ([first, ...others]: readonly Cell[]) =>
    html`<tr><th scope="row">${first}</th>${others.map((cell, at) => html`<td${number(at + 1)}>${cell}</td>`)}</tr>
`;
  return html`<table><thead><tr>${names.map((name, at) => html`<th scope="col"${number(at)}>${name}</th>`)}</tr></thead>
<tbody>${body.map(row)}</tbody>${foot && html`<tfoot>${row(foot)}</tfoot>`}</table>`;
}

/**
 * A bar for each value, from the first to the last. A table has the same values for screen readers. `isOpen`: the last
 * period is not over yet.
 */
export function bars(values: readonly number[], ends: readonly [string, string], isOpen = false): Markup {
  const most = Math.max(1, ...values);
  return html`<svg class="bars" viewBox="0 0 ${values.length} 100" preserveAspectRatio="none" aria-hidden="true">${values.map(
    (value, at) => {
      const height = (Math.max(0, value) / most) * 100;
      return html`<rect x="${at + 0.1}" y="${100 - height}" width=".8" height="${height}"${isOpen && at === values.length - 1 && html` class="open"`}/>`;
    },
  )}</svg>
<div class="ends" aria-hidden="true"><span>${ends[0]}</span><span>${ends[1]}</span></div>`;
}

type Link = { href: string; text: string; isHere: boolean };

/** Links to parts of one thing. A screen reader calls the present one a page. */
export function tabs(label: string, links: readonly Link[]): Markup {
  return html`<nav class="tabs" aria-label="${label}">${links.map(
    ({ href, text, isHere }) => html`<a href="${href}"${isHere && html` aria-current="page"`}>${text}</a>`,
  )}</nav>`;
}

/** The links between the pages of a list; nothing for a list of one page. */
export function pageLinks(
  next: { href: string; text: string } | null,
  first?: { href: string; text: string } | false,
): Markup | false {
  return (
    (next !== null || Boolean(first)) &&
    html`<nav class="actions" aria-label="Pages">${first && html`<a class="plain" href="${first.href}">${first.text}</a>`}${next && html`<a class="button" rel="next" href="${next.href}">${next.text}</a>`}</nav>`
  );
}

/** A picture of a stored file keeps its room while it loads. */
export function sizes(width: number | null, height: number | null): Markup | false {
  return width !== null && height !== null && html` width="${width}" height="${height}"`;
}
