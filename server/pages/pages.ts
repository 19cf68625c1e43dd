import type { FastifyInstance } from 'fastify';
import { PAGE_TITLES, type PageKey, pageKey, pagePath } from '#domain/pages.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { dayText } from '../http/dates.ts';
import { notFound } from '../http/errors.ts';
import { html, type Markup } from '../http/html.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage, type ServerPage } from '../http/page/page.ts';
import { FRAME_STYLE, frameOf } from './frame.ts';
import { type RenderedPage, renderMarkdown } from './markdown.ts';
import { findPublished } from './store.ts';

const PAGE: CallDescription = {
  summary: 'A page that the operator wrote, such as the terms',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

/** The look of a text that was written in Markdown. The console shows it in the preview, too. */
export const TEXT_STYLE = `.text{max-width:46rem}
.text h2{margin:2rem 0 .5rem;font-size:1.25rem;line-height:1.3}
.text h3{margin:1.5rem 0 .375rem;font-size:1.0625rem;line-height:1.4}
.text :is(h4,h5,h6){margin:1.25rem 0 .25rem;font-size:1rem}
.text :is(p,ul,ol,pre,blockquote,.scroll){margin:0 0 1rem}
.text :is(ul,ol){padding-left:1.5rem}
.text li+li{margin-top:.375rem}
.text li>:is(ul,ol){margin:.375rem 0 0}
.text blockquote{padding:.125rem 0 .125rem 1rem;border-left:3px solid var(--line-strong);color:var(--ink-soft)}
.text pre{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);white-space:pre-wrap;font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}
.text .scroll{overflow-x:auto}
.text table{width:100%;border-collapse:collapse;font-size:.9375rem}
.text :is(th,td){min-width:7rem;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word}
.text th{font-weight:600}
.text img{display:block;max-width:100%;height:auto;border-radius:.5rem}
.text hr{margin:2rem 0;border:0;border-top:1px solid var(--line)}`;

/**
 * Registers `/pages/KEY`. The pages are the same for everybody and register before the sessions, so that none of them can
 * read or set a cookie. [OWNS-40]
 */
export function registerWrittenPages(app: FastifyInstance, ctx: Context): void {
  // Rendering takes up to a third of a second for the longest text, so each text is rendered once.
  const rendered = new Map<PageKey, { text: string; page: RenderedPage }>();

  app.get('/pages/:key', { config: { page: true, call: PAGE } }, async (request, reply) => {
    const key = pageKey((request.params as { key: string }).key);
    const published = key && (await findPublished(ctx.db, key));
    if (!published) throw notFound('There is no page at this address.');
    const { text, savedAt } = published;
    let known = rendered.get(key);
    if (known?.text !== text) {
      known = { text, page: renderMarkdown(text) };
      rendered.set(key, known);
    }
    return sendPage(reply, writtenPage(ctx.config, key, known.page, savedAt));
  });
}

/** The lines of the marketplace's documents. */
function sellerLines({ name, address, taxId, legal }: Config['seller']): Markup {
  const lines = (text: string) => text.split('\n').map((line, at) => html`${at > 0 && html`<br>`}${line}`);
  return html`<p>${lines([name, address].filter((part) => part !== null).join('\n'))}</p>
${taxId !== null && html`<p>Tax number: ${taxId}</p>`}
${legal !== null && html`<p>${lines(legal)}</p>`}`;
}

function writtenPage(
  config: Config,
  key: PageKey,
  { title, description, body }: RenderedPage,
  savedAt: Date,
): ServerPage {
  const heading = title ?? PAGE_TITLES[key];
  return {
    ...frameOf(config),
    title: heading,
    style: FRAME_STYLE + TEXT_STYLE,
    wide: true,
    isPublic: true,
    found: {
      description: description || `${heading} of ${config.brand.name}`,
      address: config.publicUrl + pagePath(key),
      picture: `${config.publicUrl}/social-card.png`,
    },
    main: html`<article class="text"><h1 dir="auto">${heading}</h1>
${body}
${key === 'imprint' && sellerLines(config.seller)}
<p class="quiet">Last changed on <time datetime="${savedAt.toISOString()}">${dayText(savedAt)}</time>.</p></article>`,
  };
}
