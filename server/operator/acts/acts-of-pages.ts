/** Acts about the pages that the operator writes. */
import { reasonForm, settingForm } from '#domain/operator/forms.ts';
import { counted } from '#domain/format.ts';
import { pagePath } from '#domain/pages.ts';
import {
  type ChangedPage,
  publishPage,
  removePage,
  savePage,
  setPage,
  writeStarters,
} from '../pages/pages.ts';
import { NOTHING, PAGE, PAGE_TEXT } from './act-targets.ts';
import { defineAct } from './define-act.ts';

const HOME = '/operator/pages';
/** The longest text, with each character as three escaped bytes, and the other fields. */
export const PAGE_BODY_LIMIT = 512 * 1024;
const form = {
  dangerous: true,
  harmful: false,
  reason: 'optional',
  next: ({ key }: ChangedPage) => `${HOME}/${key}`,
} as const;
const isPublic = ({ key, version }: ChangedPage) =>
  `Version ${version} is published at ${pagePath(key)}. Every running server follows within two seconds.`;

export const SAVE_PAGE = defineAct({
  summary: 'Save a text of a page, which nobody else can read yet',
  right: 'owner',
  of: PAGE_TEXT,
  fields: settingForm,
  run: savePage,
  forms: [
    {
      ...form,
      bodyLimit: PAGE_BODY_LIMIT,
      path: `${HOME}/:key`,
      button: 'Save',
      title: 'Save the text',
      note: 'It becomes a new version, which nobody else can read until it is published.',
      says: ({ version }) => `Version ${version} is saved. Nobody else can read it yet.`,
    },
  ],
  command: null,
});

export const SET_PAGE = defineAct({
  summary: 'Save the text of a page in Markdown, and publish it',
  right: 'owner',
  of: PAGE_TEXT,
  fields: settingForm,
  run: setPage,
  forms: [
    {
      ...form,
      bodyLimit: PAGE_BODY_LIMIT,
      path: `${HOME}/:key/set`,
      button: 'Save and publish',
      title: 'Save and publish the text',
      note: 'Everybody can read it at once. A text that still marks what must be filled in is refused.',
    },
  ],
  command: { words: 'page set', reason: '', says: isPublic },
});

export const PUBLISH_PAGE = defineAct({
  summary: 'Publish the newest text of a page',
  right: 'owner',
  of: PAGE,
  fields: settingForm,
  run: publishPage,
  forms: [
    {
      ...form,
      path: `${HOME}/:key/publish`,
      button: 'Publish this version',
      note: 'Everybody can read it at once. A text that still marks what must be filled in is refused.',
    },
  ],
  command: { words: 'page publish', reason: '', says: isPublic },
});

export const REMOVE_PAGE = defineAct({
  summary: 'Take a page off the site; its versions stay',
  right: 'owner',
  of: PAGE,
  fields: settingForm,
  run: removePage,
  forms: [
    {
      ...form,
      harmful: true,
      path: `${HOME}/:key/remove`,
      button: 'Take it off the site',
      note: 'Nobody can read it any more, and the footer no longer leads to it. Its versions stay, and you can publish it again.',
    },
  ],
  command: {
    words: 'page remove',
    reason: '',
    says: ({ key }) => `${pagePath(key)} is off the site. Every running server follows within two seconds.`,
  },
});

export const WRITE_STARTERS = defineAct({
  summary: 'Write a starter text for each page that has none, and publish none',
  right: 'owner',
  of: NOTHING,
  fields: reasonForm,
  run: writeStarters,
  forms: [
    {
      dangerous: true,
      harmful: false,
      path: `${HOME}/starters`,
      button: 'Write starter texts',
      note: 'Each page without a text gets one, which says what this software does with data and money, and marks what you or your lawyer must fill in. Nothing is published.',
      reasons: ['The first texts', 'Texts for the pages that have none'],
      says: ({ keys }) =>
        keys.length === 0
          ? 'Every page has a text already.'
          : `Wrote ${counted(keys.length, 'starter text')}, which nobody else can read yet. Fill in what they mark, then publish them.`,
    },
  ],
  command: {
    words: 'page starters',
    reason: 'Starter texts of the software',
    says: ({ keys }) =>
      keys.length === 0
        ? 'Every page has a text already.'
        : `Wrote starter texts, which are not published: ${keys.join(', ')}. Fill in what they mark, and publish them with openslot page set or in the console.`,
  },
});

export const PAGE_ACTS = [SAVE_PAGE, SET_PAGE, PUBLISH_PAGE, REMOVE_PAGE, WRITE_STARTERS];
