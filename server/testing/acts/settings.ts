/** Acts about settings, written pages and announcements, and those of the launch checklist. */
import { PAGE_KEYS } from '#domain/pages.ts';
import { announce } from '#server/operator/announcements/announce.ts';
import { savePage, setPage } from '#server/operator/pages/pages.ts';
import { sendTestMail } from '#server/operator/test-mail.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { mailTo } from '../mail/mail.ts';
import { fileOf, type Occasion, person, type Row, type Rows, type World } from './world.ts';

const CLI = { id: null };
const key = 'imprint';
const textOf = ({ next }: World) => `# Imprint ${next()}\n\nThis is us.`;

const imprint: Occasion = { page: `/operator/pages/${key}`, ids: { key } };
/** The page of the imprint, with another text in its own field. */
const writing: Pick<Row, 'on' | 'pageField'> = {
  on: async (world) => await Promise.resolve({ ...imprint, fields: { text: textOf(world) } }),
  pageField: { label: 'Text, in Markdown', name: 'text' },
};

async function announced({ server: { ctx } }: World): Promise<Occasion> {
  await announce(ctx, CLI, { text: 'Payouts are late.', until: null, mail: false, reason: '' });
  await readSettings(ctx.db, ctx.config);
  return { page: '/operator/announcement' };
}

export const SETTINGS: Rows = {
  // First, because it writes the pages that have no text yet.
  '/operator/pages/starters': {
    acts: PAGE_KEYS.map(() => 'save-page' as const),
    on: async () => await Promise.resolve({ page: '/operator/pages' }),
  },
  '/operator/pages/:key': { acts: ['save-page'], ...writing },
  '/operator/pages/:key/set': { acts: ['save-page', 'publish-page'], ...writing },
  '/operator/pages/:key/publish': {
    acts: ['publish-page'],
    on: async (world) => {
      await savePage(world.server.ctx, CLI, { key, text: textOf(world), reason: '' });
      return imprint;
    },
  },
  '/operator/pages/:key/remove': {
    acts: ['remove-page'],
    on: async (world) => {
      await setPage(world.server.ctx, CLI, { key, text: textOf(world), reason: '' });
      return imprint;
    },
  },
  '/operator/announcement': {
    acts: ['announce'],
    on: async () =>
      await Promise.resolve({ page: '/operator/announcement', fields: { text: 'We move on Sunday.' } }),
  },
  '/operator/announcement/end': { acts: ['end-announcement'], on: announced },
  '/operator/settings': {
    acts: ['set-setting'],
    on: async () => await Promise.resolve({ page: '/operator/settings' }),
    ownForm: {
      body: { changes: [{ name: 'APPROVAL_DAYS', value: '8', version: '' }] },
      test: 'e2e/operator.test.ts',
    },
  },
  '/operator/people/:id/commission': {
    acts: ['set-commission'],
    right: 'money',
    on: async (world) => fileOf('person', (await person(world)).user.id, { percent: '12' }),
  },
};

/** The first page of the console has the checklist in production only. */
async function checklist({ server: { ctx, owner } }: World): Promise<Occasion> {
  ctx.config.production = true;
  // Nobody has typed a mailed code here.
  await owner.updateTable('users').set({ isEmailVerified: false }).execute();
  return { page: '/operator' };
}

export const LAUNCH: Rows = {
  '/operator/launch/test-mail': {
    acts: ['send-test-mail'],
    on: checklist,
    reason: 'Before the marketplace sells',
  },
  '/operator/launch/test-mail-code': {
    acts: ['confirm-test-mail'],
    on: async (world) => {
      const { server, actor } = world;
      await sendTestMail(server.ctx, { id: actor.user.id });
      const mail = (await mailTo(server.ctx, actor.user.email)).at(-1);
      const code = /^ +(\d{6})$/m.exec(mail?.text ?? '')?.[1] ?? '';
      return { ...(await checklist(world)), fields: { code } };
    },
    reason: 'The mailed code came back',
  },
  '/operator/launch/check-keys': {
    acts: ['check-keys'],
    on: checklist,
    reason: 'Stripe accepts the keys of the test mode',
  },
};
