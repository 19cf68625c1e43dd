/** The calls of the console's pages about what the operator writes: pages such as the terms, and the announcement. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { instant } from '../../fields.ts';
import { PAGE_TITLES, type PageKey } from '../../pages.ts';
import { pageText } from '../../page-text.ts';
import { offeredAct } from './act-contract.ts';

const pageState = z.object({
  key: z.enum(Object.keys(PAGE_TITLES) as [PageKey, ...PageKey[]]),
  title: z.string(),
  /** The newest version; 0 if nothing was written yet. */
  version: z.number().int(),
  savedAt: instant.nullable(),
  /** The version that everybody can read; null if the page is not published. */
  publishedVersion: z.number().int().nullable(),
  publishedAt: instant.nullable(),
});
export type WrittenPageState = z.output<typeof pageState>;

export const listWrittenPages = endpoint({
  method: 'GET',
  path: '/api/operator/pages',
  summary: 'The pages that the operator writes, for the operator',
  reply: z.object({ pages: z.array(pageState), acts: z.array(offeredAct) }),
});

/** A text as its page shows it. `html` is made by the renderer of the public page, which shows HTML as text. */
const renderedText = z.object({ title: z.string().nullable(), html: z.string() });
export type RenderedText = z.output<typeof renderedText>;

export const getWrittenPage = endpoint({
  method: 'GET',
  path: '/api/operator/pages/:key',
  summary: 'One page that the operator writes, with its versions, for the operator',
  params: z.object({ key: z.string() }),
  query: z.object({ version: z.string().optional() }),
  reply: pageState.extend({
    /** The version of `text`. */
    shown: z.number().int(),
    text: z.string(),
    rendered: renderedText,
    /** The newest first. */
    versions: z.array(
      z.object({
        version: z.number().int(),
        savedAt: instant,
        /** Null on the command line, and for a deleted account. */
        savedBy: z.string().nullable(),
        /** Null if it is not the published one. */
        publishedAt: instant.nullable(),
      }),
    ),
    /** Saves the typed text. Null without the right. */
    save: offeredAct.nullable(),
    /** Saves the typed text and publishes it. */
    saveAndPublish: offeredAct.nullable(),
    /** Those that take no text. */
    acts: z.array(offeredAct),
  }),
});

export const previewPage = endpoint({
  method: 'POST',
  path: '/api/operator/pages/:key/preview',
  summary: 'A text of a page as readers will see it, without saving it',
  params: z.object({ key: z.string() }),
  body: z.object({ text: pageText }),
  reply: renderedText,
});

export const getAnnouncement = endpoint({
  method: 'GET',
  path: '/api/operator/announcement',
  summary: 'What every page says above its content, for the operator',
  reply: z.object({
    present: z
      .object({
        text: z.string(),
        until: instant.nullable(),
        /** How many accounts its mail has reached; null if it is not mailed. */
        mailed: z.number().int().nullable(),
        acts: z.array(offeredAct),
      })
      .nullable(),
    acts: z.array(offeredAct),
  }),
});
