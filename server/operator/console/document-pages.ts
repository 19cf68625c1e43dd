/** The documents of record in the console. */
import { decimalOf } from '#domain/money.ts';
import { MAX_SEARCH } from '#domain/operator/forms.ts';
import { DOCUMENT_TITLES, shownCents } from '#domain/payments/documents.ts';
import { type IssuedDocument, issueDayOf, partyOf } from '#server/money/documents/issued.ts';
import { eInvoiceOf } from '#server/money/documents/invoice/invoice.ts';
import { DOCUMENT_STYLE, documentSheet, invoiceLink, shownDocument } from '#server/money/documents/page.ts';
import { html } from '#server/platform/http/html.ts';
import { hidden, searchForm } from '#server/platform/http/page/form.ts';
import { rows } from '#server/platform/http/page/parts.ts';
import type { Page } from '#server/platform/http/route.ts';
import type { ConsolePage } from './console.ts';
import { nextPage } from './markup.ts';
import { findAddress, findTabs } from './subject-pages.ts';

export function findDocumentsPage(search: string, page: Page<IssuedDocument>): ConsolePage {
  return {
    title: 'Find: Documents',
    main: html`<h1>Find</h1>
${findTabs('document', search)}
${searchForm(
  '/operator/find',
  { name: 'q', label: 'Documents: number, amount, name or tax number', value: search, max: MAX_SEARCH },
  hidden('subject', 'document'),
)}
${rows(
  page.items.map((document) => {
    const { number, content, amountCents, currency } = document;
    return html`<a href="/operator/documents/${number}">${DOCUMENT_TITLES[content.kind]} ${number}</a><span class="quiet"><bdi>${partyOf(document).name}</bdi>, ${decimalOf(shownCents(content.kind, amountCents))} ${currency}, ${issueDayOf(document)}</span>`;
  }),
  search === ''
    ? 'There is no document yet.'
    : 'Nothing matches. Write a number such as R-2026-000001, an amount such as 119.00, or a part of a name or a tax number.',
)}
${nextPage(findAddress('document', search), page.next)}`,
  };
}

export function documentPage(document: IssuedDocument & { userId: number }, language?: string): ConsolePage {
  const shown = shownDocument(document, language);
  const address = `/operator/documents/${document.number}`;
  return {
    title: shown.title,
    style: DOCUMENT_STYLE,
    main: html`${documentSheet(shown)}
<p class="quiet">Each reading is in the audit trail. The page of a deleted account does not exist any more.</p>
<p class="actions"><a class="button" href="${address}.pdf">Download PDF</a>
${eInvoiceOf(document) && invoiceLink(`${address}.xml`)}<a class="plain" href="/operator/people/${document.userId}">Open the account</a></p>`,
  };
}
