import cookie from '@fastify/cookie';
import session from '@fastify/session';
import connectPgSimple from 'connect-pg-simple';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { deviceOf } from '#domain/accounts/device.ts';
import type { Context, Who } from '../context.ts';

declare module 'fastify' {
  interface Session {
    userId?: number;
  }
}

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** Server-side sessions of seven days in the table `sessions` (OP-035). */
export async function registerSessions(
  app: FastifyInstance,
  options: { pool: pg.Pool; secret: string; secure: boolean },
): Promise<void> {
  // connect-pg-simple is written for express-session, whose Store Fastify's own stands in for.
  const Store = connectPgSimple({ Store: session.Store } as unknown as Parameters<typeof connectPgSimple>[0]);
  if (options.secure) {
    // This server speaks HTTP only. An https address therefore means that TLS ends in front of it, whether or not the
    // proxy is one whose headers are believed; the session plugin would else keep the Secure cookie back.
    app.addHook('onRequest', async (request) => {
      Object.defineProperty(request, 'protocol', { value: 'https' });
    });
  }
  await app.register(cookie);
  await app.register(session, {
    secret: options.secret,
    store: new Store({ pool: options.pool, tableName: 'sessions', pruneSessionInterval: 60 * 60 }),
    // The prefix binds the cookie to this host; browsers take it over HTTPS only.
    cookieName: options.secure ? '__Host-openslot' : 'openslot',
    cookie: { path: '/', httpOnly: true, sameSite: 'lax', secure: options.secure, maxAge: LIFETIME_MS },
    saveUninitialized: false,
    rolling: false,
  });
}

/** A new session id at every sign-in, so that an id known before it is worth nothing after it. */
export async function startSession(ctx: Context, request: FastifyRequest, userId: number): Promise<void> {
  await request.session.regenerate();
  request.session.userId = userId;
  await request.session.save();
  await ctx.db
    .updateTable('sessions')
    .set({ device: deviceOf(request.headers['user-agent']), startedAt: ctx.now(), lastUsedAt: ctx.now() })
    .where('sid', '=', request.session.sessionId)
    .execute();
}

export async function endSession(request: FastifyRequest): Promise<void> {
  await request.session.destroy();
}

/** 'Last used' is as exact as this: reading a page must not cost a write. */
const USE_NOTED_AFTER_MS = 5 * 60 * 1000;

/**
 * The user of the request's session, read anew each time: a deleted or changed account counts at once, and so does a
 * session that was ended from another device (ACCT-02).
 */
export async function signedInUser(ctx: Context, request: FastifyRequest): Promise<Who | null> {
  const { userId, sessionId } = request.session;
  if (userId === undefined) return null;
  const user = await ctx.db
    .selectFrom('users')
    .innerJoin('sessions', (join) => join.on('sessions.sid', '=', sessionId))
    .select(['users.id', 'users.role', 'sessions.lastUsedAt'])
    .where('users.id', '=', userId)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst();
  if (!user) return null;
  const used = user.lastUsedAt?.getTime() ?? 0;
  if (ctx.now().getTime() - used > USE_NOTED_AFTER_MS) await noteUse(ctx, sessionId);
  return { id: user.id, role: user.role };
}

async function noteUse(ctx: Context, sid: string): Promise<void> {
  await ctx.db.updateTable('sessions').set({ lastUsedAt: ctx.now() }).where('sid', '=', sid).execute();
}
