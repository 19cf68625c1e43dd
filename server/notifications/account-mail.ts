import { CODE_LIFETIME_MS } from '#domain/accounts/codes.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { postMessage } from './post-message.ts';
import { deleteMessagesTo } from './store.ts';

// Mail about the account itself: no setting turns it off.

const MINUTES = CODE_LIFETIME_MS / 60_000;

/** `token` is the one-time link's, as it stands in the address. */
export async function mailVerificationCode(
  ctx: Context,
  tx: Tx,
  { recipient, code, token }: { recipient: string; code: string; token: string },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'verification-code',
    mail: {
      subject: 'Verify your email for Openslot',
      heading: 'Verify your email',
      paragraphs: [
        `Enter this code to activate your account. It is valid for ${MINUTES} minutes and works once.`,
      ],
      code,
      action: { label: 'Verify without typing', url: `${ctx.config.publicUrl}/auth?verify=${token}` },
      note: 'If you did not open an account with this address, ignore this mail: without the code nothing happens.',
    },
  });
}

export async function mailResetCode(
  ctx: Context,
  tx: Tx,
  { recipient, code, token }: { recipient: string; code: string; token: string },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'reset-code',
    mail: {
      subject: 'Reset your Openslot password',
      heading: 'Reset your password',
      paragraphs: [
        `Enter this code to choose a new password. It is valid for ${MINUTES} minutes and works once.`,
      ],
      code,
      action: { label: 'Choose a new password', url: `${ctx.config.publicUrl}/auth?reset=${token}` },
      note: 'If you did not ask for this, ignore this mail: your password stays as it is.',
    },
  });
}

export async function mailPasswordChanged(ctx: Context, tx: Tx, recipient: string): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'password-changed',
    mail: {
      subject: 'Your Openslot password was changed',
      heading: 'Your password was changed',
      paragraphs: ['Every session was ended. Sign in with the new password.'],
      action: { label: 'Sign in', url: `${ctx.config.publicUrl}/auth` },
      note: 'If this was not you, reset your password at once: whoever did it can read your mail.',
    },
  });
}

/**
 * To the address that was replaced, so that its owner learns of it (OP-033), and can take it back (ACCT-07). An address
 * that was never proven may be a stranger's: `proven` is null, and neither the new address nor a link goes there.
 */
export async function mailAddressChanged(
  ctx: Context,
  tx: Tx,
  { recipient, proven }: { recipient: string; proven: { newAddress: string; token: string } | null },
): Promise<void> {
  const mail = {
    subject: 'Your Openslot email address was changed',
    heading: 'Your email address was changed',
  };
  await postMessage(ctx, tx, {
    recipient,
    kind: 'address-changed',
    mail: proven
      ? {
          ...mail,
          paragraphs: [
            `Your account now uses ${proven.newAddress}. This address is no longer part of it.`,
            'If this was not you, take the change back within 7 days: your account gets this address again, and everybody who is signed in to it is signed out.',
          ],
          action: {
            label: 'Take the change back',
            url: `${ctx.config.publicUrl}/auth?restore=${proven.token}`,
          },
          note: 'If this was you, there is nothing to do.',
        }
      : {
          ...mail,
          paragraphs: ['An account that was to use this address uses another one. Nothing more comes here.'],
        },
  });
}

/** Forgets what was mailed to somebody whose account is deleted. */
export async function forgetRecipient(tx: Tx, recipient: string): Promise<void> {
  await deleteMessagesTo(tx, recipient);
}
