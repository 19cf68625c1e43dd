/** Acts about people's sessions, operators, mail, jobs and the installation. */
import { sql } from 'kysely';
import type { OperatorRole } from '#domain/operator/rights.ts';
import { installationFaults } from '#server/delivery/faults/open-faults.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { inviteOperator } from '#server/operator/invitations/invitations.ts';
import { addOperator } from '#server/operator/requests/requests.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { turnOnSecondFactor } from '../accounts/second-factor.ts';
import type { Client } from '../client.ts';
import { fileOf, type Occasion, person, type Rows, type World } from './world.ts';

const CLI = { id: null };
const reason = 'For a test';
const OPERATORS = '/operator/operators';

async function personWithCodes(world: World): Promise<Client> {
  const someone = await person(world);
  await turnOnSecondFactor(someone, world.server.clock.now());
  return someone;
}

/** Another operator, who gets this role. */
async function otherOperator(world: World, role?: OperatorRole): Promise<Occasion> {
  const { email } = (await person(world)).user;
  await addOperator(world.server.ctx, CLI, { email, role: 'read', reason });
  return { page: OPERATORS, hidden: { email }, about: email, ...(role && { fields: { role } }) };
}

async function invited({ server, next }: World): Promise<Occasion> {
  const email = `invited-${next()}@example.test`;
  const { id } = await inviteOperator(server.ctx, CLI, { email, role: 'support', reason });
  return { page: OPERATORS, ids: { id }, about: email };
}

async function unsentMail(world: World): Promise<Occasion> {
  const { server } = world;
  const { email: recipient } = (await person(world)).user;
  const mail = { subject: 'News', heading: 'News', paragraphs: ['News.'] };
  await server.ctx.db
    .transaction()
    .execute(async (tx) => await postMessage(server.ctx, tx, { recipient, kind: 'ad-live', mail }));
  const { id } = await server.ctx.db
    .selectFrom('messages')
    .select('id')
    .where('recipient', '=', recipient)
    .executeTakeFirstOrThrow();
  return { page: `/operator/mail?to=${recipient}`, ids: { id }, about: mail.subject };
}

async function queuedJob({ server }: World): Promise<Occasion> {
  await enqueue(server.ctx.db, 'send-message', { messageId: 1 });
  const { rows } = await sql<{ id: number }>`select max(id)::integer as id from graphile_worker.jobs`.execute(
    server.ctx.db,
  );
  const { id } = rows[0]!;
  return { page: '/operator/jobs', ids: { id }, about: `send-message, job ${id}` };
}

/** Everything outgoing waits, as after a restore. */
async function heldOutbound({ server }: World): Promise<Occasion> {
  await server.owner
    .updateTable('outbound')
    .set({ heldSince: sql<Date>`now()` })
    .execute();
  return { page: '/operator/outbound' };
}

/** A fault of the installation, as the look at the refused views finds it. */
async function installationFault({ server }: World): Promise<Occasion> {
  const now = server.clock.now();
  const { id } = await server.owner
    .insertInto('deliveryFaults')
    .values({
      websiteId: null,
      kind: 'no_proof',
      cause: 'reports_altered',
      counted: 'reports',
      total: 60,
      refused: 60,
      beganAt: now,
      seenAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const fault = (await installationFaults(server.ctx.db)).find((each) => each.id === id);
  return { page: '/operator/faults', ids: { id }, about: fault!.title };
}

export const ACCOUNTS: Rows = {
  '/operator/people/:id/end-sessions': {
    acts: ['end-sessions'],
    right: 'support',
    on: async (world) => fileOf('person', (await person(world)).user.id),
  },
  '/operator/people/:id/reset-second-factor': {
    acts: ['reset-second-factor'],
    right: 'support',
    on: async (world) => fileOf('person', (await personWithCodes(world)).user.id),
  },
  '/operator/people/:id/view-as': {
    acts: ['view-as'],
    right: 'support',
    on: async (world) => fileOf('person', (await person(world)).user.id),
    shows: 'You can’t change anything',
    after: async (actor) => await actor.post('/api/account/end-view'),
  },
  '/operator/operators/add': {
    acts: ['add-operator'],
    on: async (world) => ({
      page: OPERATORS,
      fields: { email: (await person(world)).user.email, role: 'read' },
    }),
  },
  '/operator/operators/invite': {
    acts: ['invite-operator'],
    on: async ({ next }) =>
      await Promise.resolve({
        page: OPERATORS,
        fields: { email: `invited-${next()}@example.test`, role: 'support' },
      }),
  },
  '/operator/operators/invitations/:id/revoke': { acts: ['revoke-invitation'], on: invited },
  '/operator/operators/role': {
    acts: ['set-operator-role'],
    on: async (world) => await otherOperator(world, 'support'),
  },
  '/operator/operators/remove': {
    acts: ['remove-operator'],
    on: async (world) => await otherOperator(world),
  },
  '/operator/mail/:id/resend': { acts: ['resend-mail'], right: 'support', on: unsentMail },
  '/operator/jobs/:id/retry': { acts: ['retry-job'], on: queuedJob },
  '/operator/jobs/:id/drop': { acts: ['drop-job'], on: queuedJob },
  '/operator/outbound/release': { acts: ['release-outbound'], on: heldOutbound },
  '/operator/faults/:id/expect': { acts: ['expect-fault'], on: installationFault },
};
