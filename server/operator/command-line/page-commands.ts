/** The commands `openslot page list` and `get`. Those that change a page are acts. */
import { pagePath } from '#domain/pages.ts';
import { PAGE } from '../acts/act-targets.ts';
import type { Command } from '../acts/command.ts';
import { listPages, type PageState, showPage } from '../pages/pages.ts';

const shown = ({ key, version, publishedVersion }: PageState) => ({
  key,
  version,
  publishedVersion,
  path: publishedVersion === null ? null : pagePath(key),
});

const stateText = ({ version, publishedVersion }: PageState) =>
  [
    publishedVersion === null ? 'not published' : `version ${publishedVersion} is published`,
    ...(version === 0 ? ['no text'] : version === publishedVersion ? [] : [`version ${version} is saved`]),
  ].join(', ');

export const PAGE_COMMANDS: Readonly<Record<string, Command>> = {
  'page list': {
    usage: '',
    summary: 'List the pages that the marketplace can have, and which are published',
    run: async ({ ctx }) => {
      const pages = await listPages(ctx);
      return {
        json: { pages: pages.map(shown) },
        lines: pages.map((page) => `${page.key.padEnd(18)} ${stateText(page)}`),
      };
    },
  },
  'page get': {
    usage: PAGE.takes,
    summary: 'Print the newest text of a page',
    run: async (input) => {
      const { key } = await PAGE.inWords(input);
      const page = await showPage(input.ctx, key);
      return { json: { ...shown(page), text: page.text }, lines: page.text === '' ? [] : [page.text] };
    },
  },
};
