import { CODE_LIFETIME_MS } from '#domain/accounts/codes.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { isolated } from './isolated.ts';
import { postMessage } from './post-message.ts';
import { deleteMessagesTo } from './store.ts';
import { deleteBouncesOf } from './store-bounces.ts';

// No setting turns off mail about the account itself.

const MINUTES = CODE_LIFETIME_MS / 60_000;

/** `token` is the one-time token for the link in the mail. */
export async function mailVerificationCode(
  ctx: Context,
  tx: Tx,
  { recipient, code, token }: { recipient: string; code: string; token: string },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'verification-code',
    mail: {
      subject: `Verify your email for ${ctx.config.brand.name}`,
      heading: 'Verify your email',
      paragraphs: [
        `Enter this code to activate your account. It expires in ${MINUTES} minutes and works once.`,
      ],
      code,
      action: { label: 'Verify my email', url: `${ctx.config.publicUrl}/auth?verify=${token}` },
      note: `If you didn’t sign up for ${ctx.config.brand.name}, ignore this email. Without the code, nothing will change.`,
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
      subject: `Reset your ${ctx.config.brand.name} password`,
      heading: 'Reset your password',
      paragraphs: [
        `Enter this code to choose a new password. It expires in ${MINUTES} minutes and works once.`,
      ],
      code,
      action: { label: 'Choose a new password', url: `${ctx.config.publicUrl}/auth?reset=${token}` },
      note: 'If you didn’t ask for this, ignore this email. Your password won’t change.',
    },
  });
}

/** `staysSignedIn` if the user changed the password in Settings, where the current session goes on. */
export async function mailPasswordChanged(
  ctx: Context,
  tx: Tx,
  { recipient, staysSignedIn }: { recipient: string; staysSignedIn: boolean },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'password-changed',
    mail: {
      subject: `Your ${ctx.config.brand.name} password was changed`,
      heading: 'Your password was changed',
      paragraphs: [
        staysSignedIn
          ? 'Every other device was signed out. Sign in there with your new password.'
          : 'You’ve been signed out everywhere. Sign in with your new password.',
      ],
      action: { label: 'Sign in', url: `${ctx.config.publicUrl}/auth` },
      note: 'If you didn’t change it, reset your password right away and secure your email account: someone else may be able to read your email.',
    },
  });
}

/** `device` is such as 'Firefox on Windows', or null for an unknown client. */
export async function mailNewDevice(
  ctx: Context,
  tx: Tx,
  { recipient, device }: { recipient: string; device: string | null },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'new-device',
    mail: {
      subject: `New sign-in to your ${ctx.config.brand.name} account`,
      heading: 'New sign-in',
      paragraphs: [
        `Someone signed in to your account from a device that we don’t know: ${device ?? 'Unknown device'}.`,
      ],
      action: { label: 'See your sessions', url: `${ctx.config.publicUrl}/settings` },
      note: 'If this was you, you don’t need to do anything. If not, change your password right away in Settings › Security, which signs out every other device.',
    },
  });
}

export async function mailSecondFactorChanged(
  ctx: Context,
  tx: Tx,
  { recipient, isOn }: { recipient: string; isOn: boolean },
): Promise<void> {
  const change = isOn ? 'on' : 'off';
  await postMessage(ctx, tx, {
    recipient,
    kind: 'second-factor-changed',
    mail: {
      subject: `Two-step verification is ${change} for your ${ctx.config.brand.name} account`,
      heading: `Two-step verification is ${change}`,
      paragraphs: [
        isOn
          ? 'From now on, signing in needs a code of your authenticator app. Keep your recovery codes in a safe place: each replaces the app once. Your other devices were signed out.'
          : 'Signing in needs only your password now.',
      ],
      action: { label: 'Open Settings', url: `${ctx.config.publicUrl}/settings` },
      note: 'If you didn’t change this, reset your password right away and sign out every session in Settings.',
    },
  });
}

/** A passkey opens the account by itself, so we e-mail the owner about each one. [KEY-01] */
export async function mailPasskeyChanged(
  ctx: Context,
  tx: Tx,
  { recipient, name, isAdded }: { recipient: string; name: string; isAdded: boolean },
): Promise<void> {
  const change = isAdded ? 'added' : 'removed';
  await postMessage(ctx, tx, {
    recipient,
    kind: 'passkey-changed',
    mail: {
      subject: `A passkey was ${change} for your ${ctx.config.brand.name} account`,
      heading: `A passkey was ${change}`,
      paragraphs: [
        isAdded
          ? `You can now sign in with the passkey “${isolated(name)}”.`
          : `The passkey “${isolated(name)}” no longer signs you in. You may want to delete it on your device, too.`,
      ],
      action: { label: 'Open Settings', url: `${ctx.config.publicUrl}/settings` },
      note: isAdded
        ? 'If you didn’t add it, remove it in Settings › Security, then change your password right away.'
        : 'If you didn’t remove it, change your password right away in Settings › Security.',
    },
  });
}

/**
 * Tells the address that was replaced, so that its owner learns of the change [OP-033] and can undo it [ACCT-07]. If the
 * owner never verified the address, it may belong to a stranger. `proven` is then null, and the mail contains neither the
 * new address nor a link.
 */
export async function mailAddressChanged(
  ctx: Context,
  tx: Tx,
  { recipient, proven }: { recipient: string; proven: { newAddress: string; token: string } | null },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'address-changed',
    mail: proven
      ? {
          subject: `Your ${ctx.config.brand.name} email address was changed`,
          heading: 'Your email address was changed',
          paragraphs: [
            `Your account now uses ${proven.newAddress} instead of this address.`,
            'If you didn’t make this change, undo it within 7 days. Your account will use this address again, and everyone who is signed in will be signed out.',
          ],
          action: {
            label: 'Undo the change',
            url: `${ctx.config.publicUrl}/auth?restore=${proven.token}`,
          },
          note: 'If you made this change, you don’t need to do anything.',
        }
      : {
          subject: `This address is no longer used on ${ctx.config.brand.name}`,
          heading: 'This address is no longer used',
          paragraphs: [
            'The account that was going to use this address now uses a different one. You won’t hear from us again.',
          ],
        },
  });
}

/** Deletes the mails to a person who has deleted their account, and what receivers reported about them. */
export async function forgetRecipient(tx: Tx, recipient: string): Promise<void> {
  await deleteMessagesTo(tx, recipient);
  await deleteBouncesOf(tx, recipient);
}
