import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Secrets } from './environment.ts';
import { deriveKeys, loadSessionSecret } from './session-secret.ts';
import { appCode, turnOnSecondFactor } from '#server/testing/accounts/second-factor.ts';
import { Client } from '#server/testing/client.ts';
import {
  BROWSER,
  figures,
  makeRunningAd,
  makeSiteWithZone,
  SITE,
} from '#server/testing/delivery/delivery.ts';
import { codeFor, linkTokenFor } from '#server/testing/mail/mail.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { PASSWORD, SESSION_SECRET } from '#server/testing/server.ts';
import { anotherInstance, type Instance } from '#server/testing/starts/another-instance.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';

const [A, B, C] = [
  SESSION_SECRET,
  'the second secret of this installation',
  'a third secret of this installation too',
];

const server = useOwnServer();
const running: Instance[] = [];
afterAll(async () => {
  for (const { close } of running) await close();
});

/** They share one port in the table of servers, because a server refuses to start beside one with none of its secrets. */
const instanceWith = async (...sessionSecrets: Secrets): Promise<Instance> =>
  await anotherInstance(server, { sessionSecrets, env: { PORT: String(server.ctx.config.port) } });

/** Replaces the instances one after the other, as a rolling restart does. `check` runs at each step. */
async function roll(secrets: Secrets, check: () => Promise<void>): Promise<void> {
  const before = running.slice();
  for (const old of before) {
    running.push(await instanceWith(...secrets));
    await check();
    await old.close();
    running.splice(running.indexOf(old), 1);
    await check();
  }
}

/** The browser of `client`, which a load balancer sends to this instance. Its cookies are those of the instance from now on. */
async function through<T>({ url }: Instance, client: Client, act: (there: Client) => Promise<T>): Promise<T> {
  const there = new Client(url);
  Object.assign(there, { cookie: client.cookie, device: client.device });
  const result = await act(there);
  client.cookie = there.cookie;
  return result;
}

// Proves RUN-04
it('generates the session secret once, in a single file that only its owner can read', () => {
  const dataDir = newTemporaryFolder('data');
  const secret = loadSessionSecret(dataDir);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(loadSessionSecret(dataDir)).toBe(secret);
  expect(readdirSync(dataDir)).toEqual(['session-secret']);
  expect(statSync(path.join(dataDir, 'session-secret')).mode & 0o777).toBe(0o600);
});

// Proves OPS-11
it('derives the key of new things from the first secret, and the keys of old ones from each', () => {
  const keys = deriveKeys([B, A]);
  expect(keys.keyFor('a test')).toEqual(deriveKeys([B]).keyFor('a test'));
  expect(keys.keysFor('a test')).toEqual([B, A].map((secret) => deriveKeys([secret]).keyFor('a test')));
  expect(keys.keyFor('a test')).not.toEqual(keys.keyFor('another test'));
});

// Proves OPS-11
it('rotates the secret twice under two instances, and no session ends and no view is lost', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, {});
  running.push(await instanceWith(A), await instanceWith(A));
  const person = await server.signIn();
  let views = 0;
  const check = async () => {
    for (const issuer of running) {
      const headers = { origin: SITE, 'user-agent': `${BROWSER} visitor ${views}` };
      const answer = await new Client(issuer.url).get(`/api/serve/ads?z=${zone}`, headers);
      const view = new URL(answer.body.ads[0].view as string).pathname;
      server.clock.advance(2000);
      const counter = running.findLast((instance) => instance !== issuer) ?? issuer;
      expect((await new Client(counter.url).send('POST', view, undefined, headers)).status).toBe(204);
      views += 1;
      const me = await through(issuer, person, (there) => there.get('/api/auth/user'));
      expect([me.status, me.body.email]).toEqual([200, person.user.email]);
    }
  };
  for (const secrets of [[A, B], [B, A], [B], [B, C], [C, B], [C]] satisfies Secrets[])
    await roll(secrets, check);
  // Another instance may own the partition of the publisher, and counts what this one has stored.
  await expect.poll(async () => await figures(server.ctx, ad.id)).toEqual({ view: views });
  const stranger = await through(await lastWith(A), person, (there) => there.get('/api/auth/user'));
  expect(stranger.status).toBe(401);
});

/** One more instance, which ends with the others. */
async function lastWith(...secrets: Secrets): Promise<Instance> {
  const instance = await instanceWith(...secrets);
  running.push(instance);
  return instance;
}

// Proves OPS-11
it('signs the cookie of an older secret anew, with the end of its session, and no other cookie', async () => {
  const instance = await lastWith(B, A);
  const person = await server.signIn();
  const first = await through(instance, person, (there) => there.get('/api/auth/user'));
  const [cookie, ...others] = first.headers.getSetCookie();
  expect([cookie, others]).toEqual([
    expect.stringMatching(/^openslot=.*; Path=\/; Expires=.*; HttpOnly/),
    [],
  ]);
  const row = await server.owner
    .selectFrom('sessions')
    .select('expire')
    .where('sid', '=', sidOf(cookie))
    .executeTakeFirstOrThrow();
  const expires = new Date(/Expires=([^;]*)/.exec(cookie ?? '')?.[1] ?? '');
  expect(Math.abs(expires.getTime() - row.expire.getTime())).toBeLessThan(2000);
  const second = await through(instance, person, (there) => there.get('/api/auth/user'));
  expect([second.status, second.headers.getSetCookie()]).toEqual([200, []]);
  const out = await through(instance, await server.signIn(), (there) => there.post('/api/auth/logout'));
  expect(
    out.headers
      .getSetCookie()
      .filter((set) => set.startsWith('openslot='))
      .join(),
  ).not.toMatch(/openslot=[^;]/);
});

const sidOf = (cookie = '') => decodeURIComponent(/^openslot=([^;]*)/.exec(cookie)?.[1] ?? '').split('.')[0]!;

// Proves OPS-11
it('accepts the codes and links of mails that were sent with an older secret', async () => {
  const instance = await lastWith(B, A);
  const caller = new Client(instance.url);
  const email = 'waiting@example.test';
  const fields = { email, password: PASSWORD, firstName: 'Ann', lastName: 'Bell' };
  expect((await server.anyone().post('/api/auth/register', fields)).status).toBe(201);
  const code = await codeFor(server.ctx, email);
  expect((await caller.post('/api/auth/verify-email', { email, code })).status).toBe(200);

  await server.anyone().post('/api/auth/forgot-password', { email });
  const token = await linkTokenFor(server.ctx, email, 'reset');
  const opened = await caller.post('/api/auth/reset-link', { token });
  expect(opened.body).toEqual({ email, code: await codeFor(server.ctx, email) });
});

// Proves OPS-11
it('seals second factors with the first secret at the start, so that the older one can be removed', async () => {
  const person = await server.signIn();
  const { secret } = await turnOnSecondFactor(person, server.clock.now());
  const { email } = person.user;
  const signIn = async ({ url }: Instance) => {
    server.clock.advance(30_000);
    const code = appCode(secret, server.clock.now());
    return (await new Client(url).post('/api/auth/login', { email, password: PASSWORD, code })).status;
  };
  const doctor = async (SESSION_SECRET: string) =>
    (
      await runOpenslot(['doctor'], {
        DATABASE_URL: server.databaseUrl,
        DATA_DIR: server.ctx.config.dataDir,
        SESSION_SECRET,
      })
    ).out;
  expect(await doctor(B)).not.toContain('older secret');
  expect(await doctor(`${B},${A}`)).toMatch(
    /^warn +secret +Second factors and IBANs sealed with an older secret of SESSION_SECRET: 1\./m,
  );
  const factor = () =>
    server.owner
      .selectFrom('secondFactors')
      .select('secret')
      .where('userId', '=', person.user.id)
      .executeTakeFirstOrThrow();
  const before = await factor();
  const both = await lastWith(B, 'a secret that sealed nothing at all here', A);
  expect(await factor()).not.toEqual(before);
  expect(await doctor(`${B},${A}`)).toMatch(/^ok +secret +Nothing that is stored needs an older secret/m);
  expect(await signIn(both)).toBe(200);
  expect(await signIn(await lastWith(B))).toBe(200);
  // An instance that still seals with the older secret may have run for a moment.
  await server.owner.updateTable('secondFactors').set(before).where('userId', '=', person.user.id).execute();
  expect(await signIn(both)).toBe(200);
});
