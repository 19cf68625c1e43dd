/** The search, the audit trail and the documents of the console. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listAudit } from '#domain/operator/console/audit-contract.ts';
import { getIssuedDocument } from '#domain/operator/console/documents-contract.ts';
import { findAnything, findOfKind } from '#domain/operator/console/find-contract.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { answer } from '#web/testing/answers.ts';
import { see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const operator = person('both', { isOperator: true });

async function open(path: string): Promise<void> {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  await openPage(path, { as: operator });
}

const hit = {
  path: '/operator/people/5',
  name: 'bo@daily.example',
  about: 'Bo',
  isSuspended: true,
  number: '5',
};

it('one field finds things and pages from everywhere, and ⌘K leads to it', async () => {
  answer(listAudit, []);
  await open('/operator/audit');
  await see(page.getByText('Nothing yet'));
  await userEvent.keyboard('{Control>}k{/Control}');
  const field = page.getByRole('combobox', { name: /^Find people/ });
  await expect.element(field).toHaveFocus();
  const calls = answer(findAnything, {
    groups: [{ kind: 'person', items: [hit], hasMore: true }],
    isReference: false,
  });
  await userEvent.keyboard('aud');
  await userEvent.keyboard('{Enter}');
  await see(page.getByRole('link', { name: 'bo@daily.example' }));
  expect(calls[0]?.query).toEqual({ q: 'aud' });
  await see(page.getByRole('region', { name: 'Pages' }).getByRole('link', { name: 'Audit trail' }));
  await see(page.getByText('Suspended'));
  answer(findOfKind, [hit]);
  await page.getByRole('link', { name: 'All people that match' }).click();
  await see(page.getByRole('heading', { name: 'Find: People' }));
});

it('the title of a page opens it', async () => {
  answer(findAnything, { groups: [], isReference: false });
  await open('/operator/find');
  await see(page.getByText('What are you looking for?'));
  answer(listAudit, []);
  await page.getByRole('combobox', { name: /^Find people/ }).fill('audit Trail');
  await userEvent.keyboard('{Enter}');
  await see(page.getByRole('heading', { name: 'Audit trail' }));
});

it('a reference of an error leads to the log', async () => {
  answer(findAnything, { groups: [], isReference: true });
  await open('/operator/find?q=00000000-0000-4000-8000-000000000001');
  await see(page.getByText('Is this the reference of an error?'));
});

it('a search that is too long is refused with a sentence', async () => {
  await open(`/operator/find?q=${'x'.repeat(5000)}`);
  await see(page.getByText('Search for at most 100 characters.'));
});

it('the audit trail says who did what and why, with the answers', async () => {
  const calls = answer(listAudit, [
    {
      id: 12,
      at: '2026-11-01T10:00:00.000Z',
      text: 'Suspended the website “The Daily Slot”',
      by: 'pat@site.example',
      byId: 2,
      reason: 'Unclear owner',
      path: '/operator/websites/3',
      answer: { path: '/operator/appeals/12', outcome: null },
    },
  ]);
  await open('/operator/audit?from=12');
  await expect
    .element(page.getByRole('link', { name: 'Suspended the website “The Daily Slot”' }))
    .toHaveAttribute('href', '/operator/websites/3');
  await see(page.getByText('Unclear owner'));
  await expect
    .element(page.getByRole('link', { name: 'Answered, waits for your decision' }))
    .toHaveAttribute('href', '/operator/appeals/12');
  expect(calls[0]?.query).toEqual({ from: 12 });
});

it('a document has its facts, lines, sums and files', async () => {
  answer(getIssuedDocument, {
    number: 'R-2026-000001',
    title: 'Receipt R-2026-000001',
    label: 'Sandbox: no real money moved.',
    facts: [{ name: 'Date', value: 'Nov 1, 2026' }],
    parties: [{ role: 'For', name: 'Brot & Söhne', lines: ['Berlin'] }],
    columns: ['Item', 'Amount'],
    rows: [{ cells: ['14 days', '$50.00'], detail: 'Below the recipe' }],
    noRows: 'Nothing was sold.',
    totals: [{ name: 'Total', amount: '$50.00', isMain: true }],
    notes: ['Paid by card.'],
    personId: 5,
    pdf: '/operator/documents/R-2026-000001.pdf',
    xml: null,
  });
  await open('/operator/documents/R-2026-000001');
  await see(page.getByRole('heading', { name: 'Receipt R-2026-000001' }));
  await see(page.getByText('Brot & Söhne'));
  await see(page.getByRole('table').getByText('Below the recipe'));
  await expect
    .element(page.getByRole('link', { name: 'Download PDF' }))
    .toHaveAttribute('href', '/operator/documents/R-2026-000001.pdf');
  await expect.element(page.getByRole('link', { name: /e-invoice/ })).not.toBeInTheDocument();
});
