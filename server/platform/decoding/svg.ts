/**
 * Writes an SVG anew from what a logo needs, so that no script and no foreign address is left
 * (docs/decisions/088-settings-in-the-database.md).
 */
import { Parser } from 'htmlparser2';
import { Refusal } from './kinds.ts';

const MAX_ELEMENTS = 2000;
const MAX_DEPTH = 32;
/** Renderers of a very flat or very high picture would need much memory. */
const MAX_RATIO = 20;
/** The longer side of the result, whatever unit the file has. */
const LONGER_SIDE = 512;

const ELEMENTS = new Set(
  `svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask symbol use
  pattern title desc style`.split(/\s+/),
);
const ATTRIBUTES = new Set(
  `id class style transform d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height points viewBox preserveAspectRatio
  pathLength offset gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits
  patternContentUnits patternTransform clip-path clip-rule mask fill fill-opacity fill-rule stroke stroke-width
  stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display
  visibility overflow stop-color stop-opacity vector-effect mix-blend-mode isolation paint-order mask-type href`.split(
    /\s+/,
  ),
);
const SVG = 'http://www.w3.org/2000/svg';
/** The size of the whole picture is written anew. */
const OF_ROOT = new Set(['width', 'height', 'x', 'y', 'viewBox']);
/** Editors keep their own notes in these. They are left out with all that is in them. */
const NOTES = /^(?:metadata|(?!svg:)[a-z][\w-]*:(?!script|foreignobject)[\w-]+)$/i;
/** A reference to something in the same file. */
const LOCAL = /url\(\s*(["']?)#[\w.-]+\1\s*\)/gi;
const REFERENCE = /^#[\w.-]+$/;

const refusal = (message: string) => new Refusal(415, message);
const FOREIGN = 'The SVG loads something from elsewhere. Export it again with everything in it.';
const UNREADABLE = 'This SVG can’t be read. Export it again as a plain SVG.';

/** Returns the SVG and its size in pixels. Throws Refusal with the reason. */
export function cleanSvg(bytes: Buffer): { width: number; height: number; bytes: Uint8Array } {
  const writer = new Writer();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => writer.open(name, attributes),
      onclosetag: (name) => writer.close(name),
      ontext: (text) => writer.text(text),
      onprocessinginstruction(name) {
        if (name.toLowerCase() !== '?xml')
          throw refusal('The SVG has a document type or an instruction. Export it again as a plain SVG.');
      },
    },
    { xmlMode: true },
  );
  parser.end(textOf(bytes));
  return writer.result();
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal(UNREADABLE);
  }
}

type Size = { width: number; height: number; viewBox: string };

class Writer {
  #out = '';
  /** The names of the open elements. */
  readonly #open: string[] = [];
  /** The ids of the open elements. */
  readonly #ids: (string | undefined)[] = [];
  /** How many elements are open below the notes of an editor. */
  #notes = 0;
  #elements = 0;
  #size: Size | undefined;
  readonly #used = new Set<string>();
  /** The ids of elements that use others. */
  readonly #using = new Set<string>();

  open(name: string, attributes: Record<string, string>): void {
    if (++this.#elements > MAX_ELEMENTS || this.#open.length >= MAX_DEPTH)
      throw refusal('The SVG has too many parts. Simplify the drawing and export it again.');
    if (this.#notes > 0 || NOTES.test(name)) {
      this.#notes++;
      return;
    }
    if (!ELEMENTS.has(name)) throw refusal(whyNot(name));
    if ((this.#open.length === 0) !== (name === 'svg') || (name === 'svg' && this.#size !== undefined))
      throw refusal(UNREADABLE);
    // A Map, because an old and a new name of the same reference must not stand twice.
    const kept = [
      ...new Map(
        Object.entries(attributes)
          .flatMap(([key, value]) => keptAttribute(key, value))
          .filter(([key]) => name !== 'svg' || !OF_ROOT.has(key)),
      ),
    ];
    if (name === 'svg') this.#size = sizeOf(attributes);
    this.#open.push(name);
    this.#ids.push(attributes['id']);
    if (name === 'use') {
      for (const [key, value] of kept) if (key === 'href') this.#used.add(value.slice(1));
      for (const id of this.#ids) if (id !== undefined) this.#using.add(id);
    }
    if (name === 'svg' && this.#size) {
      const { width, height, viewBox } = this.#size;
      kept.unshift(
        ['xmlns', SVG],
        ['width', String(width)],
        ['height', String(height)],
        ['viewBox', viewBox],
      );
    }
    this.#out += `<${name}${kept.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}>`;
  }

  close(name: string): void {
    if (this.#notes > 0) {
      this.#notes--;
      return;
    }
    if (this.#open.pop() !== name) throw refusal(UNREADABLE);
    this.#ids.pop();
    this.#out += `</${name}>`;
  }

  text(text: string): void {
    if (this.#notes > 0) return;
    const inside = this.#open.at(-1) ?? '';
    if (inside === 'style') {
      requireLocal(text);
      if (/@|<!--/.test(text)) throw refusal(FOREIGN);
    }
    if (['style', 'title', 'desc'].includes(inside)) this.#out += escaped(text);
  }

  result(): { width: number; height: number; bytes: Uint8Array } {
    if (!this.#size || this.#open.length > 0) throw refusal(UNREADABLE);
    // Parts that use parts that use parts would double with each level.
    if ([...this.#used].some((id) => this.#using.has(id)))
      throw refusal('The SVG has a copy of a copy. Expand the symbols and export it again.');
    const { width, height } = this.#size;
    return { width, height, bytes: Buffer.from(this.#out) };
  }
}

function whyNot(name: string): string {
  if (name.toLowerCase().endsWith('script')) return 'The SVG has a script. Export it again without it.';
  if (/^(?:text|tspan|textPath|font)$/.test(name))
    return 'The SVG has text, which looks different on each device. Convert the text to paths and export it again.';
  return `The SVG has the element “${name.slice(0, 40)}”, which a logo can’t have. Export it again as a plain SVG.`;
}

/** Throws Refusal for an attribute that runs something or leads elsewhere. Leaves out what a logo does not need. */
function keptAttribute(name: string, value: string): [string, string][] {
  const local = name.toLowerCase().replace(/^.*:/, '');
  if (local.startsWith('on')) throw refusal('The SVG has a script. Export it again without it.');
  if (name.startsWith('xmlns')) return [];
  if (local === 'href') {
    if (!REFERENCE.test(value.trim())) throw refusal(FOREIGN);
    return [['href', value.trim()]];
  }
  if (!ATTRIBUTES.has(name)) return [];
  requireLocal(value);
  return [[name, value]];
}

/** Throws Refusal if a value or a style names an address. An escape could hide one. */
function requireLocal(value: string): void {
  if (
    /[\\]|\/\/|\/\*|(?:url|image|image-set|src|expression)\s*\(|(?:javascript|data)\s*:/i.test(
      value.replaceAll(LOCAL, ''),
    )
  )
    throw refusal(FOREIGN);
}

/**
 * In pixels, with the longer side of LONGER_SIDE. Without a view box, a picture of another size would not grow with it.
 */
function sizeOf({ viewBox, width, height }: Record<string, string>): Size {
  const box =
    viewBox
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const inPixels = (text = '') =>
    /^[\d.]+(?:px)?$/.test(text.trim()) ? Number.parseFloat(text) : Number.NaN;
  const [wide, high] = box.length === 4 ? [box[2] ?? 0, box[3] ?? 0] : [inPixels(width), inPixels(height)];
  if (!(wide > 0 && high > 0 && wide < 1e6 && high < 1e6))
    throw refusal('The SVG has no size. Export it again with a viewBox.');
  if (wide / high > MAX_RATIO || high / wide > MAX_RATIO)
    throw refusal('The SVG is too long and thin. Export it again with less space around it.');
  const scale = LONGER_SIDE / Math.max(wide, high);
  const [left, top] = box.length === 4 ? box : [0, 0];
  if (!Number.isFinite(left) || !Number.isFinite(top)) throw refusal(UNREADABLE);
  return {
    width: Math.round(wide * scale),
    height: Math.round(high * scale),
    viewBox: `${left} ${top} ${wide} ${high}`,
  };
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
