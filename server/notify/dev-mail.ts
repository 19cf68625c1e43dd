import type { FastifyInstance } from 'fastify';
import { asciiEmail } from '#domain/email-address.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { sendPage, sourceHash } from '#server/platform/http/page/page.ts';
import { tabs, time } from '#server/platform/http/page/parts.ts';
import { findMessage, listMessages, type MessageRow } from './store.ts';

/**
 * Registers the development mailbox, which keeps mail instead of sending it: `/dev/mail` for people and
 * `/dev/mail.json?to=` for scripts. The mails contain codes, so it exists only in development without a relay.
 */
export function registerDevMail(app: FastifyInstance, ctx: Context): void {
  if (ctx.mailer.kind === 'relay') return;
  const page = { config: { page: true } };

  app.get('/dev/mail', page, async (_request, reply) =>
    sendPage(reply, {
      title: 'Development mail',
      main: html`<h1>Development mail</h1>
<p class="quiet">Openslot doesn’t send email in development. Every message is kept here instead, newest first.</p>
<div class="mailbox">${list(await listMessages(ctx.db))}</div>`,
      look: 'wide',
      script: FOLLOW,
    }),
  );

  app.get('/dev/mail.json', async (request, reply) => {
    const { to } = request.query as { to?: unknown };
    // PostgreSQL's text cannot hold U+0000.
    const recipient =
      typeof to === 'string' ? asciiEmail(to.replaceAll('\0', '').trim().toLowerCase()) : undefined;
    const messages = await listMessages(ctx.db, recipient);
    return reply.header('cache-control', 'no-store').send(messages.map((row) => asJson(row)));
  });

  app.get('/dev/mail/:id', page, async (request, reply) => {
    const message = await messageOf(ctx, request.params);
    const { view } = request.query as { view?: unknown };
    return sendPage(reply, {
      title: message.subject,
      main: html`<div class="mailbox one-open">${list(await listMessages(ctx.db), message.id)}
${opened(message, view === 'text')}</div>`,
      look: 'wide',
      script: FOLLOW,
    });
  });

  app.get('/dev/mail/:id/html', async (request, reply) => {
    const message = await messageOf(ctx, request.params);
    // The page of the message frames it. `frame-ancestors` allows no other page to.
    reply.raw.removeHeader('x-frame-options');
    return reply
      .header('content-security-policy', messagePolicy(message.bodyHtml))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(message.bodyHtml);
  });
}

/** Allows the message's own style and images of this server. Nothing runs, and nothing is loaded from other hosts. */
function messagePolicy(bodyHtml: string): string {
  // The colors may have changed since the message was written.
  const style = /<style>([^]*?)<\/style>/.exec(bodyHtml)?.[1] ?? '';
  return [
    "default-src 'none'",
    `style-src ${sourceHash(style)}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}

async function messageOf(ctx: Context, params: unknown): Promise<MessageRow> {
  const { id } = params as { id: string };
  const message = /^[1-9]\d{0,8}$/.test(id) ? await findMessage(ctx.db, Number(id)) : undefined;
  if (!message) throw notFound('This message doesn’t exist. It may have been deleted.');
  return message;
}

function asJson(row: MessageRow) {
  const { id, recipient, kind, subject, bodyText, bodyHtml, createdAt } = row;
  return { id, recipient, kind, subject, text: bodyText, html: bodyHtml, createdAt: createdAt.toISOString() };
}

function list(messages: MessageRow[], openId?: number): Markup {
  const isEmpty = messages.length === 0;
  return html`<nav aria-label="All mail">
${isEmpty && html`<p class="quiet" id="none">No mail yet. Sign up, and your verification code appears here.</p>`}
<ol id="list"${isEmpty && html` hidden`}>${messages.map((message) => listItem(message, message.id === openId))}</ol></nav>`;
}

function listItem({ id, subject, recipient, createdAt }: MessageRow, isOpen: boolean): Markup {
  return html`<li id="mail-${id}"><a href="/dev/mail/${id}"${isOpen && html` aria-current="page"`}><strong dir="auto">${subject}</strong> <span class="to">to ${recipient}</span> ${time(createdAt)}</a></li>`;
}

function opened(row: MessageRow, asText: boolean): Markup {
  const body = asText
    ? html`<pre dir="auto">${row.bodyText}</pre>`
    : html`<iframe title="The message" src="/dev/mail/${row.id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`;
  return html`<article class="message">
<p class="back"><a href="/dev/mail">All mail</a></p>
<header><h1 dir="auto">${row.subject}</h1>
<div class="quiet">to ${row.recipient}, ${time(row.createdAt)}</div></header>
${tabs('Show as', [
  { href: `/dev/mail/${row.id}`, text: 'HTML', isHere: !asText },
  { href: `/dev/mail/${row.id}?view=text`, text: 'Text', isHere: asText },
])}
${body}
</article>`;
}

/** Adds new mail at the top without a reload, so that the keyboard focus stays. The page also works without it. */
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
