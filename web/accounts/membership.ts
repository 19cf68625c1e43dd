import type { User } from '#domain/accounts/contract.ts';
import type { MemberRight } from '#domain/accounts/members.ts';
import { useSignedInUser } from './current-user.ts';

/** Whether the person may do something of this kind: everything in their own account, by their role in another one. */
export function mayDo({ membership }: Pick<User, 'membership'>, right: MemberRight): boolean {
  return !membership || membership.rights.includes(right);
}

export function useMay(right: MemberRight): boolean {
  return mayDo(useSignedInUser(), right);
}
