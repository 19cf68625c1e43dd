import { escapeHtml } from '../http/html.ts';
import { type Colour, DARK, LIGHT } from '../http/theme.ts';

/** What a mail says. Every text is plain: the layout escapes it. */
export type Mail = {
  /** Never holds a code: subjects are shown on locked screens and in lists. */
  subject: string;
  heading: string;
  paragraphs: string[];
  /** The ad it is about. */
  ad?: MailedAd;
  code?: string;
  action?: { label: string; url: string };
  /** Small print below the action. */
  note?: string;
  /** Where such mail is turned off; absent where it cannot be. */
  settingsUrl?: string;
};

export type MailedAd = {
  title: string;
  description: string;
  /** 'Sidebar on The Daily' */
  place: string;
  /** Address of a picture on this server, shown at most this many pixels wide. */
  picture?: { url: string; width: number };
};

export type RenderedMail = { subject: string; text: string; html: string };

const FOOTER = 'Openslot, the open marketplace for ad space.';

/**
 * The one layout of all mails, as text and as HTML: tables and inline styles, because many mail programs drop
 * anything else; nothing from elsewhere but, in mail about an ad, its picture.
 */
export function renderMail(mail: Mail): RenderedMail {
  return { subject: oneLine(mail.subject), text: asText(mail), html: asHtml(mail) };
}

function asText({ heading, paragraphs, ad, code, action, note, settingsUrl }: Mail): string {
  const parts = [heading, ...paragraphs];
  if (ad) parts.push([ad.title, ad.description, ad.place].map((line) => `> ${oneLine(line)}`).join('\n'));
  if (code) parts.push(`    ${code}`);
  if (action) parts.push(`${action.label}:\n${action.url}`);
  if (note) parts.push(note);
  const footer = settingsUrl ? `${FOOTER}\nChoose what we write to you about: ${settingsUrl}` : FOOTER;
  return `${[...parts, `-- \n${footer}`].join('\n\n')}\n`;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** What stands dark where the program follows the reader's scheme; elsewhere the inline colours stand. */
export const MAIL_STYLE = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media(prefers-color-scheme:dark){',
  darkRule('canvas', { 'background-color': 'canvas' }),
  darkRule('surface', { 'background-color': 'surface', 'border-color': 'line' }),
  darkRule('sunken', { 'background-color': 'sunken', 'border-color': 'line-strong', color: 'ink' }),
  darkRule('ink', { color: 'ink' }),
  darkRule('soft', { color: 'ink-soft' }),
  darkRule('faint', { color: 'ink-faint' }),
  darkRule('mark', { 'border-color': 'accent' }),
  darkRule('button', { 'background-color': 'accent', color: 'on-accent' }),
  '}',
].join('');

function darkRule(name: string, colours: Record<string, Colour>): string {
  const declarations = Object.entries(colours).map(
    // The inline styles would win otherwise.
    ([property, colour]) => `${property}:${DARK[colour]}!important`,
  );
  return `.${name}{${declarations.join(';')}}`;
}

function asHtml({ subject, heading, paragraphs, ad, code, action, note, settingsUrl }: Mail): string {
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:1.25;letter-spacing:-0.015em;color:${LIGHT.ink}">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((paragraph) => block(paragraph)),
    ad ? adBox(ad) : '',
    code ? codeBox(code) : '',
    action ? button(action) : '',
    note ? block(note, 'faint') : '',
  ];
  const settings = settingsUrl
    ? `<br><a class="faint" href="${escapeHtml(settingsUrl)}" target="_blank" rel="noopener" style="color:${LIGHT['ink-faint']}">Choose what we write to you about</a>`
    : '';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title><style>${MAIL_STYLE}</style></head>
<body class="canvas" style="margin:0;padding:0;background-color:${LIGHT.canvas};${FONT};overflow-wrap:anywhere;word-break:break-word">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(paragraphs[0] ?? '')}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" style="background-color:${LIGHT.canvas}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" style="width:100%;max-width:600px;table-layout:fixed;text-align:left">
<tr><td style="padding:0 4px 20px">${MARK}</td></tr>
<tr><td class="surface" style="padding:36px 32px 28px;background-color:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:14px">
${body.filter(Boolean).join('\n')}
</td></tr>
<tr><td class="faint" style="padding:20px 4px 0;font-size:13px;line-height:1.6;color:${LIGHT['ink-faint']}">${escapeHtml(FOOTER)}${settings}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** The frame with the lit place, out of borders: mail programs drop SVG, and pictures are often blocked. */
const MARK = `<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td class="mark" width="24" height="22" align="center" valign="middle" style="width:24px;height:22px;border:3px solid ${LIGHT.accent};border-radius:7px;font-size:0;line-height:0"><span style="display:inline-block;width:12px;height:9px;border-radius:2px;background-color:${LIGHT.lit}"></span></td>
<td class="ink" style="padding-left:10px;font-size:19px;font-weight:600;letter-spacing:-0.015em;color:${LIGHT.ink}">Openslot</td>
</tr></table>`;

// Our own sentences, so not `dir="auto"`: one that begins with an Arabic title would run from the right.
function block(text: string, tone: 'soft' | 'faint' = 'soft'): string {
  const size = tone === 'soft' ? 'font-size:16px' : 'font-size:14px';
  return `<p class="${tone}" style="margin:0 0 16px;line-height:1.6;${size};color:${LIGHT[`ink-${tone}`]}">${escapeHtml(text)}</p>`;
}

function adBox({ title, description, place, picture }: MailedAd): string {
  const shown = picture
    ? `<img src="${escapeHtml(picture.url)}" alt="${escapeHtml(title)}" width="${picture.width}" style="display:block;width:${picture.width}px;max-width:100%;height:auto;margin:0 0 12px;border:0;border-radius:4px">`
    : '';
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr>
<td class="sunken" style="padding:16px 18px;background-color:${LIGHT.sunken};border:1px dashed ${LIGHT['line-strong']};border-radius:8px;color:${LIGHT.ink}">
${shown}<p class="ink" dir="auto" style="margin:0 0 4px;font-size:16px;line-height:1.4;font-weight:600;color:${LIGHT.ink}">${escapeHtml(title)}</p>
<p class="soft" dir="auto" style="margin:0 0 10px;font-size:15px;line-height:1.5;color:${LIGHT['ink-soft']}">${escapeHtml(description)}</p>
<p class="faint" dir="auto" style="margin:0;font-size:13px;line-height:1.5;color:${LIGHT['ink-faint']}">${escapeHtml(place)}</p>
</td></tr></table>`;
}

function codeBox(code: string): string {
  const style = `margin:8px 0 24px;padding:18px;background-color:${LIGHT.sunken};border:1px dashed ${LIGHT['line-strong']};border-radius:8px;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:34px;line-height:1.2;font-weight:600;letter-spacing:10px;color:${LIGHT.ink}`;
  return `<p class="sunken" style="${style}">${escapeHtml(code)}</p>`;
}

function button({ label, url }: { label: string; url: string }): string {
  const style = `display:inline-block;padding:13px 22px;border-radius:8px;background-color:${LIGHT.accent};font-size:16px;line-height:1.25;font-weight:600;color:${LIGHT['on-accent']};text-decoration:none`;
  return `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(url)}" target="_blank" rel="noopener" style="${style}">${escapeHtml(label)}</a></p>`;
}

// A line break in a subject would begin another header.
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
