import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';
import { mailAddressChanged } from '#server/notify/mails/account-mail.ts';
import { issueCode } from './codes.ts';
import { EMAIL_TAKEN } from './register.ts';
import { newToken, RESTORE_LIFETIME_MS } from '../record/rules.ts';
import { findUserByEmail, type ProfileChange, updateUser, type UserRow } from '../record/store.ts';
import { mirrorCode, voidCodes } from '../record/store-codes.ts';
import {
  type ChangeRow,
  deleteChangesPast,
  findOpenChange,
  insertChange,
  voidChangesFrom,
} from '../record/store-email-changes.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

const OLD_ADDRESS_TAKEN =
  'This address belongs to another account now, so the change can’t be undone. Choose another address in Settings.';

/**
 * Stores the new address at once and mails a code that confirms it. Until then the user can go back to the last
 * verified address. That address receives a notice with a link that undoes the change. The caller holds the user's
 * lock. [OP-033] [ACCT-06] [ACCT-07]
 */
export async function changeAddress(
  ctx: Context,
  tx: Tx,
  user: UserRow,
  change: ProfileChange & { email: string },
): Promise<UserRow> {
  const open = await findOpenChange(tx, user.id);
  // A user who enters the old address again undoes the change.
  if (open && change.email === open.oldEmail) {
    await updateUser(tx, user.id, { ...change, email: user.email }, ctx.now());
    return await restoreAddress(ctx, tx, user, open);
  }
  if (await findUserByEmail(tx, change.email)) throw conflict(EMAIL_TAKEN);
  const changed = await writeAddress(ctx, tx, user, { ...change, isEmailVerified: false }, EMAIL_TAKEN);
  // Codes and links that were mailed to the old address must stop working.
  await voidCodes(tx, user.email);
  await mirrorCode(tx, user.id, 'reset', null);
  await issueCode(ctx, tx, changed, 'verify');
  await notifyOldAddress(ctx, tx, user, changed.email);
  return changed;
}

async function notifyOldAddress(ctx: Context, tx: Tx, old: UserRow, newAddress: string): Promise<void> {
  const recipient = old.email;
  // An unverified address may be a typo and belong to a stranger. Its notice contains neither the new address nor a
  // link.
  if (!old.isEmailVerified) return await mailAddressChanged(ctx, tx, { recipient, proven: null });
  const token = newToken();
  const now = ctx.realNow();
  await insertChange(tx, {
    userId: old.id,
    oldEmail: old.email,
    linkHash: hashToken(token),
    expiresAt: new Date(now.getTime() + RESTORE_LIFETIME_MS),
    createdAt: now,
  });
  await mailAddressChanged(ctx, tx, { recipient, proven: { newAddress, token } });
}

/** Restores the address that the change replaced. Throws 409 with the sentence `taken` if another account has it. The caller holds the user's lock. */
export async function restoreAddress(
  ctx: Context,
  tx: Tx,
  user: UserRow,
  change: ChangeRow,
  taken = OLD_ADDRESS_TAKEN,
): Promise<UserRow> {
  const email = change.oldEmail;
  const restored = await writeAddress(ctx, tx, user, { email, isEmailVerified: true }, taken);
  for (const address of new Set([user.email, email])) await voidCodes(tx, address);
  await mirrorCode(tx, user.id, 'verify', null);
  await mirrorCode(tx, user.id, 'reset', null);
  await voidChangesFrom(tx, change, ctx.realNow());
  return restored;
}

async function writeAddress(
  ctx: Context,
  tx: Tx,
  user: UserRow,
  change: ProfileChange,
  taken: string,
): Promise<UserRow> {
  return await updateUser(tx, user.id, change, ctx.now()).catch((error: unknown) => {
    // Another account has the address, or took it at the same moment.
    throw isUniqueViolation(error) ? conflict(taken) : error;
  });
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string }).code === '23505';
}

/** Removes changes that can no longer be undone. Apart from an address they hold nothing of use. */
export async function removePastChanges(ctx: Context): Promise<void> {
  await deleteChangesPast(ctx.db, ctx.realNow());
}
