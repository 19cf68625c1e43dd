import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { escapeHtml } from '../http/html.ts';
import { findMessage, listMessages, type MessageRow } from './store.ts';

/**
 * The mail that development keeps instead of sending it, to be read by whoever runs the server: pages at `/dev/mail`,
 * and `/dev/mail.json?to=` for scripts. They hold codes, so they exist in development without a relay only.
 */
export function registerDevMail(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.production || ctx.mailer.kind === 'relay') return;

  app.get('/dev/mail', async (_request, reply) => {
    return sendPage(reply, 'Kept mail', list(await listMessages(ctx.db)));
  });

  app.get('/dev/mail.json', async (request, reply) => {
    const { to } = request.query as { to?: unknown };
    // PostgreSQL's text cannot hold U+0000.
    const recipient = typeof to === 'string' ? to.replaceAll('\0', '').trim().toLowerCase() : undefined;
    const messages = await listMessages(ctx.db, recipient);
    return reply.header('cache-control', 'no-store').send(messages.map((row) => asJson(row)));
  });

  app.get('/dev/mail/:id', async (request, reply) => {
    const message = await messageOf(ctx, request.params);
    return sendPage(reply, message.subject, details(message));
  });

  app.get('/dev/mail/:id/html', async (request, reply) => {
    const message = await messageOf(ctx, request.params);
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src-attr 'unsafe-inline'; frame-ancestors 'self'",
      )
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(message.bodyHtml);
  });
}

async function messageOf(ctx: Context, params: unknown): Promise<MessageRow> {
  const { id } = params as { id: string };
  const message = /^[1-9]\d{0,8}$/.test(id) ? await findMessage(ctx.db, Number(id)) : undefined;
  if (!message) throw notFound();
  return message;
}

function asJson(row: MessageRow) {
  const { id, recipient, kind, subject, bodyText, bodyHtml, createdAt } = row;
  return { id, recipient, kind, subject, text: bodyText, html: bodyHtml, createdAt: createdAt.toISOString() };
}

function list(messages: MessageRow[]): string {
  if (messages.length === 0) return '<p>No mail yet. Sign up, and the code appears here.</p>';
  const rows = messages.map(
    (row) =>
      `<tr><td>${row.createdAt.toISOString().slice(0, 19).replace('T', ' ')}</td><td>${escapeHtml(row.recipient)}</td>` +
      `<td><a href="/dev/mail/${row.id}">${escapeHtml(row.subject)}</a></td></tr>`,
  );
  return `<table><thead><tr><th>Sent (UTC)</th><th>To</th><th>Subject</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function details(row: MessageRow): string {
  return `<p><a href="/dev/mail">All mail</a></p>
<p>To ${escapeHtml(row.recipient)}, ${row.createdAt.toISOString()}</p>
<iframe title="The message as HTML" src="/dev/mail/${row.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<h2>As text</h2>
<pre>${escapeHtml(row.bodyText)}</pre>`;
}

const STYLE = `body{max-width:860px;margin:32px auto;padding:0 16px;font:16px/1.5 system-ui,sans-serif;color:#14181f;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}th,td{padding:8px;border-bottom:1px solid #e3e6eb;text-align:left}
iframe{width:100%;height:560px;border:1px solid #e3e6eb;border-radius:8px}
pre{padding:16px;background:#f4f5f7;border-radius:8px;white-space:pre-wrap}`;

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'")
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>`,
    );
}
