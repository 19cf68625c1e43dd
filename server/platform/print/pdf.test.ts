import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesInPdf, textOfPdf } from '#server/testing/pdf.ts';
import { outputOf, readerIsHere } from '#server/testing/programs/readers.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { documentPdf } from './pdf.ts';
import type { PrintedDocument } from './printed-document.ts';

const PRINTED: PrintedDocument = {
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
const OF = { issuedAt: new Date('2026-01-10T10:00:00Z'), creator: 'Brot & Rad' };

const XML = '<?xml version="1.0"?><a>é 上</a>';

/** The script of each, and what a reader of it would copy. */
const NAMES = {
  Latin: 'Nguyễn Łódź Straße',
  Greek: 'Ποδήλατα Αθήνα',
  Cyrillic: 'Велосипеды Київ',
  Chinese: '上海自行车有限公司',
  Japanese: '株式会社ラーメン広告',
  Korean: '한국 자전거 회사',
  Arabic: 'شركة الإعلانات السلام',
  Persian: 'خرید دوچرخه پژوهش',
  Hebrew: 'חנות (אופניים) תל אביב',
  Devanagari: 'क्षत्रिय विज्ञापन कंपनी हिन्दी',
  Thai: 'ร้านจักรยานไทย น้ำ กำลัง',
  emoji: '🚲 👩‍🚀 🇩🇪 ✨ 1️⃣',
};

const MANY: PrintedDocument = {
  ...PRINTED,
  parties: [
    { role: 'From', name: 'Slot Market GmbH', lines: Object.values(NAMES) },
    { role: 'To', name: NAMES.Chinese, lines: [NAMES.Devanagari] },
  ],
  // More than a page.
  rows: Array.from({ length: 60 }, (_, at) => ({
    cells: [`Advertising: “${NAMES.Japanese}” ${at}`, '$119.00'],
    detail: `7 days in ${NAMES.Thai} on ${NAMES.Greek}.`,
  })),
};

// Proves DOCU-06
it('says that it is a PDF/A-3 with the colors of its output, and has the same bytes each time', async () => {
  const [first, second] = [await documentPdf(MANY, OF), await documentPdf(MANY, OF)];
  const text = first.toString('latin1');
  expect(text).toMatch(/^%PDF-1\.7/);
  expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
  expect(text).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
  expect(text).toContain('/GTS_PDFA1');
  expect(first.equals(second)).toBe(true);
});

// Proves DOCU-15
it('holds an e-invoice, and says so in metadata that are XML whatever the names are', async () => {
  const bytes = await documentPdf({ ...MANY, title: 'Receipt <1> & 2' }, { ...OF, invoice: XML });
  expect(await filesInPdf(bytes)).toEqual({ 'factur-x.xml': XML });
  const text = bytes.toString('latin1');
  expect(text).toContain('/AFRelationship /Alternative');
  expect(text).toMatch(/\/AF \[\d+ 0 R\]/);
  const metadata = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(text)?.[0] ?? '';
  for (const words of [
    '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
    '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    '<pdfaSchema:prefix>fx</pdfaSchema:prefix>',
    'Brot &amp; Rad',
    'Receipt &lt;1&gt; &amp; 2',
    '<pdfaid:part>3</pdfaid:part>',
  ])
    expect(metadata).toContain(words);
  expect(metadata).not.toMatch(/&(?!\w+;)/);
  expect(await filesInPdf(await documentPdf(PRINTED, OF))).toEqual({});
});

it('tags headings, paragraphs and the cells of tables, and nothing of what only decorates', async () => {
  const text = (await documentPdf(MANY, OF)).toString('latin1');
  expect(text).toContain('/Marked true');
  const count = (tag: string) => text.split(`/S /${tag}\n`).length - 1;
  expect([count('Document'), count('H1'), count('H2'), count('Table')]).toEqual([1, 1, 2, 2]);
  // The heads of later pages are decoration, so no reader hears them again.
  expect([count('TR'), count('TH'), count('TD')]).toEqual([62, 2, 122]);
  expect(text).toContain('/Scope /Column');
});

it('refuses a letter that no font has, and prints nothing in its place', async () => {
  const of = (name: string) => documentPdf({ ...PRINTED, parties: [{ role: 'To', name, lines: [] }] }, OF);
  await expect(of('தமிழ் Ltd')).rejects.toMatchObject({ name: 'Error', letter: 'த' });
  await expect(of('Ltd \u{10140}')).rejects.toMatchObject({ letter: '\u{10140}' });
  // Marks of direction and other invisible characters need no glyph, and letters of another style are plain.
  expect(await textOfPdf(await of('\u200eLt\u2060d\u202f1'))).toContain('Ltd 1');
  expect(await textOfPdf(await of('𝗕𝗼𝗹𝗱\u2009tea ﬁve Ǆ'))).toContain('Bold tea five DŽ');
});

it('breaks long lines between words, and a long word between letters', async () => {
  const long = { ...PRINTED, notes: [`${'word '.repeat(60)}${'漢字'.repeat(90)}`] };
  const text = await textOfPdf(await documentPdf(long, OF));
  expect(text.match(/word/g)).toHaveLength(60);
  expect(text.match(/[漢字]/g)).toHaveLength(180);
});

it('prints each of many facts in one piece', async () => {
  const facts: PrintedDocument['facts'] = [
    ['Number', 'C-2026-000002'],
    ['Issued', 'Dec 1, 2026'],
    ['For receipt', 'R-2026-000018'],
    ['Paid', 'Dec 1, 2026'],
    ['Period of service', 'Dec 1, 2026'],
    ['Currency', 'EUR'],
  ];
  const text = await textOfPdf(await documentPdf({ ...PRINTED, facts }, OF));
  for (const value of facts.flat()) expect(text).toContain(value);
});

const qpdf = await readerIsHere('qpdf');
const poppler = await readerIsHere('poppler');

describe('programs of other authors', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = newTemporaryFolder('pdf');
    file = path.join(folder, 'document.pdf');
    writeFileSync(file, await documentPdf(MANY, { ...OF, invoice: XML }));
  });
  afterAll(() => removeFolder(folder));

  // Proves DOCU-06
  it.skipIf(!qpdf.here)(`qpdf finds no error in the file${qpdf.note}`, async () => {
    expect(await outputOf('qpdf', ['--check', file])).toContain('No syntax or stream encoding errors found');
  });

  // Proves DOCU-06
  it.skipIf(!poppler.here)(`pdfinfo finds a tagged PDF/A-3a${poppler.note}`, async () => {
    const info = await outputOf('pdfinfo', [file]);
    expect(info).toMatch(/^Tagged: +yes$/m);
    expect(info).toMatch(/^PDF subtype: +PDF\/A-3a/m);
    expect(info).toMatch(/^Title: +Receipt R-2026-000001$/m);
  });

  // Proves DOCU-15
  it.skipIf(!poppler.here)(`pdfdetach takes the e-invoice out of it${poppler.note}`, async () => {
    expect(await outputOf('pdfdetach', ['-list', file])).toContain('factur-x.xml');
    const taken = path.join(folder, 'taken.xml');
    await outputOf('pdfdetach', ['-savefile', 'factur-x.xml', '-o', taken, file]);
    expect(readFileSync(taken, 'utf8')).toBe(XML);
  });

  it.skipIf(!poppler.here)(`pdftotext reads names in every script${poppler.note}`, async () => {
    const text = (await outputOf('pdftotext', [file, '-'])).replaceAll(/[\u202a-\u202e]/g, '');
    expect(Object.entries(NAMES).filter(([, name]) => !text.includes(name))).toEqual([]);
  });
});
