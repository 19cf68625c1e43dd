import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Switch, SWITCHES } from '#domain/notifications/switches.ts';
import type { Context } from '#server/platform/context.ts';
import { findAddressee, findAddressOf } from './store.ts';

const TOKEN = /^(\d{1,9})\.(\w{1,30})\.([\w-]{43})$/;

/**
 * The address that turns off a switch of the person with this e-mail address. Null if no account has the address. The
 * token stands in the query, because logs leave the query out.
 */
export async function unsubscribeUrl(
  ctx: Context,
  recipient: string,
  offSwitch: Switch,
): Promise<string | null> {
  const userId = await findAddressee(ctx.db, recipient);
  if (userId === undefined) return null;
  const token = `${userId}.${offSwitch}.${proofsOf(ctx, { userId, offSwitch, recipient })[0]}`;
  return `${ctx.config.publicUrl}/unsubscribe?token=${token}`;
}

/** Reads a token. Null if it is forged, or if the account has another e-mail address by now. */
export async function readUnsubscribeToken(
  ctx: Context,
  token: string,
): Promise<{ userId: number; offSwitch: Switch } | null> {
  const [, id, name, proof] = TOKEN.exec(token) ?? [];
  const offSwitch = SWITCHES.find((each) => each === name);
  if (offSwitch === undefined || proof === undefined) return null;
  const userId = Number(id);
  const recipient = await findAddressOf(ctx.db, userId);
  if (recipient === undefined) return null;
  const isProven = proofsOf(ctx, { userId, offSwitch, recipient }).some((expected) =>
    timingSafeEqual(Buffer.from(proof), Buffer.from(expected)),
  );
  return isProven ? { userId, offSwitch } : null;
}

/** One for each secret, the newest first. */
function proofsOf(
  ctx: Context,
  { userId, offSwitch, recipient }: { userId: number; offSwitch: Switch; recipient: string },
): string[] {
  return ctx
    .keysFor('unsubscribing')
    .map((key) =>
      createHmac('sha256', key).update(`${userId} ${offSwitch} ${recipient}`).digest('base64url'),
    );
}
