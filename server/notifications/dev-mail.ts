import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { escapeHtml } from '../http/html.ts';
import { sendPage, sourceHash } from '../http/page.ts';
import { MAIL_STYLE } from './layout.ts';
import { findMessage, listMessages, type MessageRow } from './store.ts';

/**
 * The mail that development keeps instead of sending it, to be read by whoever runs the server: a mailbox at
 * `/dev/mail`, and `/dev/mail.json?to=` for scripts. They hold codes, so they exist in development without a relay
 * only.
 */
export function registerDevMail(app: FastifyInstance, ctx: Context): void {
  if (ctx.config.production || ctx.mailer.kind === 'relay') return;
  const page = { config: { page: true } };

  app.get('/dev/mail', page, async (_request, reply) =>
    sendPage(reply, {
      title: 'Kept mail',
      main: `<h1>Kept mail</h1>
<p class="quiet">Nothing leaves this machine: what Openslot would send is kept here, newest first.</p>
<div class="mailbox">${list(await listMessages(ctx.db))}</div>`,
      wide: true,
      script: FOLLOW,
    }),
  );

  app.get('/dev/mail.json', async (request, reply) => {
    const { to } = request.query as { to?: unknown };
    // PostgreSQL's text cannot hold U+0000.
    const recipient = typeof to === 'string' ? to.replaceAll('\0', '').trim().toLowerCase() : undefined;
    const messages = await listMessages(ctx.db, recipient);
    return reply.header('cache-control', 'no-store').send(messages.map((row) => asJson(row)));
  });

  app.get('/dev/mail/:id', page, async (request, reply) => {
    const message = await messageOf(ctx, request.params);
    const { view } = request.query as { view?: unknown };
    return sendPage(reply, {
      title: message.subject,
      main: `<div class="mailbox one-open">${list(await listMessages(ctx.db), message.id)}
${opened(message, view === 'text')}</div>`,
      wide: true,
      script: FOLLOW,
    });
  });

  app.get('/dev/mail/:id/html', async (request, reply) => {
    const message = await messageOf(ctx, request.params);
    return reply
      .header('content-security-policy', MESSAGE_POLICY)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(message.bodyHtml);
  });
}

/** The message's own style and pictures of this server; nothing that runs, and nothing from elsewhere. */
const MESSAGE_POLICY = [
  "default-src 'none'",
  `style-src ${sourceHash(MAIL_STYLE)}`,
  "style-src-attr 'unsafe-inline'",
  "img-src 'self'",
  "frame-ancestors 'self'",
].join('; ');

async function messageOf(ctx: Context, params: unknown): Promise<MessageRow> {
  const { id } = params as { id: string };
  const message = /^[1-9]\d{0,8}$/.test(id) ? await findMessage(ctx.db, Number(id)) : undefined;
  if (!message) throw notFound('This message is not kept here.');
  return message;
}

function asJson(row: MessageRow) {
  const { id, recipient, kind, subject, bodyText, bodyHtml, createdAt } = row;
  return { id, recipient, kind, subject, text: bodyText, html: bodyHtml, createdAt: createdAt.toISOString() };
}

function list(messages: MessageRow[], openId?: number): string {
  const items = messages.map(
    ({ id, subject, recipient, createdAt }) =>
      `<li id="mail-${id}"><a href="/dev/mail/${id}"${id === openId ? ' aria-current="page"' : ''}><strong dir="auto">${escapeHtml(subject)}</strong> <span class="to">to ${escapeHtml(recipient)}</span> ${time(createdAt)}</a></li>`,
  );
  const none =
    items.length === 0
      ? '<p class="quiet" id="none">No mail yet. Sign up, and the code appears here.</p>'
      : '';
  return `<nav aria-label="All mail">${none}<ol id="list"${none && ' hidden'}>${items.join('\n')}</ol></nav>`;
}

function opened(row: MessageRow, asText: boolean): string {
  const tab = (label: string, href: string, current: boolean) =>
    `<a href="${href}"${current ? ' aria-current="page"' : ''}>${label}</a>`;
  const body = asText
    ? `<pre dir="auto">${escapeHtml(row.bodyText)}</pre>`
    : `<iframe title="The message" src="/dev/mail/${row.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  return `<article class="message">
<p class="back"><a href="/dev/mail">All mail</a></p>
<header><h1 dir="auto">${escapeHtml(row.subject)}</h1>
<div class="quiet">to ${escapeHtml(row.recipient)}, ${time(row.createdAt)}</div></header>
<nav class="tabs" aria-label="Show as">${tab('HTML', `/dev/mail/${row.id}`, !asText)}${tab('Text', `/dev/mail/${row.id}?view=text`, asText)}</nav>
${body}
</article>`;
}

function time(at: Date): string {
  const utc = at.toISOString();
  return `<time datetime="${utc}">${utc.slice(0, 10)} ${utc.slice(11, 16)} UTC</time>`;
}

/** Puts new mail on top without a reload, which would take the keyboard's place away. Without it the page stands. */
const FOLLOW = `const list = document.getElementById('list');
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch('/dev/mail').catch(() => null);
  if (!answer || !answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const item of [...page.querySelectorAll('#list > li')].reverse()) {
    if (!document.getElementById(item.id)) list.prepend(item);
  }
  if (list.children.length === 0) return;
  list.hidden = false;
  document.getElementById('none')?.remove();
}, 2000);`;
