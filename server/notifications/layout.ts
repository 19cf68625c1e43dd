import { escapeHtml } from '../http/html.ts';

/** What a mail says. Every text is plain: the layout escapes it. */
export type Mail = {
  /** Never holds a code: subjects are shown on locked screens and in lists. */
  subject: string;
  heading: string;
  paragraphs: string[];
  code?: string;
  action?: { label: string; url: string };
  /** Small print below the action. */
  note?: string;
};

export type RenderedMail = { subject: string; text: string; html: string };

const FOOTER = 'Openslot, the open marketplace for ad space.';

/** The one layout of all mails, as text and as HTML that needs no style sheet, picture or script. */
export function renderMail(mail: Mail): RenderedMail {
  return { subject: oneLine(mail.subject), text: asText(mail), html: asHtml(mail) };
}

function asText({ heading, paragraphs, code, action, note }: Mail): string {
  const parts = [heading, ...paragraphs];
  if (code) parts.push(`    ${code}`);
  if (action) parts.push(`${action.label}:\n${action.url}`);
  if (note) parts.push(note);
  return `${[...parts, `-- \n${FOOTER}`].join('\n\n')}\n`;
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

function asHtml({ subject, heading, paragraphs, code, action, note }: Mail): string {
  const body = [
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#14181f">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((paragraph) => block(paragraph, 'font-size:16px;color:#333a45')),
    code ? codeBox(code) : '',
    action ? button(action) : '',
    note ? block(note, 'font-size:14px;color:#5d6675') : '',
  ];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f5f7;${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:520px;text-align:left">
<tr><td style="padding:0 4px 16px;font-size:18px;font-weight:600;color:#14181f">Openslot</td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid #e3e6eb;border-radius:12px">
${body.filter(Boolean).join('\n')}
</td></tr>
<tr><td style="padding:16px 4px;font-size:13px;color:#5d6675">${escapeHtml(FOOTER)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function block(text: string, style: string): string {
  return `<p style="margin:0 0 16px;line-height:1.55;${style}">${escapeHtml(text)}</p>`;
}

function codeBox(code: string): string {
  const style =
    'margin:8px 0 24px;padding:16px;background:#f4f5f7;border-radius:8px;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;font-weight:600;letter-spacing:8px;color:#14181f';
  return `<p style="${style}">${escapeHtml(code)}</p>`;
}

function button({ label, url }: { label: string; url: string }): string {
  const style =
    'display:inline-block;padding:12px 20px;background:#14181f;border-radius:8px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none';
  return `<p style="margin:0 0 24px"><a href="${escapeHtml(url)}" target="_blank" rel="noopener" style="${style}">${escapeHtml(label)}</a></p>`;
}

// A line break in a subject would begin another header.
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
