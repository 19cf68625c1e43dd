import {
  changeMember,
  inviteMember,
  joinAccount,
  leaveAccount,
  listAccounts,
  listMembers,
  removeMember,
  switchAccount,
} from '#domain/accounts/members-contract.ts';
import { type Route, route } from '../http/route.ts';
import { join, leave, ownAccounts, switchTo } from './accounts.ts';
import { change, invite, ownMembers, remove } from './members.ts';

// A stranger at an open session must not let anybody into the account, so these calls need a recent sign-in. [SEC-07]
export const routes: Route[] = [
  route(listMembers, 'user', ownMembers),
  route(inviteMember, 'user', invite, { isConfirmed: true }),
  route(changeMember, 'user', change, { isConfirmed: true }),
  route(removeMember, 'user', remove, { isConfirmed: true }),
  route(joinAccount, 'user', join),
  // A suspended person goes back to their own account, whose documents they may read.
  route(listAccounts, 'user', ownAccounts, { isOpenToSuspended: true }),
  route(switchAccount, 'user', switchTo, { isOpenToSuspended: true }),
  route(leaveAccount, 'user', leave),
];
