import Pdf from 'pdfkit';
import { LIGHT } from '#domain/theme.ts';
import { embedInvoice } from './factur-x.ts';
import { type FontFile, type Fonts, openFonts, type Weight } from './fonts.ts';
import { type Kind, type Line, linesOf } from './runs.ts';
import type { PrintedDocument } from './printed-document.ts';

/** In points, of which an inch has 72. A4 is 595 by 842. */
const MARGIN = 56;
const GAP = 16;

const kindOf = ({ align }: Place): Kind => (align === 'right' ? 'figures' : 'text');

type TextStyle = { size: number; weight?: Weight; color?: string };
type Place = { x: number; width: number; align?: 'left' | 'right' };

const BODY: TextStyle = { size: 10 };
const SMALL: TextStyle = { size: 8.5, color: LIGHT['ink-soft'] };
const FAINT: TextStyle = { size: 8.5, color: LIGHT['ink-faint'] };

const pageText = (title: string, page: number, count: number): string =>
  `${title} · Page ${page} of ${count}`;

/**
 * The document as a PDF of A4 pages: PDF/A-3, for archives, which must keep documents for years, and tagged, for readers
 * that do not see it. `invoice` is the XML of its e-invoice, which the file then holds. The same document always gives the
 * same bytes. Throws UnprintableError if no font has a letter of it. [DOCU-06]
 */
export async function documentPdf(
  printed: PrintedDocument,
  { issuedAt, creator, invoice = null }: { issuedAt: Date; creator: string; invoice?: string | null },
): Promise<Buffer> {
  const fonts = await openFonts([...textsOf(printed), pageText(printed.title, 1234567890, 0)]);
  const pdf = new Paper({
    subset: 'PDF/A-3a',
    pdfVersion: '1.7',
    tagged: true,
    size: 'A4',
    margins: { top: MARGIN, right: MARGIN, bottom: MARGIN + 20, left: MARGIN },
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    font: '',
    info: { Title: printed.title, Creator: creator, Producer: creator, CreationDate: issuedAt, ...PDF_A },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const sheet = new Sheet(pdf, fonts);
  draw(sheet, printed);
  sheet.numberPages(printed.title);
  if (invoice !== null) embedInvoice(pdf, invoice, issuedAt);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

/** With more of them in a line, the number of a document has no room in one piece. */
const FACTS_OF_LINE = 5;

/** The library says it in the metadata of the file. Poppler's `pdfinfo` looks for it here. */
const PDF_A = { GTS_PDFA1Version: 'PDF/A-3a:2012' };

/** Every text of a document, in no order. */
export function textsOf(printed: PrintedDocument): string[] {
  return [
    printed.title,
    printed.label ?? '',
    ...printed.facts.flat(),
    ...printed.parties.flatMap(({ role, name, lines }) => [role, name, ...lines]),
    ...printed.columns,
    ...printed.rows.flatMap(({ cells, detail }) => [...cells, detail ?? '']),
    printed.noRows,
    ...printed.totals.flatMap(({ name, amount }) => [name, amount]),
    ...printed.notes,
  ];
}

function draw(sheet: Sheet, printed: PrintedDocument): void {
  if (printed.label !== null) {
    sheet.line(printed.label, { size: 9, weight: 600, color: LIGHT.bad });
    sheet.skip(GAP);
  }
  sheet.line(printed.title, { size: 20, weight: 600 }, { tag: 'H1' });
  sheet.skip(GAP);
  drawFacts(sheet, printed.facts);
  sheet.skip(GAP * 1.5);
  drawParties(sheet, printed.parties);
  sheet.skip(GAP * 1.5);
  if (printed.rows.length === 0) sheet.line(printed.noRows, BODY);
  else sheet.within('Table', () => drawRows(sheet, printed));
  sheet.skip(GAP);
  sheet.within('Table', () => drawTotals(sheet, printed.totals));
  sheet.skip(GAP * 1.5);
  for (const note of printed.notes) {
    sheet.line(note, SMALL);
    sheet.skip(3);
  }
}

function drawFacts(sheet: Sheet, facts: PrintedDocument['facts']): void {
  const lines = Math.ceil(facts.length / FACTS_OF_LINE);
  const columns = Math.ceil(facts.length / lines);
  const width = sheet.width / columns;
  for (let line = 0; line < lines; line += 1) {
    if (line > 0) sheet.skip(8);
    sheet.side(
      facts.slice(line * columns, (line + 1) * columns).map(([name, value], at) => () => {
        const place = { x: sheet.left + at * width, width: width - 8 };
        sheet.line(name, FAINT, { place });
        sheet.line(value, BODY, { place });
      }),
    );
  }
}

function drawParties(sheet: Sheet, parties: PrintedDocument['parties']): void {
  const width = sheet.width / parties.length;
  sheet.side(
    parties.map(({ role, name, lines }, at) => () => {
      const place = { x: sheet.left + at * width, width: width - GAP };
      sheet.line(role, FAINT, { place, tag: 'H2' });
      sheet.line(name, { ...BODY, weight: 600 }, { place });
      for (const line of lines) sheet.line(line, BODY, { place });
    }),
  );
}

/** The first column takes the width that the figures leave. */
function drawRows(sheet: Sheet, { columns, rows }: PrintedDocument): void {
  const figureWidth = columns.length > 3 ? 84 : 92;
  const firstWidth = sheet.width - figureWidth * (columns.length - 1);
  const placeOf = (at: number): Place =>
    at === 0
      ? { x: sheet.left, width: firstWidth - 8 }
      : { x: sheet.left + firstWidth + (at - 1) * figureWidth, width: figureWidth, align: 'right' };
  const head = () => {
    sheet.row(
      columns.map((name, at) => () => sheet.line(name, FAINT, { place: placeOf(at) })),
      'TH',
    );
    sheet.rule(LIGHT['line-strong'], 3);
  };
  head();
  for (const { cells, detail } of rows) {
    const [first = ''] = cells;
    const height =
      sheet.heightOf(first, BODY, placeOf(0)) +
      (detail === null ? 0 : sheet.heightOf(detail, SMALL, placeOf(0)));
    if (!sheet.hasRoom(height + 16)) {
      sheet.nextPage();
      sheet.asDecoration('Pagination', head);
    }
    sheet.skip(5);
    sheet.row([
      () => {
        sheet.line(first, BODY, { place: placeOf(0) });
        if (detail !== null) sheet.line(detail, SMALL, { place: placeOf(0) });
      },
      ...cells.slice(1).map((cell, at) => () => sheet.line(cell, BODY, { place: placeOf(at + 1) })),
    ]);
    sheet.rule(LIGHT.line, 5);
  }
}

function drawTotals(sheet: Sheet, totals: PrintedDocument['totals']): void {
  const width = 240;
  const x = sheet.left + sheet.width - width;
  if (!sheet.hasRoom(totals.length * 24)) sheet.nextPage();
  for (const { name, amount, isMain } of totals) {
    if (isMain) sheet.rule(LIGHT.ink, 4, { x, width });
    const style: TextStyle = isMain ? { size: 12, weight: 600 } : { ...BODY, color: LIGHT['ink-soft'] };
    sheet.skip(3);
    sheet.row([
      () => sheet.line(name, style, { place: { x, width: width - 100 } }),
      () => sheet.line(amount, style, { place: { x: x + width - 100, width: 100, align: 'right' } }),
    ]);
  }
}

/**
 * Says what a reader copies of a text. The library's `markContent` would say it around the text's change of coordinates,
 * and Poppler would look for the text elsewhere on the page.
 */
class Paper extends Pdf {
  /** For the texts that follow; null if their glyphs say it. */
  actual: string | null = null;

  override addContent(data: string | Buffer): this {
    const isMarked = this.actual !== null;
    if (isMarked && data === 'BT')
      super.addContent(`/Span <</ActualText <feff${utf16Of(this.actual as string)}>>> BDC`);
    super.addContent(data);
    if (isMarked && data === 'ET') super.addContent('EMC');
    return this;
  }

  /** The library writes the texts into the XML of the metadata as they are. */
  override endMetadata(): void {
    const { info } = this;
    const { Title = '', Creator = '', Producer = '' } = info;
    this.info = {
      ...info,
      Title: xmlText(Title),
      Creator: xmlText(Creator),
      Producer: xmlText(Producer),
    };
    super.endMetadata();
    this.info = info;
  }
}

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Big endian, in hexadecimal digits. */
const utf16Of = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('');

/** Puts texts below each other, each with its fonts and with a tag that says what it is. */
class Sheet {
  readonly #pdf: Paper;
  readonly #fonts: Fonts;
  readonly #registered = new Set<FontFile>();
  /** The element in which texts are; null while decoration is drawn, which is in none. */
  #parent: PDFKit.PDFStructureElement | null;
  readonly left = MARGIN;
  readonly width: number;

  constructor(pdf: Paper, fonts: Fonts) {
    this.#pdf = pdf;
    this.#fonts = fonts;
    this.width = pdf.page.width - 2 * MARGIN;
    this.#parent = pdf.struct('Document');
    pdf.addStructure(this.#parent);
  }

  skip(points: number): void {
    this.#pdf.y += points;
  }

  hasRoom(points: number): boolean {
    return this.#pdf.y + points <= this.#pdf.page.maxY();
  }

  nextPage(): void {
    this.#pdf.addPage();
  }

  rule(color: string, space: number, { x, width }: Place = { x: this.left, width: this.width }): void {
    this.skip(space);
    this.asDecoration('Layout', () => {
      this.#pdf
        .moveTo(x, this.#pdf.y)
        .lineTo(x + width, this.#pdf.y)
        .lineWidth(0.75)
        .strokeColor(color)
        .stroke();
    });
  }

  /** Draws blocks beside each other, and goes on below the longest. */
  side(blocks: (() => void)[]): void {
    const top = this.#pdf.y;
    let bottom = top;
    for (const block of blocks) {
      this.#pdf.y = top;
      block();
      bottom = Math.max(bottom, this.#pdf.y);
    }
    this.#pdf.y = bottom;
  }

  /** A row of a table, with a block for each cell. */
  row(blocks: (() => void)[], tag: 'TD' | 'TH' = 'TD'): void {
    this.within('TR', () => this.side(blocks.map((block) => () => this.within(tag, block))));
  }

  heightOf(text: string, style: TextStyle, place: Place): number {
    return this.#linesOf(text, style, place).length * lineHeight(style);
  }

  line(
    text: string,
    style: TextStyle,
    {
      place = { x: this.left, width: this.width },
      tag = 'P',
    }: { place?: Place; tag?: 'P' | 'H1' | 'H2' } = {},
  ): void {
    const write = () => {
      for (const line of this.#linesOf(text, style, place)) {
        if (!this.hasRoom(lineHeight(style))) this.nextPage();
        this.#write(line, style, place);
      }
    };
    if (this.#parent) this.#parent.add(this.#pdf.struct(tag, {}, write));
    else write();
  }

  /** Puts what `block` draws into an element. */
  within(tag: 'Table' | 'TR' | 'TD' | 'TH', block: () => void): void {
    const parent = this.#parent;
    if (!parent) return block();
    // The types of the library lack the scope.
    const scope = { scope: 'Column' } as PDFKit.Mixins.StructureElementOptions;
    const element = this.#pdf.struct(tag, tag === 'TH' ? scope : {});
    parent.add(element);
    this.#parent = element;
    block();
    element.end();
    this.#parent = parent;
  }

  /** Draws what readers that do not see the page leave out. */
  asDecoration(type: 'Layout' | 'Pagination', block: () => void): void {
    const parent = this.#parent;
    // Decoration can hold no other decoration.
    if (!parent) return block();
    this.#parent = null;
    this.#pdf.markContent('Artifact', { type });
    block();
    this.#pdf.endMarkedContent();
    this.#parent = parent;
  }

  numberPages(title: string): void {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      this.#pdf.switchToPage(start + at);
      // The footer stands in the margin, where a text would begin a new page.
      this.#pdf.page.margins.bottom = 0;
      this.#pdf.y = this.#pdf.page.height - MARGIN;
      this.asDecoration('Pagination', () => this.line(pageText(title, at + 1, count), FAINT));
    }
  }

  #linesOf(text: string, { size, weight = 400 }: TextStyle, place: Place): Line[] {
    return linesOf(this.#fonts.lettersOf(text, weight), kindOf(place), place.width / size);
  }

  /** Letters of the same font file are written at once, so that the text can be selected and searched. */
  #write({ runs, width }: Line, style: TextStyle, place: Place): void {
    const { y } = this.#pdf;
    let x = place.align === 'right' ? place.x + place.width - width * style.size : place.x;
    this.#pdf.fillColor(style.color ?? LIGHT.ink);
    for (const run of runs) {
      this.#use(run.file, style.size);
      this.#pdf.actual = run.actual;
      this.#pdf.text(run.text, x, y + ASCENT * style.size, {
        lineBreak: false,
        // The types know the features that are on, and the library also takes those that are off.
        features: run.features as unknown as PDFKit.Mixins.OpenTypeFeatures[],
        baseline: 'alphabetic',
      });
      x += run.width * style.size;
    }
    this.#pdf.y = y + lineHeight(style);
  }

  #use(file: FontFile, size: number): void {
    if (!this.#registered.has(file)) this.#pdf.registerFont(file.name, file.data);
    this.#registered.add(file);
    this.#pdf.font(file.name, size);
  }
}

/** From the top of a line to the baseline that all fonts share, in ems: that of Inter. */
const ASCENT = 0.97;

const lineHeight = ({ size }: TextStyle): number => size * 1.4;
