import { expect, it } from 'vitest';
import { documentPdf } from './pdf.ts';
import type { DocumentView } from './view.ts';

const VIEW: DocumentView = {
  label: null,
  title: 'Receipt R-2026-000001',
  facts: [['Date', 'Jan 10, 2026']],
  parties: [{ role: 'Seller', name: 'Slot Market GmbH', lines: ['10115 Berlin'] }],
  columns: ['Ad', 'Amount'],
  rows: [],
  noRows: 'None',
  totals: [{ name: 'Paid', amount: '$119.00', isMain: true }],
  notes: [],
};

// Proves OWNS-107
it('says that it is a PDF/A-3 with the colors of its output, and has the same bytes each time', async () => {
  const of = {
    issuedAt: new Date('2026-01-10T10:00:00Z'),
    address: 'https://ads.example.com/api/documents/R',
    creator: 'Brot & Rad',
  };
  const [first, second] = [await documentPdf(VIEW, of), await documentPdf(VIEW, of)];
  const text = first.toString('latin1');
  expect(text).toMatch(/^%PDF-1\.7/);
  expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(text).toContain('<pdfaid:conformance>B</pdfaid:conformance>');
  expect(text).toContain('/GTS_PDFA1');
  expect(first.equals(second)).toBe(true);
});
