/** The members of an account, and the accounts of a person. */
import { z } from 'zod';
import { emailAddress } from '../email-address.ts';
import { endpoint } from '../endpoint.ts';
import { id, instant, okReply, pathId } from '../fields.ts';
import { FOUNDER, MEMBER_ROLES } from './members.ts';

const memberRole = z.enum(MEMBER_ROLES, 'Choose a role: owner, editor, billing or read.');
const memberId = z.union([z.literal(String(FOUNDER)).transform(() => FOUNDER), pathId]);

export const member = z.object({
  /** 0 is the founder, whom nobody can remove. */
  id: z.number().int().min(FOUNDER),
  email: z.string(),
  /** Null for an invitation, and for a member without a name. */
  name: z.string().nullable(),
  role: z.enum(MEMBER_ROLES),
  isYou: z.boolean(),
  /** When an invitation expires. Null for somebody who has joined. */
  invitedUntil: instant.nullable(),
});
export type AccountMember = z.output<typeof member>;

export const account = z.object({
  /** Null for the person's own account. */
  id: id.nullable(),
  name: z.string(),
  role: z.enum(MEMBER_ROLES),
  /** Whether the session acts for it. */
  isCurrent: z.boolean(),
});
export type Account = z.output<typeof account>;

export const inviteMember = endpoint({
  method: 'POST',
  path: '/api/account/members',
  summary: 'Invite somebody to your account by mail. A new invitation to an address replaces the open one',
  body: z.object({ email: emailAddress(), role: memberRole }),
  reply: member,
  status: 201,
});

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/account/members',
  summary: 'List the members of your account and its open invitations, the founder first',
  reply: z.array(member),
});

export const changeMember = endpoint({
  method: 'PATCH',
  path: '/api/account/members/:id',
  summary: 'Change the role of a member or of an open invitation',
  params: z.object({ id: memberId }),
  body: z.object({ role: memberRole }),
  reply: member,
});

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/api/account/members/:id',
  summary: 'Remove a member, or withdraw an open invitation. It takes effect with their next call',
  params: z.object({ id: memberId }),
  reply: okReply,
});

const invitation = z.object({
  token: z
    .string('The token of the invitation is missing.')
    .min(1, 'The token of the invitation is missing.')
    .max(100, 'This is no token of an invitation.'),
});

/** By POST, so that the token is in no address that a log keeps. */
export const readInvitation = endpoint({
  method: 'POST',
  path: '/api/account/invitation',
  summary:
    'The account that a mailed invitation is for and the role in it, signed in with the invited address',
  body: invitation,
  reply: z.object({ name: z.string(), role: z.enum(MEMBER_ROLES) }),
});

export const joinAccount = endpoint({
  method: 'POST',
  path: '/api/account/join',
  summary: 'Join an account by the token of a mailed invitation, signed in with the invited address',
  body: invitation,
  reply: z.object({ account: id, name: z.string(), role: z.enum(MEMBER_ROLES) }),
});

export const listAccounts = endpoint({
  method: 'GET',
  path: '/api/accounts',
  summary: 'List the accounts that you can act for, your own first',
  reply: z.array(account),
});

export const switchAccount = endpoint({
  method: 'POST',
  path: '/api/account/switch',
  summary: 'Let this session act for an account, or for yourself with null',
  body: z.object({ account: id.nullable() }),
  reply: account,
});

export const leaveAccount = endpoint({
  method: 'DELETE',
  path: '/api/accounts/:id',
  summary: 'Leave an account of which you are a member',
  params: z.object({ id: pathId }),
  reply: okReply,
});
