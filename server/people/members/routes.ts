import {
  changeMember,
  inviteMember,
  joinAccount,
  leaveAccount,
  listAccounts,
  listMembers,
  readInvitation,
  removeMember,
  switchAccount,
} from '#domain/accounts/members-contract.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { join, leave, ownAccounts, showInvitation, switchTo } from './accounts.ts';
import { change, invite, ownMembers, remove } from './members.ts';

// A stranger at an open session must not let anybody into the account, so these calls need a recent sign-in. [SEC-07]
export const routes: Route[] = [
  route(listMembers, { access: 'user', right: 'owner' }, ownMembers),
  route(inviteMember, { access: 'user', right: 'owner', confirmed: true }, invite),
  route(changeMember, { access: 'user', right: 'owner', confirmed: true }, change),
  route(removeMember, { access: 'user', right: 'owner', confirmed: true }, remove),
  route(readInvitation, { access: 'user', right: 'person' }, showInvitation),
  route(joinAccount, { access: 'user', right: 'person' }, join),
  // A suspended person goes back to their own account, whose documents they may read.
  route(listAccounts, { access: 'user', right: 'person', whileSuspended: true }, ownAccounts),
  route(switchAccount, { access: 'user', right: 'person', whileSuspended: true }, switchTo),
  route(leaveAccount, { access: 'user', right: 'person' }, leave),
];
