export const ROLES = ['buyer', 'seller', 'both'] as const;
export type Role = (typeof ROLES)[number];

/** The names in Settings. Badges show the stored role instead. [OP-041] */
export const ROLE_NAMES: Record<Role, string> = {
  buyer: 'Ad Buyer',
  seller: 'Ad Seller / Publisher',
  both: 'Both',
};

/** A user without a role is treated as 'both'. [ENT-06] */
export function roleOf(role: Role | null | undefined): Role {
  return role ?? 'both';
}

export function hasBuyerAccess(role: Role | null | undefined): boolean {
  return roleOf(role) !== 'seller';
}

export function hasSellerAccess(role: Role | null | undefined): boolean {
  return roleOf(role) !== 'buyer';
}
