/** Mail about the members of an account. No setting turns it off. */
import {
  INVITATION_DAYS,
  MEMBER_ROLE_NAMES,
  MEMBER_ROLE_WORDS,
  type MemberRole,
} from '#domain/accounts/members.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { postMessage } from '../post-message.ts';

/**
 * Names the account by its verified address as well, because its name is free text that a stranger could choose. The token
 * works only for somebody who is signed in with the recipient's address.
 */
export async function mailMemberInvitation(
  ctx: Context,
  tx: Tx,
  {
    recipient,
    account,
    role,
    token,
  }: { recipient: string; account: { name: string; email: string }; role: MemberRole; token: string },
): Promise<void> {
  const { brand, publicUrl } = ctx.config;
  await postMessage(ctx, tx, {
    recipient,
    kind: 'member-invitation',
    mail: {
      subject: `You’re invited to an account on ${brand.name}`,
      heading: 'Join an account',
      paragraphs: [
        `${account.name} (${account.email}) invites you to help with their account on ${brand.name}.`,
        `Your role would be ${MEMBER_ROLE_NAMES[role]}: you could ${MEMBER_ROLE_WORDS[role]}.`,
        `Sign in or sign up with this address, then join. The invitation works for ${INVITATION_DAYS} days.`,
      ],
      action: { label: 'Read the invitation', url: `${publicUrl}/join?token=${token}` },
      note: 'If you don’t know who this is, ignore this email. Nothing happens without you.',
    },
  });
}

/** Tells the account's own address, so that its founder notices a member whom somebody else invited. */
export async function mailMemberJoined(
  ctx: Context,
  tx: Tx,
  {
    recipient,
    person,
    role,
  }: { recipient: string; person: { name: string; email: string }; role: MemberRole },
): Promise<void> {
  const { brand, publicUrl } = ctx.config;
  await postMessage(ctx, tx, {
    recipient,
    kind: 'member-joined',
    mail: {
      subject: `New member of your ${brand.name} account`,
      heading: 'Somebody joined your account',
      paragraphs: [
        `${person.name} (${person.email}) accepted the invitation. The role is ${MEMBER_ROLE_NAMES[role]}: they can ${MEMBER_ROLE_WORDS[role]}.`,
      ],
      action: { label: 'See the members', url: `${publicUrl}/settings?tab=members` },
      note: 'If you don’t know this person, remove them right away, then look at Settings › Security.',
    },
  });
}
