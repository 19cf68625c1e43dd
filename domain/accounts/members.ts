/** The rights of an account's members: a role has rights, and each route names the right that it needs. */

export const MEMBER_ROLES = ['owner', 'editor', 'billing', 'read'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/**
 * The rights that a route can need: to read figures; to read ads and zones; to change them; to pay and be paid; to decide
 * about the account itself.
 */
export const MEMBER_RIGHTS = ['figures', 'ads', 'change', 'money', 'owner'] as const;
export type MemberRight = (typeof MEMBER_RIGHTS)[number];

const ROLE_RIGHTS: Record<MemberRole, readonly MemberRight[]> = {
  owner: MEMBER_RIGHTS,
  editor: ['figures', 'ads', 'change'],
  billing: ['figures', 'money'],
  read: ['figures', 'ads'],
};

export const MEMBER_ROLE_NAMES: Record<MemberRole, string> = {
  owner: 'Owner',
  editor: 'Editor',
  billing: 'Billing only',
  read: 'Read only',
};

/** What a member with the role can do, as the end of a sentence that begins with 'can'. */
export const MEMBER_ROLE_WORDS: Record<MemberRole, string> = {
  owner: 'do everything, also manage members and delete the account',
  editor: 'read and change ads, websites and prices, but not pay',
  billing: 'read figures, pay, and manage documents, payouts and billing details',
  read: 'read figures and ads, but change nothing',
};

export function memberMay(role: MemberRole, right: MemberRight): boolean {
  return ROLE_RIGHTS[role].includes(right);
}

export function rightsOf(role: MemberRole): MemberRight[] {
  return [...ROLE_RIGHTS[role]];
}

/** The id of the account's founder in the list of members. The founder has no row that could be changed or removed. */
export const FOUNDER = 0;

/** The most members of an account besides its founder, with open invitations. */
export const MAX_MEMBERS = 50;
/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;
