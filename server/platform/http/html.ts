/**
 * HTML and XML made on the server. A template escapes every value that is put into it and returns a type of its own, so
 * a page cannot be given a plain string by mistake (docs/decisions/016-html-templates.md).
 */

/** Markup that is safe to send. Only `html`, `xml`, `rawText`, `jsonText`, `jsonPart` and `renderedMarkdown` make it. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}
export type { Markup };

/** Nothing is written for `null`, `undefined` and `false`, so that a part can depend on a condition. */
type Value = string | number | Markup | null | undefined | false | readonly Value[];

/**
 * A template of HTML. Strings and numbers become text, safe between tags and in quoted attributes; markup stays markup; a
 * list is written without separators.
 */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(fill(parts, values, escape));
}

/** The characters that XML 1.0 cannot hold, escaped or not (section 2.2). */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A template of XML: like `html`, without the characters that XML 1.0 cannot hold. */
export function xml(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(fill(parts, values, (text) => escape(text.replaceAll(NOT_XML, ''))));
}

/**
 * The text of a `<style>` or `<script>`. HTML reads it unescaped up to the end tag, so only constants of our own may stand
 * there. Throws where the text would end its element.
 */
export function rawText(text: string): Markup {
  if (/<[!/]/.test(text)) throw new Error('A style or script cannot hold "</" or "<!"');
  return new Markup(text);
}

/** A value as the JSON of a `<script>` of data, in which '<' is written as an escape, so that nothing ends the element. */
export function jsonText(value: object): Markup {
  return new Markup(jsonOf(value));
}

/** A part of a string in such JSON, without quotes. */
export function jsonPart(text: string): Markup {
  return new Markup(jsonOf(text).slice(1, -1));
}

const jsonOf = (value: object | string) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** HTML that the renderer of server/platform/pages/markdown.ts made, which shows the HTML in a text as text. */
export function renderedMarkdown(rendered: string): Markup {
  return new Markup(rendered);
}

function fill(
  parts: TemplateStringsArray,
  values: readonly Value[],
  write: (text: string) => string,
): string {
  let text = parts[0] as string;
  for (const [at, value] of values.entries()) text += textOf(value, write) + (parts[at + 1] as string);
  return text;
}

function textOf(value: Value, write: (text: string) => string): string {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'string') return write(value);
  if (typeof value === 'number') return String(value);
  return value ? value.map((each) => textOf(each, write)).join('') : '';
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
