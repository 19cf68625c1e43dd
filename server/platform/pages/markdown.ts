/** The operator's Markdown as HTML (docs/decisions/088-settings-in-the-database.md). */
import MarkdownIt, { type Token } from 'markdown-it';
import { type Markup, renderedMarkdown } from '../http/html.ts';

export type RenderedPage = {
  /** The text of the first heading; null if there is none. */
  title: string | null;
  /** The first paragraph as plain text, for search engines. */
  description: string;
  /** Everything but the first heading. */
  body: Markup;
};

/** Search engines show about so much of a description. */
const MAX_DESCRIPTION = 160;

/** A page links to sites, addresses of mail, telephones, and places on this server. */
const LINKS = /^(?:https?:\/\/|mailto:|tel:|#|\/(?!\/))/i;

/** Raw HTML stays text. */
const markdown = new MarkdownIt({ html: false });
markdown.validateLink = (address) => LINKS.test(address.trim());

const { renderer } = markdown;
renderer.rules['link_open'] = (tokens, at, options, _env, self) => {
  const token = tokens[at]!;
  if (/^https?:/i.test(String(token.attrGet('href') ?? ''))) token.attrSet('rel', 'nofollow noopener');
  return self.renderToken(tokens, at, options);
};
// The content security policy shows pictures of this server only, so that no other host learns who reads the page.
renderer.rules['image'] = (tokens, at, options, env, self) => {
  const token = tokens[at]!;
  const address = String(token.attrGet('src') ?? '');
  const words = self.renderInlineAsText(token.children ?? [], options, env);
  const escaped = markdown.utils.escapeHtml(words);
  const source = markdown.utils.escapeHtml(address);
  return address.startsWith('/')
    ? `<img src="${source}" alt="${escaped}" loading="lazy">`
    : `<a href="${source}" rel="nofollow noopener">${escaped || source}</a>`;
};
renderer.rules['table_open'] = () => '<div class="scroll" tabindex="0"><table>\n';
renderer.rules['table_close'] = () => '</table></div>\n';

export function renderMarkdown(text: string): RenderedPage {
  const tokens = markdown.parse(text, {});
  const plain = (at: number) => wordsOf(tokens[at + 1]);
  const heading = tokens.findIndex(({ type, tag }) => type === 'heading_open' && tag === 'h1');
  const paragraph = tokens.findIndex(({ type, level }) => type === 'paragraph_open' && level === 0);
  // The page has one heading of the first level, which is its title.
  const rest = heading < 0 ? tokens : tokens.toSpliced(heading, 3);
  for (const token of rest) if (token.tag === 'h1') token.tag = 'h2';
  const description = paragraph < 0 ? '' : plain(paragraph);
  return {
    title: heading < 0 ? null : plain(heading) || null,
    description:
      description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION - 1)}…` : description,
    body: renderedMarkdown(renderer.render(rest, markdown.options, {})),
  };
}

/** The words of an inline token without its markup. */
function wordsOf(token: Token | undefined): string {
  const words = renderer.renderInlineAsText(token?.children ?? [], markdown.options, {});
  return words.replaceAll(/\s+/g, ' ').trim();
}
