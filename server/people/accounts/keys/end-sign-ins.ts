/** Ends ways to sign in to an account: the one list of them. server/people/access/end-access.ts has the ways besides signing in. */
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { forgetSecondFactor } from './second-factor.ts';
import { deleteDevicesOf } from '../record/store-devices.ts';
import { deletePasskeysOf } from '../record/store-passkeys.ts';
import { deleteSessionsOf } from '../record/store-sessions.ts';
import { voidCodes } from '../record/store-codes.ts';
import type { UserRow } from '../record/store.ts';

/** `takeBack` of server/people/access, which stands above this folder and gives it to the two calls that take an account back. */
export type TakeBack = (
  ctx: Context,
  tx: Tx,
  user: Pick<UserRow, 'id' | 'email'>,
  since: Date | null,
) => Promise<void>;

/** Ends the sessions and known browsers, which a password opened. `except` is the session and the browser of the caller. */
export async function endPasswordSignIns(
  tx: Tx,
  userId: number,
  except?: { sid: string; device: Buffer },
): Promise<void> {
  await deleteSessionsOf(tx, userId, except?.sid);
  await deleteDevicesOf(tx, userId, except?.device);
}

/** Ends every way to sign in but the password: also the passkeys, the second factor, and mailed codes and links. */
export async function endAllSignIns(tx: Tx, { id, email }: Pick<UserRow, 'id' | 'email'>): Promise<void> {
  await endPasswordSignIns(tx, id);
  await deletePasskeysOf(tx, id);
  await forgetSecondFactor(tx, id);
  await voidCodes(tx, email);
}
