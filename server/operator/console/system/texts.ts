/** The calls about what the operator writes: pages such as the terms, and the announcement. */
import { MAX_ANNOUNCEMENT, rowNumber } from '#domain/operator/forms.ts';
import {
  getAnnouncement,
  getWrittenPage,
  listWrittenPages,
  previewPage,
  type RenderedText,
} from '#domain/operator/console/texts-contract.ts';
import { PAGE_TITLES, type PageKey, pageKey } from '#domain/pages.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { renderMarkdown } from '#server/platform/pages/markdown.ts';
import { ANNOUNCE, END_ANNOUNCEMENT } from '../../acts/acts-of-announcements.ts';
import {
  PAGE_BODY_LIMIT,
  PUBLISH_PAGE,
  REMOVE_PAGE,
  SAVE_PAGE,
  SET_PAGE,
  WRITE_STARTERS,
} from '../../acts/acts-of-pages.ts';
import { formOf, offers } from '../../acts/define-act.ts';
import { showAnnouncement } from '../../announcements/announce.ts';
import { listPages, type PageState, showPage } from '../../pages/pages.ts';

export const textRoutes: Route[] = [
  route(listWrittenPages, { access: 'operator' }, async (ctx, operator) => {
    const pages = await listPages(ctx);
    return {
      pages: pages.map(stateOf),
      acts: await offers([
        pages.some(({ version }) => version === 0) && formOf(WRITE_STARTERS).offer(ctx, operator),
      ]),
    };
  }),
  route(getWrittenPage, { access: 'operator' }, async (ctx, operator, { params, query }) => {
    const key = keyIn(params);
    const page = await showPage(ctx, key, versionIn(query));
    const { version, publishedVersion, shown, text, versions } = page;
    const ids = { key };
    // What somebody else has saved meanwhile is neither published nor taken off unread.
    const hidden = { version: String(version) };
    const isNewest = shown === version;
    return {
      ...stateOf(page),
      shown,
      text,
      rendered: renderedText(text),
      versions: versions.map((each) => ({
        version: each.version,
        savedAt: each.savedAt.toISOString(),
        savedBy: each.savedBy,
        publishedAt: each.publishedAt?.toISOString() ?? null,
      })),
      save: await formOf(SAVE_PAGE).offer(ctx, operator, { ids }),
      saveAndPublish: await formOf(SET_PAGE).offer(ctx, operator, { ids }),
      acts: await offers([
        isNewest &&
          version > 0 &&
          version !== publishedVersion &&
          formOf(PUBLISH_PAGE).offer(ctx, operator, { ids, hidden }),
        publishedVersion !== null && formOf(REMOVE_PAGE).offer(ctx, operator, { ids, hidden }),
      ]),
    };
  }),
  route(
    previewPage,
    { access: 'operator', right: formOf(SAVE_PAGE).right, bodyLimit: PAGE_BODY_LIMIT },
    async (_ctx, _operator, { params, body }) => {
      keyIn(params);
      return await Promise.resolve(renderedText(body.text));
    },
  ),
  route(getAnnouncement, { access: 'operator' }, async (ctx, operator) => {
    const present = await showAnnouncement(ctx);
    return {
      present: present && {
        text: present.text,
        until: present.until?.toISOString() ?? null,
        mailed: present.mailed,
        acts: await offers([formOf(END_ANNOUNCEMENT).offer(ctx, operator, { hidden: { end: 'yes' } })]),
      },
      acts: await offers([
        formOf(ANNOUNCE).offer(ctx, operator, {
          ...(present !== null && { button: 'Announce something else' }),
          confirm: 'Announce',
          fields: [
            {
              name: 'text',
              label: 'Text',
              isRequired: true,
              max: MAX_ANNOUNCEMENT,
              hint: `One line of at most ${MAX_ANNOUNCEMENT} characters, without links.`,
            },
            { name: 'until', label: 'Until, in UTC', hint: 'Such as 2027-01-31 18:00.', max: 25 },
            {
              name: 'mail',
              label: 'Also by mail',
              kind: 'switch',
              hint: 'To every account, except those that have turned off e-mail notifications.',
            },
          ],
        }),
      ]),
    };
  }),
];

function keyIn({ key }: { key: string }): PageKey {
  const known = pageKey(key);
  if (!known) throw notFound();
  return known;
}

/** Undefined for the newest. Throws 404 for a version that no page can have. */
function versionIn({ version }: { version?: string | undefined }): number | undefined {
  if (version === undefined) return undefined;
  const number = rowNumber(version);
  if (number === null) throw notFound();
  return number;
}

function stateOf({ key, version, savedAt, publishedVersion, publishedAt }: PageState) {
  return {
    key,
    title: PAGE_TITLES[key],
    version,
    savedAt: savedAt?.toISOString() ?? null,
    publishedVersion,
    publishedAt: publishedAt?.toISOString() ?? null,
  };
}

function renderedText(text: string): RenderedText {
  const { title, body } = renderMarkdown(text);
  return { title, html: body.toString() };
}
