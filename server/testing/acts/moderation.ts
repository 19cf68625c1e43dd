/** Acts about people, websites, ad zones and ads, and about the queues of moderation. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Verification, Website } from '#domain/inventory/contract.ts';
import { SUBJECTS } from '#domain/operator/acts.ts';
import { HOUR_MS } from '#domain/time.ts';
import { FOLDERS } from '#server/operator/acts/act-targets.ts';
import { suspend } from '#server/operator/decisions/suspend.ts';
import { countAt } from '../figures.ts';
import { putInForce, sendForm } from '../operator.ts';
import { makeWebsite } from '../story.ts';
import {
  fileOf,
  numberOfNew,
  type Occasion,
  person,
  type Row,
  type Rows,
  running,
  type World,
} from './world.ts';

const CLI = { id: null };

/** A website that waits for the operator. */
async function waitingWebsite(world: World): Promise<Website> {
  const { server, next } = world;
  const n = next();
  await putInForce(server, { REVIEW_WEBSITES: 'on' });
  const website = await makeWebsite(await person(world), {
    name: `Site ${n}`,
    url: `https://site-${n}.example`,
  });
  await putInForce(server, { REVIEW_WEBSITES: 'off' });
  return website;
}

const inQueue = async (world: World): Promise<Occasion> => {
  const { id, name } = await waitingWebsite(world);
  return { page: '/operator/new-websites', ids: { id }, about: name };
};

async function reportedAd(world: World): Promise<Occasion> {
  const { ad } = await running(world);
  const report = { id: randomUUID(), reason: 'misleading', details: 'Fakes' };
  await sendForm(world.server.anyone(), `/report-ad/${ad.publicId}`, report);
  return fileOf('ad', ad.id);
}

/** The answer of a publisher to the suspension of their website. */
async function answeredDecision(world: World): Promise<Occasion> {
  const { server } = world;
  const { website, seller } = await running(world);
  await suspend(server.ctx, CLI, { subject: 'website', id: website.id, reason: 'Copied pages' });
  const { id, publicId } = await server.ctx.db
    .selectFrom('operatorActs')
    .select(['id', 'publicId'])
    .where('subject', '=', 'website')
    .where('subjectId', '=', website.id)
    .executeTakeFirstOrThrow();
  await sendForm(seller, `/decision/${publicId}`, { body: 'They are mine' });
  return { page: `/operator/appeals/${id}`, ids: { id }, fields: { outcome: 'upheld' } };
}

/** Two accounts with a valid proof for one site. The first is verified. */
async function claimedSite(world: World): Promise<Occasion> {
  const host = `claimed-${world.next()}.example`;
  const sides = [];
  for (const owner of [await person(world), await person(world)]) {
    const { id, publicId } = await makeWebsite(owner, { url: `https://${host}` });
    const path = `/api/websites/${publicId}/verification`;
    const { proofs } = (await owner.get(path)).body as Verification;
    sides.push({ id, owner, path, value: proofs.find(({ way }) => way === 'dns')?.value ?? '' });
  }
  world.dns.records.set(
    `TXT _openslot.${host}`,
    sides.map(({ value }) => value),
  );
  for (const { owner, path } of sides) await owner.post(path);
  return { page: '/operator/claims', ids: { id: sides[1]!.id }, about: `https://${host}` };
}

/** 200 views of one hour, which were withdrawn. */
async function withdrawnViews(world: World): Promise<Occasion> {
  const { server } = world;
  const { ad, zone } = await running(world);
  const from = new Date(Math.floor(server.clock.now().getTime() / HOUR_MS) * HOUR_MS - HOUR_MS);
  await countAt(server.ctx, ad, from.toISOString(), 200, 3);
  const { rows } = await sql<{ id: number }>`
    select withdraw_traffic(${server.clock.now()}, ${zone.id}, ${from},
      ${from}::timestamptz + interval '1 hour', '[{"signal": "network", "value": 1, "bound": 30}]') as id`.execute(
    server.ctx.db,
  );
  const { id } = rows[0]!;
  return { page: '/operator/withdrawals', ids: { id }, about: `Withdrawal ${id}: 200 views, 3 clicks` };
}

/** A row for each kind of thing that can be suspended. */
const each = (verb: string, rowOf: (subject: (typeof SUBJECTS)[number]) => Row): Rows =>
  Object.fromEntries(
    SUBJECTS.map((subject) => [`/operator/${FOLDERS[subject]}/:id/${verb}`, rowOf(subject)]),
  );

export const MODERATION: Rows = {
  '/operator/new-websites/:id/show': { acts: ['show-website'], on: inQueue },
  '/operator/new-websites/:id/ask': { acts: ['ask-website'], on: inQueue },
  '/operator/new-websites/:id/hide': { acts: ['hide-website'], on: inQueue },
  '/operator/websites/:id/show': {
    acts: ['show-website'],
    on: async (world) => fileOf('website', (await waitingWebsite(world)).id),
  },
  ...each('suspend', (subject) => ({
    acts: ['suspend'],
    on: async (world) => fileOf(subject, await numberOfNew(world, subject)),
  })),
  ...each('restore', (subject) => ({
    acts: ['restore'],
    on: async (world) => {
      const id = await numberOfNew(world, subject);
      await suspend(world.server.ctx, CLI, { subject, id, reason: 'We look at it' });
      return fileOf(subject, id);
    },
  })),
  '/operator/ads/:id/take-down': {
    acts: ['take-down'],
    on: async (world) => fileOf('ad', (await running(world)).ad.id),
  },
  '/operator/ads/:id/dismiss-reports': { acts: ['dismiss-reports'], on: reportedAd },
  '/operator/appeals/:id': { acts: ['uphold'], on: answeredDecision },
  '/operator/websites/:id/decide-ownership': {
    // The other account can answer its refusal, so that is a line of its own.
    acts: ['refuse-claim', 'decide-ownership'],
    on: claimedSite,
  },
  '/operator/withdrawals/:id/overrule': { acts: ['overrule-withdrawal'], on: withdrawnViews },
};
