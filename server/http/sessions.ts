import { AsyncResource } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import session from '@fastify/session';
import connectPgSimple from 'connect-pg-simple';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { deviceOf } from '#domain/accounts/device.ts';
import type { Config, Secrets } from '../config.ts';
import type { Context, Caller } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { type Acting, type ActingRow, judgeActing, readActing } from './acting/acting.ts';
import { cookieName, cookieOptions } from './cookies.ts';
import { forbidden, HttpError, unauthorized } from './errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the session if an older secret signed its cookie. */
    renewedSessionId: string | null;
  }
  interface Session {
    userId?: number;
    /** When a passkey opened or confirmed this session, in milliseconds. A passkey stands for both factors. */
    passkeyAt?: number;
    /** When a code of the second factor opened or confirmed this session, in milliseconds. */
    codeAt?: number;
    /** The account, read together with the session. */
    account?: AccountAtArrival;
  }
}

export const SESSION_LIFETIME_MS = 7 * DAY_MS;

type PGStore = connectPgSimple.PGStore;
type ReadCallback = Parameters<PGStore['get']>[1];
type SessionData = NonNullable<Parameters<ReadCallback>[1]>;

type AccountRow = {
  id: number;
  role: Caller['role'];
  isOperator: boolean;
  /** Null unless the account is suspended. */
  suspendedReason: string | null;
  startedAt: Date | null;
  lastUsedAt: Date | null;
} & ActingRow;

/** The session's user, or null without a live account. It is not stored with the session. */
class AccountAtArrival {
  readonly row: AccountRow | null;
  /** Whether the call has to read the account again. */
  isStale = false;

  constructor(row: AccountRow | null) {
    this.row = row;
  }

  toJSON(): undefined {
    return undefined;
  }
}

const SESSION_AND_ACCOUNT = `
  select s.sess, s.started_at as "startedAt", s.last_used_at as "lastUsedAt", u.id, u.role, u.suspended_reason as "suspendedReason",
      exists (select from operators o where o.user_id = u.id) as "isOperator",
      s.acting_for as "actingFor", m.role as "memberRole", a.role as "accountRole", a.suspended_reason as "accountSuspendedReason"
    from sessions s
    left join users u
      on u.id = (s.sess ->> 'userId')::integer and u.deleted_at is null
    left join users a on a.id = s.acting_for and a.deleted_at is null
    left join account_members m on m.account_id = a.id and m.user_id = u.id
    where s.sid = $1 and s.expire >= now()`;

type Found = Omit<AccountRow, 'id'> & { id: number | null; sess: SessionData };

/** The table `sessions` of connect-pg-simple, whose read also returns the account. Most calls need both. */
function createStore(pool: pg.Pool): PGStore {
  // connect-pg-simple expects the Store class of express-session. The one of @fastify/session is compatible.
  const Store = connectPgSimple({ Store: session.Store } as unknown as Parameters<typeof connectPgSimple>[0]);
  class SessionStore extends Store {
    override get(sid: string, callback: ReadCallback): void {
      // `pg` calls back in the context of the request that opened the connection. [WARD-93]
      const answer = AsyncResource.bind(callback);
      pool.query<Found>(SESSION_AND_ACCOUNT, [sid], (error: Error | null, result) => {
        const row = error ? undefined : result.rows[0];
        answer(error, row && withAccount(row));
      });
    }
  }
  return new SessionStore({ pool, tableName: 'sessions', pruneSessionInterval: 60 * 60 });
}

function withAccount({ sess, id, ...row }: Found): SessionData {
  return Object.assign(sess, { account: new AccountAtArrival(id === null ? null : { id, ...row }) });
}

/** Keeps sessions in the table `sessions` for seven days. [OP-035] */
export async function registerSessions(
  app: FastifyInstance,
  options: { pool: pg.Pool; secrets: Secrets; config: Config },
): Promise<void> {
  const cookieSettings = cookieOptions(options.config);
  if (cookieSettings.secure) {
    // This server speaks HTTP only. With an https address, a proxy in front of it ends TLS, whether or not its headers
    // are trusted. Without this hook the session plugin would not send the Secure cookie.
    app.addHook('onRequest', async (request) => {
      Object.defineProperty(request, 'protocol', { value: 'https' });
    });
  }
  await app.register(cookie);
  const name = cookieName(options.config, 'openslot');
  const signer = new cookie.Signer([...options.secrets]);
  if (options.secrets.length > 1) signAgain(app, { name, cookieSettings, signer });
  await app.register(session, {
    secret: signer,
    store: createStore(options.pool),
    cookieName: name,
    cookie: { ...cookieSettings, maxAge: SESSION_LIFETIME_MS },
    saveUninitialized: false,
    rolling: false,
  });
  app.decorateRequest('memberId', null);
  app.addHook('onRequest', async ({ raw, session }) => {
    // The body may take as long as an upload does. The session can end meanwhile, so the call reads it again.
    if (!raw.complete && session.account) session.account.isStale = true;
  });
}

/**
 * Signs cookies of an older secret with the first one, in the request and in the browser. The session plugin would accept
 * such a cookie and then remove it from the browser, because it is not the one that it would set itself. [OPS-12]
 */
function signAgain(
  app: FastifyInstance,
  {
    name,
    cookieSettings,
    signer,
  }: { name: string; cookieSettings: ReturnType<typeof cookieOptions>; signer: cookie.Signer },
): void {
  app.decorateRequest('renewedSessionId', null);
  app.addHook('onRequest', async (request) => {
    const read = signer.unsign(request.cookies[name] ?? '');
    if (!read.valid || !read.renew) return;
    request.renewedSessionId = read.value;
    request.cookies[name] = signer.sign(read.value);
  });
  app.addHook('onSend', async (request, reply) => {
    const { renewedSessionId: id, session } = request;
    // The session may have ended or have another id by now. The plugin then sets the cookie itself.
    if (id === null || session?.userId === undefined || session.sessionId !== id) return;
    const { expires } = session.cookie;
    reply.setCookie(name, signer.sign(id), { ...cookieSettings, ...(expires && { expires }) });
  });
}

/**
 * Makes a new session id at every sign-in, so that an id which an attacker knew before stops working. Every way to sign
 * in ends here.
 */
export async function startSession(
  ctx: Context,
  request: FastifyRequest,
  userId: number,
  { byPasskey = false, byCode = false } = {},
): Promise<void> {
  const now = ctx.realNow();
  await request.session.regenerate();
  request.session.userId = userId;
  if (byPasskey) request.session.passkeyAt = now.getTime();
  if (byCode) request.session.codeAt = now.getTime();
  await request.session.save();
  await ctx.db
    .updateTable('sessions')
    .set({
      device: deviceOf(request.headers['user-agent']),
      startedAt: now,
      lastUsedAt: now,
      confirmedAt: now,
    })
    .where('sid', '=', request.session.sessionId)
    .execute();
  await endOldestSessions(ctx.db, userId);
}

/** The most sessions of a person. Settings lists all of them, so that each can be ended. */
export const MAX_SESSIONS = 100;

/** Ends the sessions that were not used for the longest, if there are too many. [WARD-15] */
async function endOldestSessions(tx: Tx, userId: number): Promise<void> {
  // Rows that another call ends are left to it, so that no two calls wait for each other.
  await sql`
    with old as materialized (
      select sid from sessions where sess ->> 'userId' = ${String(userId)}
        order by last_used_at desc nulls last offset ${MAX_SESSIONS})
    delete from sessions where sid in (
      select s.sid from sessions s where s.sid in (select sid from old) for update skip locked)`.execute(tx);
}

/** The fields of a session besides its user. */
export type SessionNotes = { passkeyAt?: number; codeAt?: number; operatorConfirmedAt?: number };

/**
 * Confirms the session and gives it a new id, so that an id which an attacker knew before stops working (ASVS 7.2.4).
 * The session keeps its name in the API, its device and its end. Returns false if it has ended. [KEY-06]
 *
 * While the plugin makes the new cookie, the same row has a random id. So a call that ends the user's sessions
 * meanwhile ends this one, too.
 */
export async function renewSession(
  ctx: Context,
  request: FastifyRequest,
  notes: SessionNotes = {},
): Promise<boolean> {
  const parked = `renewing-${randomBytes(24).toString('base64url')}`;
  if (!(await renameSession(ctx.db, request.session.sessionId, { sid: parked }))) return false;
  await request.session.regenerate(['userId', 'passkeyAt', 'codeAt', 'operatorConfirmedAt']);
  Object.assign(request.session, notes);
  // Save now, so that the plugin does not write the row again when the answer is sent.
  await request.session.save();
  const { sessionId } = request.session;
  // Each statement locks one row. A transaction that locks both deadlocks with a call that ends the user's sessions.
  await ctx.db.deleteFrom('sessions').where('sid', '=', sessionId).execute();
  const sess = sql<string>`(sess::jsonb || ${JSON.stringify(notes)}::jsonb)::json`;
  const isRenewed = await renameSession(ctx.db, parked, {
    sid: sessionId,
    confirmedAt: ctx.realNow(),
    sess,
  });
  if (!isRenewed) await endSession(request);
  return isRenewed;
}

async function renameSession(
  tx: Tx,
  sid: string,
  change: { sid: string; confirmedAt?: Date; sess?: RawBuilder<string> },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set(change)
    .where('sid', '=', sid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function endSession(request: FastifyRequest): Promise<void> {
  await request.session.destroy();
}

/** A session of an operator opens the console, so it ends sooner than others, in use or not (ASVS 7.3.1, 7.3.2). */
const OPERATOR_LIFETIME_MS = 8 * HOUR_MS;
const OPERATOR_IDLE_MS = 30 * MINUTE_MS;

/** The precision of 'last used'. A coarse value saves a write on most calls. */
const LAST_USED_PRECISION_MS = 5 * MINUTE_MS;

/**
 * Returns the account for which the request's session acts: the signed-in person's own, or that of which they are a member
 * with the right that the route needs. Throws 401 without a session, and 403 with the operator's reason if the account is
 * suspended, unless the call is open to suspended accounts, which read what concerns their money. [OPER-06, OWNS-33, RES-72]
 */
export async function requireUser(
  ctx: Context,
  request: FastifyRequest,
  { isOpenToSuspended = false } = {},
): Promise<Caller> {
  const user = await sessionUser(ctx, request);
  if (!user) throw unauthorized();
  const { suspendedReason, acting, ...who } = user;
  const isForOther = acting !== null && acting.need !== 'person';
  if (suspendedReason !== null && (isForOther || !isOpenToSuspended))
    throw forbidden(
      `Your account is suspended, so you can only read your documents and your balance. Reason: ${suspendedReason} We’ve e-mailed you how to answer this decision.`,
    );
  return isForOther ? actAs(request, who.id, acting, isOpenToSuspended) : who;
}

/** Returns the account as the caller. Throws 403 if the person may not make this call for it. */
function actAs(
  request: FastifyRequest,
  personId: number,
  acting: Acting,
  isOpenToSuspended: boolean,
): Caller {
  const verdict = judgeActing(acting, isOpenToSuspended);
  if ('refusal' in verdict) {
    const { refusal, code } = verdict;
    throw new HttpError(403, refusal, { details: code === undefined ? undefined : { code } });
  }
  request.memberId = personId;
  return { id: acting.accountId, role: acting.role, member: { id: personId, role: verdict.role } };
}

/**
 * Returns the person of the request's session, or null: a visitor, or somebody whose account is suspended. It is the person
 * even while the session acts for another account, so use it for nothing that a member could read or change there.
 */
export async function signedInUser(ctx: Context, request: FastifyRequest): Promise<Caller | null> {
  const user = await sessionUser(ctx, request);
  return user?.suspendedReason === null ? { id: user.id, role: user.role } : null;
}

type SessionUser = Caller & Pick<AccountRow, 'suspendedReason'> & { acting: Acting | null };

/**
 * Returns the user of the request's session, or null. Every call reads the account and the session, so that a deleted or
 * suspended account, a changed role or a session ended on another device takes effect at once. [ACCT-02] A session that
 * was not used for SESSION_IDLE_DAYS ends here, and one of an operator after half an hour, or after eight hours of use.
 * [SEC-22, OPER-18]
 */
async function sessionUser(ctx: Context, request: FastifyRequest): Promise<SessionUser | null> {
  const { userId, sessionId, account } = request.session;
  if (userId === undefined) return null;
  const user = account && !account.isStale ? account.row : await readAccount(ctx, userId, sessionId);
  if (!user) return null;
  const now = ctx.realNow().getTime();
  const idleMs = now - (user.lastUsedAt?.getTime() ?? 0);
  const ageMs = now - (user.startedAt?.getTime() ?? 0);
  const isOver = user.isOperator
    ? idleMs > OPERATOR_IDLE_MS || ageMs > OPERATOR_LIFETIME_MS
    : idleMs > ctx.config.sessionIdleDays * DAY_MS;
  if (isOver) {
    // The call goes on with an empty session, because it may be a sign-in, which needs one.
    await request.session.regenerate();
    return null;
  }
  if (idleMs > LAST_USED_PRECISION_MS) await updateLastUsed(ctx, sessionId);
  const { id, role, suspendedReason } = user;
  return { id, role, suspendedReason, acting: readActing(request, user) };
}

async function readAccount(ctx: Context, userId: number, sid: string): Promise<AccountRow | null> {
  const row = await ctx.db
    .selectFrom('users')
    .innerJoin('sessions', (join) => join.on('sessions.sid', '=', sid))
    .leftJoin('operators', 'operators.userId', 'users.id')
    .leftJoin('users as account', (join) =>
      join.onRef('account.id', '=', 'sessions.actingFor').on('account.deletedAt', 'is', null),
    )
    .leftJoin('accountMembers', (join) =>
      join
        .onRef('accountMembers.accountId', '=', 'account.id')
        .onRef('accountMembers.userId', '=', 'users.id'),
    )
    .select(['users.id', 'users.role', 'users.suspendedReason', 'sessions.startedAt', 'sessions.lastUsedAt'])
    .select(['sessions.actingFor', 'accountMembers.role as memberRole'])
    .select(['account.role as accountRole', 'account.suspendedReason as accountSuspendedReason'])
    .select(sql<boolean>`operators.user_id is not null`.as('isOperator'))
    .where('users.id', '=', userId)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The id of the account for which the session acts, as it was when the request arrived. Undefined without a session.
 */
export function accountAtArrival({ session }: FastifyRequest): number | undefined {
  return session.account?.row?.actingFor ?? session.userId;
}

async function updateLastUsed(ctx: Context, sid: string): Promise<void> {
  await ctx.db.updateTable('sessions').set({ lastUsedAt: ctx.realNow() }).where('sid', '=', sid).execute();
}
