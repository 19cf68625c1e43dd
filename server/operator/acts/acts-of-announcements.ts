/** Acts about announcements. */
import { announceForm, endForm } from '#domain/operator/forms.ts';
import { announce, stopAnnouncing } from '../announcements/announce.ts';
import { NOTHING } from './act-targets.ts';
import { defineAct } from './define-act.ts';

const HOME = '/operator/announcement';

export const ANNOUNCE = defineAct({
  summary: 'Show a text on every page, and mail it to everybody if you choose so',
  right: 'owner',
  of: NOTHING,
  fields: announceForm,
  run: announce,
  forms: [{ page: 'announcement', dangerous: true, path: HOME, button: 'Announce' }],
  command: {
    words: 'announce',
    takes: 'TEXT [--mail] [--until INSTANT]',
    fields: (words) => ({ text: words.join(' ') }),
    reason: '',
    says: ({ isMailed }) =>
      `Every page shows it within two seconds.${isMailed ? ' It is mailed to every account.' : ''}`,
  },
});

export const END_ANNOUNCEMENT = defineAct({
  summary: 'Take the announcement off every page, and stop its mail',
  right: 'owner',
  of: NOTHING,
  fields: endForm,
  run: stopAnnouncing,
  forms: [{ page: 'announcement', dangerous: true, path: `${HOME}/end`, button: 'End it' }],
  command: {
    words: 'announce off',
    fields: () => ({ end: 'yes' }),
    reason: '',
    says: () => 'No page shows it within two seconds.',
  },
});

export const ANNOUNCEMENT_ACTS = [ANNOUNCE, END_ANNOUNCEMENT];
