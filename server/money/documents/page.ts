import { html, type Markup } from '#server/platform/http/html.ts';
import type { ServerPage } from '#server/platform/http/page/page.ts';
import type { PrintedDocument } from '#server/platform/print/printed-document.ts';
import { formatsFor } from './formats.ts';
import type { Document } from './store.ts';
import { printedDocument } from './shown.ts';

/** Paper is A4 or Letter, whichever the printer has, so the style names no size. */
export const DOCUMENT_STYLE = `body:not([class])>main{max-width:52rem;font-size:1rem;line-height:1.625}
.sheet{padding:2rem 1.25rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.sheet h1{font-size:1.5rem}
.label{margin:0 0 1.5rem;padding:.625rem 1rem;border:1px solid var(--line-strong);border-radius:.5rem;font-weight:600;font-size:.9375rem}
dl:not(.totals){display:flex;flex-wrap:wrap;gap:.75rem 2.5rem;margin:0 0 2rem}
.parties{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:1.5rem 2.5rem;margin:0 0 2rem}
.parties h2{margin:0 0 .25rem;color:var(--ink-faint);font-size:.875rem;font-weight:400}
.parties p{margin:0;font-size:.9375rem;line-height:1.5}
.parties p:first-of-type{font-weight:600}
table{margin:0;border:0;border-collapse:collapse;background:none;box-shadow:none;font-size:.9375rem;line-height:1.45}
:is(th,td):first-child{padding-left:0}
:is(th,td):last-child{padding-right:0}
th{padding:0 0 .5rem;border:0;border-bottom:1px solid var(--line-strong);color:var(--ink-faint);font-size:.875rem;font-weight:400;text-align:left;vertical-align:bottom}
td{padding:.75rem 0;border:0;border-bottom:1px solid var(--line);vertical-align:top}
th:not(:first-child),td:not(:first-child){padding-left:1rem;text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;overflow-wrap:normal}
td small{display:block;color:var(--ink-soft);font-size:.875rem}
.totals{margin:1rem 0 2rem}
.totals>div{display:flex;justify-content:space-between;gap:1rem;padding:.25rem 0}
.totals dt{color:var(--ink-soft);font-size:.9375rem}
.totals dd{white-space:nowrap;font-variant-numeric:tabular-nums}
.totals .main{margin-top:.5rem;padding-top:.75rem;border-top:2px solid var(--ink)}
.totals .main>*{color:var(--ink);font-size:1.125rem;font-weight:600}
.notes{font-size:.875rem;color:var(--ink-soft)}
.notes p{margin:0 0 .25rem}
@media(min-width:40rem){.sheet{padding:3rem}.totals{max-width:22rem;margin-left:auto}}
@media(max-width:40rem){.four thead{display:none}.four tr{display:block;padding:.75rem 0;border-bottom:1px solid var(--line)}.four td{display:flex;justify-content:space-between;gap:1rem;padding:.125rem 0;border:0;text-align:left}.four td:first-child{display:block}.four td:not(:first-child){padding-left:0}.four td:not(:first-child)::before{content:attr(data-name);color:var(--ink-soft)}}
@page{margin:18mm}
@media print{body{font-size:11pt}.actions{display:none}.sheet{max-width:none;padding:0;border:0}tr,.parties,.totals,.notes{break-inside:avoid}thead{display:table-header-group}}`;

/**
 * The page of a document, which prints as one column without the page's frame. It has no script. `xml` is the address of
 * its e-invoice; null if it has none. [DOCU-06]
 */
export function documentPage(
  printed: PrintedDocument,
  { pdf, xml, list }: { pdf: string; xml: string | null; list: string },
): ServerPage {
  return {
    title: printed.title,
    isSignedIn: true,
    style: DOCUMENT_STYLE,
    main: html`${documentSheet(printed)}
<p class="actions"><a class="button" href="${pdf}">Download PDF</a>
${xml !== null && invoiceLink(xml)}<a class="plain" href="${list}">All documents</a></p>`,
  };
}

/** The PDF has the e-invoice too, as the XML of Factur-X. */
export const invoiceLink = (xml: string): Markup =>
  html`<a class="plain" href="${xml}">Download e-invoice (UBL)</a>\n`;

/** A document in the words and formats of its reader. `language` is their Accept-Language. */
export const shownDocument = (document: Document, language?: string): PrintedDocument =>
  printedDocument(document, formatsFor(language, document.currency));

/** The whole of a document as a part of a page. */
export function documentSheet(printed: PrintedDocument): Markup {
  return html`<article class="sheet">
${printed.label !== null && html`<p class="label">${printed.label}</p>`}
<h1>${printed.title}</h1>
<dl>${printed.facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<div class="parties">${printed.parties.map(partyBlock)}</div>
${printed.rows.length === 0 ? html`<p>${printed.noRows}</p>` : rowsTable(printed)}
<dl class="totals">${printed.totals.map(
    ({ name, amount, isMain }) =>
      html`<div${isMain && html` class="main"`}><dt>${name}</dt><dd>${amount}</dd></div>`,
  )}</dl>
<div class="notes">${printed.notes.map((note) => html`<p>${note}</p>`)}</div>
</article>`;
}

// Names and addresses can be in any script, so the browser detects the direction of each line.
function partyBlock({ role, name, lines }: PrintedDocument['parties'][number]): Markup {
  return html`<section><h2>${role}</h2>
<p dir="auto">${name}</p>${lines.map((line) => html`<p dir="auto">${line}</p>`)}</section>`;
}

function rowsTable({ columns, rows }: PrintedDocument): Markup {
  const isWide = columns.length > 3;
  return html`<table${isWide && html` class="four"`}><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ cells: [first, ...figures], detail }) =>
      html`<tr><td><span dir="auto">${first}</span>${detail !== null && html`<small dir="auto">${detail}</small>`}</td>${figures.map((figure, at) => html`<td data-name="${columns[at + 1]}">${figure}</td>`)}</tr>`,
  )}</tbody></table>`;
}
