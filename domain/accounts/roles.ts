export const ROLES = ['buyer', 'seller', 'both'] as const;
export type Role = (typeof ROLES)[number];

/** Badges show the role as stored; the choice in Settings shows these names (OP-041). */
export const ROLE_NAMES: Record<Role, string> = {
  buyer: 'Ad Buyer',
  seller: 'Ad Seller / Publisher',
  both: 'Both',
};

/** A user with no role is treated as both (ENT-06). */
export function roleOf(role: Role | null | undefined): Role {
  return role ?? 'both';
}

export function hasBuyerAccess(role: Role | null | undefined): boolean {
  return roleOf(role) !== 'seller';
}

export function hasSellerAccess(role: Role | null | undefined): boolean {
  return roleOf(role) !== 'buyer';
}
