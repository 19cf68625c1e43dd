/** The rights of operators: a role has rights, and each act names the right that it needs. */

/** Everything; money; people's content; people's accounts and mail; nothing but reading. */
export const OPERATOR_ROLES = ['owner', 'money', 'moderation', 'support', 'read'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The rights that an act can need. `owner` is for settings, operators and the installation itself. */
export type Right = 'owner' | 'money' | 'moderation' | 'support';

const ROLE_RIGHTS: Record<OperatorRole, readonly Right[]> = {
  owner: ['owner', 'money', 'moderation', 'support'],
  money: ['money'],
  moderation: ['moderation', 'support'],
  support: ['support'],
  read: [],
};

/** The roles in the words of the console. */
export const ROLE_WORDS: Record<OperatorRole, string> = {
  owner: 'Owner: everything, also settings and operators',
  money: 'Money: refunds, holds, disputes, commission and tax',
  moderation: 'Moderation: people, websites and ads, and everything of Support',
  support: 'Support: sessions, sign-in and mail of people',
  read: 'Read only: sees everything and changes nothing',
};

export function holds(role: OperatorRole, right: Right): boolean {
  return ROLE_RIGHTS[role].includes(right);
}

/** The roles that have the right, for a query. */
export function rolesWith(right: Right): OperatorRole[] {
  return OPERATOR_ROLES.filter((role) => holds(role, right));
}
