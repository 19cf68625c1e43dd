/** Signs new accounts in without HTTP. `sign-in.test.ts` compares the rows and cookies with those of a real sign-in. */
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import cookie from '@fastify/cookie';
import type { Role } from '#domain/accounts/roles.ts';
import { logSecurity } from '#server/people/accounts/record/security-log.ts';
import type { App } from '#server/app/app.ts';
import type { Client } from '../client.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

export const PASSWORD = 'correct horse battery';
/** All servers of a test share it, so that instances on one database accept each other's tokens. */
export const SESSION_SECRET = 'a secret for tests of 32 characters or more';

const signer = new cookie.Signer(SESSION_SECRET);

const SIGN_IN = `
  with person as (
    insert into users (email, role, first_name, last_name, password, is_email_verified, has_completed_onboarding)
      values ($1, $2, $3, $4, $5, true, true)
      returning id),
  settings as (insert into user_settings (user_id) select id from person),
  device as (insert into known_devices (user_id, device_hash, last_used_at) select id, $6, $7 from person),
  session as (
    insert into sessions (sid, sess, expire, started_at, last_used_at, confirmed_at)
      select $8, json_build_object('userId', id), now() + interval '7 days', $7, $7, $7 from person)
  select id from person`;

export type NewPerson = { email: string; role: Role; firstName: string; lastName: string };

/** Creates a verified account and signs the client in to it. */
export async function signInAs(
  { ctx, pool }: Pick<App, 'ctx' | 'pool'>,
  client: Client,
  { email, role, firstName, lastName }: NewPerson,
): Promise<void> {
  passwordHash ??= cheapHash();
  const [sid, device] = [randomBytes(24), randomBytes(32)].map((bytes) => bytes.toString('base64url')) as [
    string,
    string,
  ];
  const secure = ctx.config.publicUrl.startsWith('https:');
  const { rows } = await pool.query<{ id: number }>(SIGN_IN, [
    email,
    role,
    firstName,
    lastName,
    await passwordHash,
    hashToken(device),
    ctx.realNow(),
    sid,
  ]);
  const [{ id }] = rows as [{ id: number }];
  await logSecurity(ctx, ctx.db, {
    userId: id,
    kind: 'signed-in',
    client: { ip: '127.0.0.1', headers: { 'user-agent': 'node' } },
  });
  const prefix = secure ? '__Host-openslot' : 'openslot';
  client.cookie = `${prefix}=${signer.sign(sid)}`;
  client.device = `${prefix}-device=${device}`;
  client.user = { id, email };
}

let passwordHash: Promise<string> | undefined;

/**
 * One hash for every test account, at the lowest cost that Argon2 allows. Tests sign in thousands of times, and the stored
 * hash determines the cost of each sign-in.
 */
async function cheapHash(): Promise<string> {
  const nonce = randomBytes(16);
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const hash = await promisify(argon2)('argon2id', { message: PASSWORD, nonce, ...cost });
  const [salt, tag] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${tag}`;
}
