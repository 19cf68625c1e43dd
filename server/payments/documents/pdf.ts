import Pdf from 'pdfkit';
import { LIGHT } from '../../brand/theme.ts';
import { FEATURES, type FontFile, type Kind, type Letter, lettersOf, type Weight } from './fonts.ts';
import type { DocumentView } from './view.ts';

/** In points, of which an inch has 72. A4 is 595 by 842. */
const MARGIN = 56;
const GAP = 16;

/** The types know the features that are on, and the library also takes those that are off. */
const featuresOf = (kind: Kind) => FEATURES[kind] as unknown as PDFKit.Mixins.OpenTypeFeatures[];

const kindOf = ({ align }: Place): Kind => (align === 'right' ? 'figures' : 'text');

type TextStyle = { size: number; weight?: Weight; color?: string };
type Place = { x: number; width: number; align?: 'left' | 'right' };

const BODY: TextStyle = { size: 10 };
const SMALL: TextStyle = { size: 8.5, color: LIGHT['ink-soft'] };
const FAINT: TextStyle = { size: 8.5, color: LIGHT['ink-faint'] };

/**
 * The document as a PDF of A4 pages. The same document always gives the same bytes. `address` is the page of the document,
 * which can show the characters that the font lacks. [DOCU-06]
 */
export async function documentPdf(
  view: DocumentView,
  { issuedAt, address, creator }: { issuedAt: Date; address: string; creator: string },
): Promise<Buffer> {
  const pdf = new Pdf({
    // For archives, which must keep documents for years. [OWNS-107]
    subset: 'PDF/A-3b',
    pdfVersion: '1.7',
    size: 'A4',
    margins: { top: MARGIN, right: MARGIN, bottom: MARGIN + 20, left: MARGIN },
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    font: '',
    info: { Title: view.title, Creator: creator, Producer: creator, CreationDate: issuedAt },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  const sheet = new Sheet(pdf);
  draw(sheet, view);
  if (!sheet.isComplete) {
    sheet.skip(GAP / 2);
    sheet.line(
      `The font of this file lacks some characters, which are printed as “?”. All of them: ${address}`,
      SMALL,
    );
  }
  sheet.numberPages(view.title);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function draw(sheet: Sheet, view: DocumentView): void {
  if (view.label !== null) {
    sheet.line(view.label, { size: 9, weight: 600, color: LIGHT.bad });
    sheet.skip(GAP);
  }
  sheet.line(view.title, { size: 20, weight: 600 });
  sheet.skip(GAP);
  drawFacts(sheet, view.facts);
  sheet.skip(GAP * 1.5);
  drawParties(sheet, view.parties);
  sheet.skip(GAP * 1.5);
  if (view.rows.length === 0) sheet.line(view.noRows, BODY);
  else drawRows(sheet, view);
  sheet.skip(GAP);
  drawTotals(sheet, view.totals);
  sheet.skip(GAP * 1.5);
  for (const note of view.notes) {
    sheet.line(note, SMALL);
    sheet.skip(3);
  }
}

function drawFacts(sheet: Sheet, facts: DocumentView['facts']): void {
  const width = sheet.width / facts.length;
  sheet.side(
    facts.map(([name, value], at) => () => {
      const place = { x: sheet.left + at * width, width: width - 8 };
      sheet.line(name, FAINT, place);
      sheet.line(value, BODY, place);
    }),
  );
}

function drawParties(sheet: Sheet, parties: DocumentView['parties']): void {
  const width = sheet.width / parties.length;
  sheet.side(
    parties.map(({ role, name, lines }, at) => () => {
      const place = { x: sheet.left + at * width, width: width - GAP };
      sheet.line(role, FAINT, place);
      sheet.line(name, { ...BODY, weight: 600 }, place);
      for (const line of lines) sheet.line(line, BODY, place);
    }),
  );
}

/** The first column takes the width that the figures leave. */
function drawRows(sheet: Sheet, { columns, rows }: DocumentView): void {
  const figureWidth = columns.length > 3 ? 84 : 92;
  const firstWidth = sheet.width - figureWidth * (columns.length - 1);
  const placeOf = (at: number): Place =>
    at === 0
      ? { x: sheet.left, width: firstWidth - 8 }
      : { x: sheet.left + firstWidth + (at - 1) * figureWidth, width: figureWidth, align: 'right' };
  const head = () => {
    sheet.side(columns.map((name, at) => () => sheet.line(name, FAINT, placeOf(at))));
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
      head();
    }
    sheet.skip(5);
    sheet.side([
      () => {
        sheet.line(first, BODY, placeOf(0));
        if (detail !== null) sheet.line(detail, SMALL, placeOf(0));
      },
      ...cells.slice(1).map((cell, at) => () => sheet.line(cell, BODY, placeOf(at + 1))),
    ]);
    sheet.rule(LIGHT.line, 5);
  }
}

function drawTotals(sheet: Sheet, totals: DocumentView['totals']): void {
  const width = 240;
  const x = sheet.left + sheet.width - width;
  if (!sheet.hasRoom(totals.length * 24)) sheet.nextPage();
  for (const { name, amount, isMain } of totals) {
    if (isMain) sheet.rule(LIGHT.ink, 4, { x, width });
    const style: TextStyle = isMain ? { size: 12, weight: 600 } : { ...BODY, color: LIGHT['ink-soft'] };
    sheet.skip(3);
    sheet.side([
      () => sheet.line(name, style, { x, width: width - 100 }),
      () => sheet.line(amount, style, { x: x + width - 100, width: 100, align: 'right' }),
    ]);
  }
}

/** Puts texts below each other, with the font file that each of their letters needs. */
class Sheet {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #fonts = new Set<FontFile>();
  readonly left = MARGIN;
  readonly width: number;
  /** Whether every letter so far had a glyph. */
  isComplete = true;

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    this.width = pdf.page.width - 2 * MARGIN;
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
    this.#pdf
      .moveTo(x, this.#pdf.y)
      .lineTo(x + width, this.#pdf.y)
      .lineWidth(0.75)
      .strokeColor(color)
      .stroke();
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

  heightOf(text: string, style: TextStyle, place: Place): number {
    return linesOf(text, style, place).length * lineHeight(style);
  }

  line(text: string, style: TextStyle, place: Place = { x: this.left, width: this.width }): void {
    for (const letters of linesOf(text, style, place)) {
      if (!this.hasRoom(lineHeight(style))) this.nextPage();
      this.#write(letters, style, place);
    }
  }

  numberPages(title: string): void {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      this.#pdf.switchToPage(start + at);
      // The footer stands in the margin, where a text would begin a new page.
      this.#pdf.page.margins.bottom = 0;
      this.#pdf.y = this.#pdf.page.height - MARGIN;
      this.line(`${title} · Page ${at + 1} of ${count}`, FAINT);
    }
  }

  /** Letters of the same font file are written at once, so that the text can be selected and searched. */
  #write(letters: readonly Letter[], style: TextStyle, place: Place): void {
    const { y } = this.#pdf;
    let x = place.align === 'right' ? place.x + place.width - widthOf(letters, style) : place.x;
    this.#pdf.fillColor(style.color ?? LIGHT.ink);
    for (let from = 0, to = 0; from < letters.length; from = to) {
      const { file } = letters[from] as Letter;
      while (letters[to]?.file === file) to++;
      const run = letters.slice(from, to);
      this.#use(file, style.size);
      this.#pdf.text(run.map(({ text }) => text).join(''), x, y, {
        lineBreak: false,
        features: featuresOf(kindOf(place)),
      });
      x += widthOf(run, style);
    }
    this.isComplete &&= letters.every(({ isMissing }) => !isMissing);
    this.#pdf.y = y + lineHeight(style);
  }

  #use(file: FontFile, size: number): void {
    if (!this.#fonts.has(file)) this.#pdf.registerFont(file.name, file.data);
    this.#fonts.add(file);
    this.#pdf.font(file.name, size);
  }
}

const lineHeight = ({ size }: TextStyle): number => size * 1.4;

const widthOf = (letters: readonly Letter[], { size }: TextStyle): number =>
  letters.reduce((sum, { width }) => sum + width, 0) * size;

/** Breaks a text after spaces, and a word that is wider than the line between its letters. */
function linesOf(text: string, style: TextStyle, place: Place): Letter[][] {
  const { width } = place;
  const lines: Letter[][] = [];
  let line: Letter[] = [];
  let lastSpace = 0;
  let left = width;
  for (const letter of lettersOf(text, style.weight ?? 400, kindOf(place))) {
    const isSpace = letter.text === ' ';
    // A space at the end of a line takes no room.
    if (!isSpace && letter.width * style.size > left && line.length > 0) {
      const cut = lastSpace > 0 ? lastSpace : line.length;
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
      lastSpace = 0;
      left = width - widthOf(line, style);
    }
    line.push(letter);
    left -= letter.width * style.size;
    if (isSpace) lastSpace = line.length;
  }
  return [...lines, line];
}
