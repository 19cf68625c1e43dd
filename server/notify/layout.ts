import { html, type Markup, rawText } from '#server/platform/http/html.ts';
import { brandAddress, iconFile, mailFile, type Picture, sizeIn } from '#server/platform/brand/pictures.ts';
import type { Brand } from '#server/platform/settings/marketplace.ts';
import { type ColorName, LIGHT, type Palette, themesOf } from '#domain/theme.ts';

/** The content of a mail, as plain texts. */
export type Mail = {
  /** Never contains a code, because subjects appear on locked screens and in lists. */
  subject: string;
  heading: string;
  /** Stands above everything else. */
  label?: string;
  paragraphs: string[];
  /** The ad that the mail is about. */
  ad?: MailedAd;
  code?: string;
  action?: { label: string; url: string };
  /** A document about what happened, or a second page to open, below the action. */
  document?: { label: string; url: string };
  /** Small print below the action. */
  note?: string;
  /** Where the recipient can turn this kind of mail off. Absent where they can't. */
  settingsUrl?: string;
};

export type MailedAd = {
  title: string;
  description: string;
  /** 'Sidebar on The Daily' */
  zone: string;
  /** The address of an image on this server, and the width in pixels at which it is shown. */
  picture?: { url: string; width: number };
};

export type RenderedMail = { subject: string; text: string; html: string };

/** While payments move no real money, each mail about a campaign or about money says so. */
export function testLabel(mode: 'live' | 'test' | 'sandbox'): { label?: string } {
  if (mode === 'live') return {};
  const where = mode === 'sandbox' ? 'the sandbox' : 'test mode';
  return { label: `TEST: payments run in ${where}, so no money moves.` };
}

const footerOf = ({ name, tagline }: Pick<Brand, 'name' | 'tagline'>) => `${name} · ${tagline}`;
const SETTINGS = 'Choose which emails you get';

/**
 * Renders a mail as text and as HTML. The HTML consists of tables and inline styles, because many mail programs drop
 * anything else. It loads nothing, except for the image of the ad and the operator's logo, at the address
 * `home`.
 */
export function renderMail(mail: Mail, brand: Brand, home: string): RenderedMail {
  return {
    subject: oneLine(mail.subject),
    text: asText(mail, brand),
    html: asHtml(mail, brand, home).toString(),
  };
}

function asText(
  { heading, label, paragraphs, ad, code, action, document, note, settingsUrl }: Mail,
  brand: Brand,
): string {
  const parts = [...(label === undefined ? [] : [label]), heading, ...paragraphs];
  if (ad) parts.push([ad.title, ad.description, ad.zone].map((line) => `> ${oneLine(line)}`).join('\n'));
  if (code) parts.push(`    ${code}`);
  if (action) parts.push(`${action.label}:\n${action.url}`);
  if (document) parts.push(`${document.label}:\n${document.url}`);
  if (note) parts.push(note);
  const footer = settingsUrl ? `${footerOf(brand)}\n${SETTINGS}: ${settingsUrl}` : footerOf(brand);
  return `${[...parts, `-- \n${footer}`].join('\n\n')}\n`;
}

/** Renders mails that waited for each other as one. Each keeps its whole text, with its links. */
export function mergedMail(
  mails: readonly { subject: string; text: string }[],
  settingsUrl: string,
  brand: Brand,
  home: string,
): RenderedMail {
  const parts = mails.flatMap(({ subject, text }, at) => [
    `${at + 1} of ${mails.length}: ${subject}`,
    ...withoutFooter(text).split('\n\n'),
  ]);
  const subject = `${mails.length} updates from ${brand.name}`;
  return renderMail({ subject, heading: subject, paragraphs: parts, settingsUrl }, brand, home);
}

function withoutFooter(text: string): string {
  const end = text.lastIndexOf('\n\n-- \n');
  return (end < 0 ? text : text.slice(0, end)).trim();
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Dark colors, for mail programs that follow the reader's color scheme. Other programs use the inline colors. */
function mailStyle({ accent }: Pick<Brand, 'accent'>): string {
  const { dark } = themesOf(accent);
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    '@media(prefers-color-scheme:dark){',
    rule(dark, 'canvas', { 'background-color': 'canvas' }),
    rule(dark, 'surface', { 'background-color': 'surface', 'border-color': 'line' }),
    rule(dark, 'sunken', { 'background-color': 'sunken', 'border-color': 'line-strong', color: 'ink' }),
    rule(dark, 'ink', { color: 'ink' }),
    rule(dark, 'soft', { color: 'ink-soft' }),
    rule(dark, 'faint', { color: 'ink-faint' }),
    rule(dark, 'mark', { 'border-color': 'accent' }),
    rule(dark, 'button', { 'background-color': 'accent', color: 'on-accent' }),
    '}',
  ].join('');
}

function rule(palette: Palette, name: string, colors: Record<string, ColorName>): string {
  const declarations = Object.entries(colors).map(
    // Without !important, the inline styles would take precedence.
    ([property, color]) => `${property}:${palette[color]}!important`,
  );
  return `.${name}{${declarations.join(';')}}`;
}

function asHtml(mail: Mail, brand: Brand, home: string): Markup {
  const accents = themesOf(brand.accent).light;
  const { subject, heading, label, paragraphs, ad, code, action, document, note, settingsUrl } = mail;
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${subject}</title><style>${rawText(mailStyle(brand))}</style></head>
<body class="canvas" style="margin:0;padding:0;background-color:${LIGHT.canvas};${FONT};overflow-wrap:anywhere;word-break:break-word">
<div style="display:none;max-height:0;overflow:hidden">${paragraphs[0]}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="background-color:${LIGHT.canvas}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;table-layout:fixed;text-align:left">
<tr><td style="padding:0 4px 20px">${brand.logo === null ? beside(brand, accents, home) : logo(brand.name, brand.logo, home)}</td></tr>
<tr><td class="surface" style="padding:36px 32px 28px;background-color:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:14px">
${label && block(label, 'faint')}<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:1.25;letter-spacing:-0.015em;color:${LIGHT.ink}">${heading}</h1>
${paragraphs.map((paragraph) => block(paragraph))}${ad && adBox(ad)}${code && codeBox(code)}${action && button(action, accents)}${document && plainLink(document)}${note && block(note, 'faint')}</td></tr>
<tr><td class="faint" style="padding:20px 4px 0;font-size:13px;line-height:1.6;color:${LIGHT['ink-faint']}">${footerOf(brand)}${settingsUrl && settingsLink(settingsUrl)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** Mail programs that block images show the name in its place. */
function logo(name: string, picture: Picture, home: string): Markup {
  const { width, height } = sizeIn(picture, { width: 180, height: 36 });
  const style = `display:block;border:0;font-size:19px;font-weight:600;color:${LIGHT.ink}`;
  return html`<img class="ink" src="${home}${brandAddress(mailFile(picture))}" width="${width}" height="${height}" alt="${name}" style="${style}">`;
}

/**
 * The name beside the operator's icon, or beside our mark, drawn with borders: mail programs drop SVG and often block
 * images.
 */
const beside = (
  { name, icon }: Brand,
  { accent }: Palette,
  home: string,
) => html`<table role="presentation" cellpadding="0" cellspacing="0"><tr>
${
  icon === null
    ? html`<td class="mark" width="24" height="22" align="center" valign="middle" style="width:24px;height:22px;border:3px solid ${accent};border-radius:7px;font-size:0;line-height:0"><span style="display:inline-block;width:12px;height:9px;border-radius:2px;background-color:${LIGHT.lit}"></span></td>`
    : html`<td width="28"><img src="${home}${brandAddress(iconFile(icon, 180))}" width="28" height="28" alt="" style="display:block;border:0"></td>`
}
<td class="ink" style="padding-left:10px;font-size:19px;font-weight:600;letter-spacing:-0.015em;color:${LIGHT.ink}">${name}</td>
</tr></table>`;

// The sentences are ours, so they have no `dir="auto"`. With it, a sentence that begins with an Arabic title would run
// from right to left.
function block(text: string, tone: 'soft' | 'faint' = 'soft'): Markup {
  const size = tone === 'soft' ? 'font-size:16px' : 'font-size:14px';
  return html`<p class="${tone}" style="margin:0 0 16px;line-height:1.6;${size};color:${LIGHT[`ink-${tone}`]}">${text}</p>
`;
}

function adBox({ title, description, zone, picture }: MailedAd): Markup {
  const shown =
    picture &&
    html`<img src="${picture.url}" alt="${title}" width="${picture.width}" style="display:block;width:${picture.width}px;max-width:100%;height:auto;margin:0 0 12px;border:0;border-radius:4px">`;
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr>
<td class="sunken" style="padding:16px 18px;background-color:${LIGHT.sunken};border:1px dashed ${LIGHT['line-strong']};border-radius:8px;color:${LIGHT.ink}">
${shown}<p class="ink" dir="auto" style="margin:0 0 4px;font-size:16px;line-height:1.4;font-weight:600;color:${LIGHT.ink}">${title}</p>
<p class="soft" dir="auto" style="margin:0 0 10px;font-size:15px;line-height:1.5;color:${LIGHT['ink-soft']}">${description}</p>
<p class="faint" dir="auto" style="margin:0;font-size:13px;line-height:1.5;color:${LIGHT['ink-faint']}">${zone}</p>
</td></tr></table>
`;
}

function codeBox(code: string): Markup {
  const style = `margin:8px 0 24px;padding:18px;background-color:${LIGHT.sunken};border:1px dashed ${LIGHT['line-strong']};border-radius:8px;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:34px;line-height:1.2;font-weight:600;letter-spacing:10px;color:${LIGHT.ink}`;
  return html`<p class="sunken" style="${style}">${code}</p>
`;
}

function button({ label, url }: { label: string; url: string }, colors: Palette): Markup {
  const style = `display:inline-block;padding:13px 22px;border-radius:8px;background-color:${colors.accent};font-size:16px;line-height:1.25;font-weight:600;color:${colors['on-accent']};text-decoration:none`;
  return html`<p style="margin:8px 0 24px"><a class="button" href="${url}" target="_blank" rel="noopener" style="${style}">${label}</a></p>
`;
}

function plainLink({ label, url }: { label: string; url: string }): Markup {
  return html`<p class="soft" style="margin:0 0 16px;font-size:14px;line-height:1.6;color:${LIGHT['ink-soft']}"><a class="soft" href="${url}" target="_blank" rel="noopener" style="color:${LIGHT['ink-soft']}">${label}</a></p>
`;
}

function settingsLink(url: string): Markup {
  return html`<br><a class="faint" href="${url}" target="_blank" rel="noopener" style="color:${LIGHT['ink-faint']}">${SETTINGS}</a>`;
}

// A line break in a subject would start another header of the mail.
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Letters of scripts that run from right to left, and characters that change the direction. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u202a-\u202e\u2066-\u2069]/;
/** Characters that begin or end a change of direction. One that is never ended would also reverse the rest of the line. */
const MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Prepares a user's text for a sentence of ours, so that its direction doesn't affect the sentence. Plain text has no markup
 * for that, so this function uses the isolate characters of Unicode's bidirectional algorithm (UAX 9). Text
 * that can't affect the direction is returned unchanged.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replaceAll(MARKS, '')}\u2069` : text;
}
