/** An owner invites somebody by mail to become an operator. */
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import {
  confirmOperator,
  makeOperator,
  sendAct,
  sendForm,
  type TestOperator,
} from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { commandOf } from '../command-line/commands.ts';
import { operatorRole } from '../store.ts';
import { removeOldInvitations } from './invitations.ts';

const server = useOwnServer();
let owner: TestOperator;
beforeAll(async () => {
  owner = await makeOperator(server);
});

async function command(words: string, more: { role?: string; reason?: string } = {}) {
  const { command: found, args } = commandOf(words.split(' '));
  const options = { dryRun: false, reason: 'Helps us', ...more };
  return await found.run({ ctx: server.ctx, operator: { id: null }, args, options });
}
const invite = async (email: string, role: string) =>
  (await command(`operator invite ${email}`, { role })).json as { id: number };
/** The link of the newest invitation of an address. */
async function linkTo(email: string): Promise<string> {
  const mail = (await mailTo(server.ctx, email)).findLast(
    ({ subject }) => subject === 'Help to run Openslot',
  );
  return /\/operator-invitation\?token=[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? '';
}
const accept = async (client: Client, link: string) => await sendForm(client, link, {});
const roleOf = async ({ user }: Client) => await operatorRole(server.ctx.db, user.id);

// Proves OWNS-27
it('mails a link that works once, for its address, for seven days, until it is revoked or replaced', async () => {
  const person = await server.signIn('buyer');
  const { email } = person.user;
  await invite(email, 'support');
  const first = await linkTo(email);
  expect(first).not.toBe('');
  const { id } = await invite(email, 'money');
  const second = await linkTo(email);
  expect((await person.get(first)).status).toBe(404);
  const page = await server.anyone().get(second);
  expect([page.status, page.text.includes('Money: refunds'), page.text.includes('<form')]).toEqual([
    200,
    true,
    false,
  ]);
  const stranger = await server.signIn('buyer');
  expect((await stranger.get(second)).text).toContain(`You’re signed in as <bdi>${stranger.user.email}`);
  expect((await accept(stranger, second)).status).toBe(403);
  expect((await accept(server.anyone(), second)).status).toBe(401);
  for (const token of ['', 'x', 'x'.repeat(43)])
    expect((await accept(person, `/operator-invitation?token=${token}`)).status).toBe(404);
  await command(`operator uninvite ${id}`);
  expect((await accept(person, second)).status).toBe(404);
  await expect(command(`operator uninvite ${id}`)).rejects.toThrow('no open invitation');
  await invite(email, 'read');
  const third = await linkTo(email);
  server.clock.advance(7 * DAY_MS);
  expect((await person.get(third)).status).toBe(404);
  expect(await roleOf(person)).toBeNull();
  // The mailed token is not stored, and the trail has no address.
  const rows = await server.ctx.db.selectFrom('operatorInvitations').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(third.slice(-43));
  const acts = await server.ctx.db
    .selectFrom('operatorActs')
    .select(['act', 'reason', 'subjectName'])
    .where('subject', '=', 'invitation')
    .execute();
  expect(acts.map(({ act }) => act)).toEqual([
    'invite-operator',
    'invite-operator',
    'revoke-invitation',
    'invite-operator',
  ]);
  expect(JSON.stringify(acts)).not.toContain(email);
});

// Proves OWNS-27
it('keeps no address for longer than 30 days after the end, and none of a deleted account', async () => {
  const [gone, old] = [await server.signIn('buyer'), await server.signIn('buyer')];
  await invite(gone.user.email, 'read');
  await invite(old.user.email, 'read');
  const addresses = async () =>
    (await server.ctx.db.selectFrom('operatorInvitations').select('email').execute()).map(
      ({ email }) => email,
    );
  expect((await gone.post('/api/user/export-data')).body.operatorInvitations).toMatchObject([
    { role: 'read' },
  ]);
  expect((await gone.delete('/api/user/account')).status).toBe(200);
  expect(await addresses()).not.toContain(gone.user.email);
  server.clock.advance(37 * DAY_MS - HOUR_MS);
  await removeOldInvitations(server.ctx);
  expect(await addresses()).toContain(old.user.email);
  server.clock.advance(2 * HOUR_MS);
  await removeOldInvitations(server.ctx);
  expect(await addresses()).toEqual([]);
});

// Proves OWNS-27
it('makes the person who accepts an operator with the role, once, and signs them out', async () => {
  const person = await server.signIn('buyer');
  await invite(person.user.email, 'support');
  const link = await linkTo(person.user.email);
  expect((await person.get(link)).text).toContain('>Accept</button>');
  const answers = await Promise.all([accept(person, link), accept(person, link)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await roleOf(person)).toBe('support');
  expect((await person.get('/api/auth/user')).status).toBe(401);
  await expect(command(`operator invite ${person.user.email}`)).rejects.toThrow('is an operator already');
});

// Proves OWNS-27
it('keeps the rule of the second owner, and ends with the rights of the one who invited', async () => {
  const second = await makeOperator(server);
  await confirmOperator(server, owner);
  const person = await server.signIn('buyer');
  const sent = await sendAct(owner.client, '/operator/operators/invite', {
    email: person.user.email,
    role: 'read',
    reason: 'Reads',
  });
  expect([sent.status, sent.body.said]).toEqual([
    200,
    expect.stringContaining(`${person.user.email} gets an e-mail with a link`),
  ]);
  const { invitations } = (await owner.client.get('/api/operator/operators')).body;
  expect(invitations).toMatchObject([
    { email: person.user.email, role: 'read', acts: [{ button: 'Revoke the invitation' }] },
  ]);
  const answer = await accept(person, await linkTo(person.user.email));
  expect([answer.status, answer.text.includes('Another owner has to confirm it.')]).toEqual([200, true]);
  expect(await roleOf(person)).toBeNull();
  await confirmOperator(server, second);
  const [request] = (await second.client.get('/api/operator/requests')).body.requests;
  expect((await sendAct(second.client, `/operator/requests/${request.id}/confirm`, {})).status).toBe(200);
  expect(await roleOf(person)).toBe('read');

  const late = await server.signIn('buyer');
  await confirmOperator(server, owner);
  await sendAct(owner.client, '/operator/operators/invite', {
    email: late.user.email,
    role: 'owner',
    reason: 'Too',
  });
  await command(`operator role ${owner.client.user.email} read`);
  expect((await accept(late, await linkTo(late.user.email))).status).toBe(409);
  expect(await roleOf(late)).toBeNull();
});

describe('the link for the first operator', () => {
  const empty = useOwnServer();
  const link = async () => {
    const { command: found, args } = commandOf(['operator', 'link']);
    const { json } = await found.run({
      ctx: empty.ctx,
      operator: { id: null },
      args,
      options: { dryRun: false },
    });
    return new URL((json as { url: string }).url).href.slice(empty.url.length);
  };

  it('makes whoever opens it first an owner, once, within an hour, and the newest one only', async () => {
    const [person, late] = [await empty.signIn('buyer'), await empty.signIn('buyer')];
    const first = await link();
    const second = await link();
    expect((await person.get(first)).status).toBe(404);
    const page = (await empty.anyone().get(second)).text;
    expect([page.includes('Sign up'), page.includes('<form'), page.includes('<dt>For')]).toEqual([
      true,
      false,
      false,
    ]);
    expect((await accept(empty.anyone(), second)).status).toBe(401);
    empty.clock.advance(HOUR_MS);
    expect((await accept(person, second)).status).toBe(404);

    const third = await link();
    const answers = await Promise.all([accept(person, third), accept(late, third)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      expect.toBeOneOf([404, 409]),
    ]);
    const roles = await empty.ctx.db.selectFrom('operators').select('role').execute();
    expect(roles).toEqual([{ role: 'owner' }]);
    await expect(link()).rejects.toThrow('There is an operator already');
  });

  it('that was printed before somebody else became the operator no longer works', async () => {
    await empty.ctx.db.deleteFrom('operators').execute();
    const printed = await link();
    await makeOperator(empty);
    expect((await accept(await empty.signIn('buyer'), printed)).status).toBe(409);
  });
});
