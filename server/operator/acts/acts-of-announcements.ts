/** Acts about announcements. */
import { announceForm, endForm, reasonForm } from '#domain/operator/forms.ts';
import { announce, showAnnouncement, stopAnnouncing } from '../announcements/announce.ts';
import { NOTHING, NUMBER } from './act-targets.ts';
import { defineAct } from './define-act.ts';
import { expectFaultByOperator } from '../faults/faults.ts';

const HOME = '/operator/announcement';
const SHOWN = 'Every page shows it above its content, to visitors and signed-in people.';

export const ANNOUNCE = defineAct({
  summary: 'Show a text on every page, and mail it to everybody if you choose so',
  right: 'owner',
  of: NOTHING,
  fields: announceForm,
  run: announce,
  forms: [
    {
      dangerous: true,
      harmful: false,
      path: HOME,
      button: 'Announce',
      reason: 'optional',
      consequence: async (ctx) => {
        const present = await showAnnouncement(ctx);
        return present === null ? SHOWN : `${SHOWN} It replaces the present one: “${present.text}”`;
      },
    },
  ],
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
  forms: [
    {
      dangerous: true,
      harmful: false,
      path: `${HOME}/end`,
      button: 'End it',
      title: 'End the announcement',
      note: 'No page shows it any more, and mail that has not been sent yet stays unsent.',
      reason: 'optional',
    },
  ],
  command: {
    words: 'announce off',
    fields: () => ({ end: 'yes' }),
    reason: '',
    says: () => 'No page shows it within two seconds.',
  },
});

export const ANNOUNCEMENT_ACTS = [ANNOUNCE, END_ANNOUNCEMENT];

/** Acts about faults of the installation's delivery. */
export const EXPECT_FAULT = defineAct({
  summary: 'Mark a fault of the installation as expected, by its number in `doctor`, for 30 days',
  right: 'owner',
  of: NUMBER,
  fields: reasonForm,
  run: expectFaultByOperator,
  forms: [
    {
      path: '/operator/faults/:id/expect',
      button: 'This is expected',
      title: 'Mark the fault as expected',
      note: 'It is no alarm for 30 days. The refused views and clicks stay refused.',
      reasons: ['A load test', 'We know, and are mending it', 'Our own change causes it'],
    },
  ],
  command: {
    words: 'faults expect',
    says: ({ title }, { id }) => `Fault ${id}, “${title}”, is expected. It is no alarm for 30 days.`,
    json: ({ title }, { id }) => ({ id, title }),
  },
});

export const FAULT_ACTS = [EXPECT_FAULT];
