import type { FastifyInstance } from 'fastify';
import { PAGE_TITLES, type PageKey, pageKey, pagePath } from '#domain/pages.ts';
import type { Config } from '../settings/config.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { html, type Markup } from '../http/html.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage, type ServerPage } from '../http/page/page.ts';
import { day, lines } from '../http/page/parts.ts';
import { type RenderedPage, renderMarkdown } from './markdown.ts';
import type { Tx } from '../database/database.ts';

const PAGE: CallDescription = {
  summary: 'A page that the operator wrote, such as the terms',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

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
    title: heading,
    isPublic: true,
    found: {
      description: description || `${heading} of ${config.brand.name}`,
      address: config.publicUrl + pagePath(key),
      picture: `${config.publicUrl}/social-card.png`,
    },
    main: html`<article class="text"><h1 dir="auto">${heading}</h1>
${body}
${key === 'imprint' && sellerLines(config.seller)}
<p class="quiet">Last changed on ${day(savedAt)}.</p></article>`,
  };
}

// The SQL of readers of the operator's pages. server/operator/pages/store.ts writes them.

/** The text that everybody can read. Undefined if the page is not published. */
export async function findPublished(tx: Tx, key: PageKey) {
  return await tx
    .selectFrom('publishedPages as p')
    .innerJoin('pageVersions as v', (join) =>
      join.onRef('v.key', '=', 'p.key').onRef('v.version', '=', 'p.version'),
    )
    .select(['v.text', 'v.savedAt'])
    .where('p.key', '=', key)
    .executeTakeFirst();
}
