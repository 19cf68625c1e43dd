/**
 * Sessions are rows of the table `sessions`, whose signed id is a cookie. They last seven days, and end earlier if they are
 * not used, those of operators after half an hour. [OP-035]
 */
import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { deviceOf } from '#domain/accounts/device.ts';
import { VIEWING } from '#domain/endpoint.ts';
import type { OperatorRole } from '#domain/operator/rights.ts';
import type { Context, Caller } from '../context.ts';
import type { Tx } from '../database/database.ts';
import type { Secrets } from '../settings/environment.ts';
import { type Acting, type ActingRow, judgeActing, type Needed, readActing } from './acting/acting.ts';
import { readView, refusalInView, type View, type ViewRow } from './acting/view.ts';
import { forbidden, HttpError, unauthorized } from './errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import type { Config } from '../settings/config.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a visitor. */
    session: CurrentSession | null;
    /** The answer's effect on the session's cookie. It is cleared only if the session is known to have ended. */
    sessionCookie: 'keep' | 'set' | 'clear';
  }
}

/** The fields of a session besides its user, in milliseconds. */
export type SessionNotes = {
  /** When a passkey opened or confirmed it. A passkey stands for both factors. */
  passkeyAt?: number;
  /** When a code of the second factor opened or confirmed it. */
  codeAt?: number;
  /** When an operator last gave a code for a dangerous act. */
  operatorConfirmedAt?: number;
};

export type CurrentSession = SessionNotes & {
  /** The secret of the cookie. */
  id: string;
  /** Its name in the API, which it keeps when its id is renewed. */
  publicId: string;
  userId: number;
  expires: Date;
  /** Its account when the request arrived. Null if there is no live one. */
  account: AccountRow | null;
  /** Null unless an operator looks at the account of another person. */
  view: View | null;
  /** Whether the call has to read the account again. */
  isStale: boolean;
};

type AccountRow = {
  id: number;
  role: Caller['role'];
  /** Null for everybody else. */
  operatorRole: OperatorRole | null;
  /** Null unless the account is suspended. */
  suspendedReason: string | null;
  startedAt: Date | null;
  lastUsedAt: Date | null;
} & ActingRow;

export const SESSION_LIFETIME_MS = 7 * DAY_MS;

/** 192 random bits. */
const newId = () => randomBytes(24).toString('base64url');

/** Reads the session of each request, and sends its cookie when that is new. */
export async function registerSessions(
  app: FastifyInstance,
  { ctx, secrets }: { ctx: Context; secrets: Secrets },
): Promise<void> {
  await app.register(cookie);
  const name = cookieName(ctx.config, 'openslot');
  const options = cookieOptions(ctx.config);
  const signer = new cookie.Signer([...secrets]);
  app.decorateRequest('session', null);
  app.decorateRequest('sessionCookie', 'keep');
  app.decorateRequest('memberId', null);
  app.addHook('onRequest', async (request) => {
    const sent = request.cookies[name];
    if (sent === undefined) return;
    const signed = signer.unsign(sent);
    request.session = signed.valid ? await readSession(ctx, signed.value) : null;
    if (request.session === null) {
      request.sessionCookie = 'clear';
      return;
    }
    // An older secret has signed it. [OPS-11]
    if (signed.renew) request.sessionCookie = 'set';
    // The body may take as long as an upload does. The session can end meanwhile, so the call reads it again.
    request.session.isStale = !request.raw.complete;
  });
  app.addHook('onSend', async ({ session, sessionCookie }, reply) => {
    // A shared cache might give the cookie to others.
    if (String(reply.getHeader('cache-control')).startsWith('public')) return;
    if (sessionCookie === 'clear') reply.clearCookie(name, options);
    if (sessionCookie === 'set' && session)
      reply.setCookie(name, signer.sign(session.id), { ...options, expires: session.expires });
  });
}

type SessionRow = Omit<AccountRow, 'id'> &
  ViewRow & {
    id: number | null;
    sess: SessionNotes & { userId: number };
    publicId: string;
    expire: Date;
  };

/** Returns the session with its account, because most calls need both. Null if it has ended. */
async function readSession(ctx: Context, sid: string): Promise<CurrentSession | null> {
  const { rows } = await sql<SessionRow>`
    select s.sess, s.public_id, s.expire::timestamptz as expire, s.started_at, s.last_used_at, u.id, u.role, u.suspended_reason,
        (select o.role from operators o where o.user_id = u.id) as operator_role,
        s.acting_for, m.role as member_role, a.role as account_role, a.suspended_reason as account_suspended_reason,
        v.id as viewed_id, v.role as viewed_role, v.suspended_reason as viewed_suspended_reason, s.viewing_until
      from sessions s
      left join users u on u.id = (s.sess ->> 'userId')::integer and u.deleted_at is null
      left join users a on a.id = s.acting_for and a.deleted_at is null
      left join account_members m on m.account_id = a.id and m.user_id = u.id
      left join users v on v.id = s.viewing and v.deleted_at is null
        and not exists (select from operators o where o.user_id = v.id)
      where s.sid = ${sid} and s.expire >= now()`.execute(ctx.db);
  if (!rows[0]) return null;
  const { sess, publicId, expire: expires, id, ...row } = rows[0];
  return {
    ...sess,
    id: sid,
    publicId,
    expires,
    account: id === null ? null : { id, ...row },
    view: readView(row, ctx.realNow()),
    isStale: false,
  };
}

/** The session of a call that requires a user. */
export function sessionOf({ session }: Pick<FastifyRequest, 'session'>): CurrentSession {
  if (!session) throw unauthorized();
  return session;
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
  await endSession(ctx, request);
  const now = ctx.realNow();
  const at = now.getTime();
  const notes: SessionNotes = { ...(byPasskey && { passkeyAt: at }), ...(byCode && { codeAt: at }) };
  const id = newId();
  await ctx.db
    .insertInto('sessions')
    .values({
      sid: id,
      sess: JSON.stringify({ userId, ...notes }),
      expire: sql<Date>`now() + ${`${SESSION_LIFETIME_MS} milliseconds`}::interval`,
      device: deviceOf(request.headers['user-agent']),
      startedAt: now,
      lastUsedAt: now,
      confirmedAt: now,
    })
    .execute();
  await endOldestSessions(ctx.db, userId);
  request.session = await readSession(ctx, id);
  request.sessionCookie = 'set';
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

/**
 * Confirms the session and gives it a new id, so that an id which an attacker knew before stops working (ASVS 7.2.4).
 * The session keeps its name in the API, its device and its end. Returns false if it has ended. [KEY-06]
 */
export async function renewSession(
  ctx: Context,
  request: FastifyRequest,
  notes: SessionNotes = {},
): Promise<boolean> {
  const id = newId();
  const { numUpdatedRows } = await ctx.db
    .updateTable('sessions')
    .set({
      sid: id,
      confirmedAt: ctx.realNow(),
      sess: sql<string>`(sess::jsonb || ${JSON.stringify(notes)}::jsonb)::json`,
    })
    .where('sid', '=', request.session?.id ?? '')
    .executeTakeFirst();
  request.session = numUpdatedRows === 0n ? null : await readSession(ctx, id);
  // Another call may have renewed it, and the browser then has that cookie.
  request.sessionCookie = request.session ? 'set' : 'keep';
  return request.session !== null;
}

/** Lets an operator's session look at the product as the person until then. Returns whether there is such a session. */
export async function beginView(
  tx: Tx,
  {
    session,
    operatorId,
    personId,
    until,
  }: { session: string; operatorId: number; personId: number; until: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ viewing: personId, viewingUntil: until })
    .where('publicId', '=', session)
    .where(sql<boolean>`sess ->> 'userId' = ${String(operatorId)}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes the session the operator's own again. */
export async function endView(tx: Tx, session: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ viewing: null, viewingUntil: null })
    .where('publicId', '=', session)
    .execute();
}

/** Ends the session of the request, if there is one, also if another call renews its id meanwhile. */
export async function endSession({ db }: Context, request: FastifyRequest): Promise<void> {
  const { session } = request;
  if (!session) return;
  request.session = null;
  request.sessionCookie = 'clear';
  await db.deleteFrom('sessions').where('publicId', '=', session.publicId).execute();
}

/** Removes the sessions whose seven days are over. */
export async function removeExpiredSessions({ db }: Context): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('expire', '<', sql<Date>`now()`)
    .execute();
}

/** A session of an operator opens the console, so it ends sooner than others, in use or not (ASVS 7.3.1, 7.3.2). */
const OPERATOR_LIFETIME_MS = 8 * HOUR_MS;
const OPERATOR_IDLE_MS = 30 * MINUTE_MS;

/** The precision of 'last used'. A coarse value saves a write on most calls. */
const LAST_USED_PRECISION_MS = 5 * MINUTE_MS;

/**
 * Returns the account for which the request's session acts: the signed-in person's own, that of which they are a member
 * with the right that the route needs, or that at which an operator looks. Throws 401 without a session, and 403 with the
 * operator's reason if the account is suspended, unless the call is open to suspended accounts, which read what concerns
 * their money. [OPER-06, RES-73, OPER-200]
 */
export async function requireUser(ctx: Context, request: FastifyRequest, needed: Needed): Promise<Caller> {
  const user = await sessionUser(ctx, request);
  if (!user) throw unauthorized();
  const { suspendedReason, acting, ...who } = user;
  const isForOther = acting !== null && needed.right !== 'person';
  if (suspendedReason !== null && (isForOther || !needed.whileSuspended))
    throw forbidden(
      `Your account is suspended, so you can only read your documents and your balance. Reason: ${suspendedReason} We’ve e-mailed you how to answer this decision.`,
    );
  return isForOther ? actAs(request, who.id, acting, needed) : who;
}

/** Returns the account as the caller. Throws 403 if the person may not make this call for it. */
function actAs(request: FastifyRequest, personId: number, acting: Acting, needed: Needed): Caller {
  const verdict = judgeActing(acting, needed);
  if ('refusal' in verdict) {
    const { refusal, code } = verdict;
    throw new HttpError(403, refusal, { details: code === undefined ? undefined : { code } });
  }
  request.memberId = personId;
  return { id: acting.accountId, role: acting.role, member: { id: personId, role: verdict.role } };
}

/**
 * Returns the person of the request's session, or null: a visitor, or somebody whose account is suspended. It is the person
 * even while the session acts for another account, so use it for nothing that a member could read or change there. While an
 * operator looks at an account, it is the person of that account.
 */
export async function signedInUser(ctx: Context, request: FastifyRequest): Promise<Caller | null> {
  const user = await sessionUser(ctx, request);
  if (user?.suspendedReason !== null) return null;
  const { id, role, viewer } = user;
  return { id, role, ...(viewer !== undefined && { viewer }) };
}

/** Throws 403 for a call that a view can't make. */
export function requireInView(request: FastifyRequest, view: View | null): void {
  if (view === null) return;
  const { config } = request.routeOptions;
  const refusal = refusalInView(request.method, config?.who ?? config?.call);
  if (refusal !== null) throw new HttpError(403, refusal, { details: { code: VIEWING } });
}

type SessionUser = Caller & Pick<AccountRow, 'suspendedReason'> & { acting: Acting | null };

/**
 * Returns the user of the request's session, or null. Every call reads the account and the session, so that a deleted or
 * suspended account, a changed role or a session ended on another device takes effect at once. [ACCT-01] A session that
 * was not used for SESSION_IDLE_DAYS ends here, and one of an operator after half an hour, or after eight hours of use.
 * [SEC-22, OPER-03]
 */
async function sessionUser(ctx: Context, request: FastifyRequest): Promise<SessionUser | null> {
  const { session } = request;
  if (!session) return null;
  const { account: user, view } = (session.isStale ? await readSession(ctx, session.id) : session) ?? {};
  if (!user) return null;
  // It may have begun while the body arrived.
  requireInView(request, view ?? null);
  const now = ctx.realNow().getTime();
  const idleMs = now - (user.lastUsedAt?.getTime() ?? 0);
  const ageMs = now - (user.startedAt?.getTime() ?? 0);
  const isOver =
    user.operatorRole !== null
      ? idleMs > OPERATOR_IDLE_MS || ageMs > OPERATOR_LIFETIME_MS
      : idleMs > ctx.config.sessionIdleDays * DAY_MS;
  if (isOver) {
    await endSession(ctx, request);
    return null;
  }
  if (idleMs > LAST_USED_PRECISION_MS) await updateLastUsed(ctx, session.id);
  const { id, role, suspendedReason } = user;
  if (!view) return { id, role, suspendedReason, acting: readActing(user) };
  return {
    id: view.personId,
    role: view.role,
    suspendedReason: view.suspendedReason,
    acting: null,
    viewer: id,
  };
}

/**
 * The id of the account for which the session acts, or at which it looks, as it was when the request arrived. Undefined without a session.
 */
export function accountAtArrival({ session }: FastifyRequest): number | undefined {
  return session?.view?.personId ?? session?.account?.actingFor ?? session?.userId;
}

async function updateLastUsed(ctx: Context, sid: string): Promise<void> {
  await ctx.db.updateTable('sessions').set({ lastUsedAt: ctx.realNow() }).where('sid', '=', sid).execute();
}

/**
 * The name of one of our cookies. With an https address it has the prefix __Host-, which binds the cookie to this host,
 * and the plain name is not read: a sibling host could plant a cookie of that name. Browsers refuse the prefix on http.
 * [SEC-24]
 */
export function cookieName({ publicUrl }: Pick<Config, 'publicUrl'>, name: string): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** Options of all our cookies besides the session's. */
export function cookieOptions({ publicUrl }: Pick<Config, 'publicUrl'>) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') } as const;
}
