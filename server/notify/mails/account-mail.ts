import { CODE_LIFETIME_MS } from '#domain/accounts/codes.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isolated, type Mail } from '../layout.ts';
import { postMessage } from '../post-message.ts';
import { deleteMessagesTo } from '../store.ts';
import { deleteBouncesOf } from '../store-bounces.ts';

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

const AFTER_PASSWORD = {
  /** In Settings, where the current session goes on. */
  change: ['Every other device was signed out. Sign in there with your new password.'],
  /** With a mailed code. */
  reset: ['You’ve been signed out everywhere. Sign in with your new password.'],
  /** The code verified the address of a sign-up, which another person may have made. */
  'first-reset': [
    'This also verified your address. Everything that could open the account before has ended: the former password, sessions, passkeys, two-step verification, members and links. Sign in with your new password.',
  ],
  /** Another account had entered the address. */
  'new-account': [
    'Another account had entered this address without verifying it, so we opened a new, empty account for you. Sign in with your new password.',
    'If the other account is yours, too, sign in to it with its former address, and change the address there again.',
  ],
} as const;

export async function mailPasswordChanged(
  ctx: Context,
  tx: Tx,
  { recipient, after }: { recipient: string; after: keyof typeof AFTER_PASSWORD },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'password-changed',
    mail: {
      subject: `Your ${ctx.config.brand.name} password was changed`,
      heading: 'Your password was changed',
      paragraphs: [...AFTER_PASSWORD[after]],
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
            'If you didn’t make this change, undo it within 7 days. Your account will use this address again, and every way into it ends: the password, sessions, passkeys and two-step verification, and the members, links, saved cards and payout accounts that were added since a week before the change.',
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

/** Tells the owner of a restored account what has ended and what to look at. [WARD-02] */
export async function mailAccountRestored(
  ctx: Context,
  tx: Tx,
  { recipient }: { recipient: string },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'account-restored',
    mail: {
      subject: `Your ${ctx.config.brand.name} account uses this address again`,
      heading: 'Your account uses this address again',
      paragraphs: [
        'The password, all sessions, passkeys and two-step verification have ended. Choose a new password with the link in our other email.',
        'Members, invitations, links to reports, consents to charge a saved card and payout accounts that were added since a week before the change have ended, too. Invite people whom you know again.',
        'Then look at the bank account for your payouts, which are on hold for now, and at the campaigns and ad zones of the last days.',
      ],
      action: { label: 'Open Settings', url: `${ctx.config.publicUrl}/settings` },
    },
  });
}

/** Tells the owner of a verified address that their account uses it again. [WARD-01] */
export async function mailAddressGoesBack(
  ctx: Context,
  tx: Tx,
  { recipient }: { recipient: string },
): Promise<void> {
  await postMessage(ctx, tx, {
    recipient,
    kind: 'address-goes-back',
    mail: {
      subject: `Your ${ctx.config.brand.name} account uses this address again`,
      heading: 'Your account uses this address again',
      paragraphs: [
        'Your account was going to use a different address, which nobody had verified. The owner of that address has opened an account of their own, so yours uses this address again. Nothing else has changed.',
      ],
      action: { label: 'Open Settings', url: `${ctx.config.publicUrl}/settings` },
      note: 'If you didn’t change the address of your account, choose a new password, and sign out every other device in Settings › Security.',
    },
  });
}

/** Deletes the mails to a person who has deleted their account, and what receivers reported about them. */
export async function forgetRecipient(tx: Tx, recipient: string): Promise<void> {
  await deleteMessagesTo(tx, recipient);
  await deleteBouncesOf(tx, recipient);
}

/** The mail about a tax number that VIES refused after it was accepted. */
export function taxIdRefusedMail(taxId: string, publicUrl: string): Mail {
  return {
    subject: 'Your tax number is not registered',
    heading: 'Your tax number is not registered',
    paragraphs: [
      `The EU’s VIES service was not available when you gave the tax number ${taxId}. It has now answered that the number is not registered.`,
      'Correct the number in your billing details. If you think that it is right, ask your tax office whether it is registered for trade in the EU, then answer this mail.',
      'Documents that already name the number don’t change. The marketplace operator may contact you about them.',
    ],
    action: { label: 'Open your billing details', url: `${publicUrl}/settings?tab=billing` },
  };
}
