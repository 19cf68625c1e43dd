import type { FastifyRequest } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { DEVICE_LIFETIME_MS, keepDeviceToken } from '#server/platform/http/browser/devices.ts';
import {
  deleteDevicesBefore,
  findDevice,
  findDeviceByEmail,
  hasDevices,
  upsertDevice,
} from './store-devices.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

/** Whether this browser has signed in to the account with this address before. */
export async function isKnownFor(ctx: Context, request: FastifyRequest, email: string): Promise<boolean> {
  const token = request.deviceToken;
  return token !== null && (await findDeviceByEmail(ctx.db, email, hashToken(token)));
}

/**
 * Remembers this browser. Returns 'first' for the first one of the account, because there is nothing to compare it
 * with, and 'new' for another one.
 */
export async function rememberDevice(
  ctx: Context,
  request: FastifyRequest,
  userId: number,
): Promise<'known' | 'first' | 'new'> {
  const hash = hashToken(keepDeviceToken(request));
  const known = await findDevice(ctx.db, userId, hash);
  const kind = known ? 'known' : (await hasDevices(ctx.db, userId)) ? 'new' : 'first';
  await upsertDevice(ctx.db, userId, hash, ctx.realNow());
  return kind;
}

/** Removes devices whose cookie has expired. */
export async function removeOldDevices(ctx: Context): Promise<void> {
  await deleteDevicesBefore(ctx.db, new Date(ctx.realNow().getTime() - DEVICE_LIFETIME_MS));
}
