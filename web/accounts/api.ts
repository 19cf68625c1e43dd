import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  reauthenticate,
  removeSecondFactor,
  replaceRecoveryCodes,
  updateProfile,
  updateSettings,
} from '#domain/accounts/contract.ts';
import type { Role } from '#domain/accounts/roles.ts';
import { calls } from '#domain/calls.ts';
import type { Input } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { renewSession } from '#web/http/reauthenticate.ts';
import { call, callWithFile } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshCurrentUser, storeTimezone, storeUser } from './current-user.ts';
import { leaveDeleted, leaveLoggedOut } from './leaving.ts';

type Body<E> = Input<E> extends { body: infer B } ? B : never;

export function useLogout() {
  return useMutation({
    mutationFn: () => call(calls.logout),
    onSuccess: leaveLoggedOut,
    onError: (error) => failureToast(error, 'Logout failed', 'You’re still signed in. Please try again.'),
  });
}

/** Stores the role that the user chose in the welcome dialog. [ERR-42] */
export function useChooseRole() {
  return useMutation({
    mutationFn: (role: Role) => call(calls.chooseRole, { body: { role } }),
    onSuccess: storeUser,
    onError: (error) => failureToast(error, 'Setup Failed', 'Could not complete setup. Please try again.'),
  });
}

/**
 * Gives a user who followed an advertising-space link the buyer role. Returns false on failure instead of throwing,
 * because the user goes on to the wizard in either case. [AUTH-23]
 */
export async function becomeBuyer(): Promise<boolean> {
  try {
    storeUser(await call(calls.chooseRole, { body: { role: 'buyer' } }));
    return true;
  } catch {
    return false;
  }
}

export function useChangeRole() {
  return useMutation({
    mutationFn: (role: Role) => call(calls.changeRole, { body: { role } }),
    onSuccess: (user) => {
      storeUser(user);
      toast({ title: 'Role Updated' });
    },
    onError: updateFailed,
  });
}

export function useUpdateProfile() {
  return useMutation({
    mutationFn: (body: Body<typeof updateProfile>) => call(calls.updateProfile, { body }),
    onSuccess: async () => {
      toast({ title: 'Profile Updated' });
      await refreshCurrentUser();
    },
    onError: updateFailed,
  });
}

/** Undoes an e-mail change that isn't verified yet. [ACCT-06] */
export function useUndoEmailChange() {
  return useMutation({
    mutationFn: () => call(calls.undoEmailChange),
    onSuccess: (user) => {
      storeUser(user);
      toast({ title: 'Email Change Undone', description: `Your email address is ${user.email} again.` });
    },
    onError: updateFailed,
  });
}

/** Shows no toast on failure: the settings page shows the reason beside the picture. */
export function useSetPicture() {
  return useMutation({
    mutationFn: (file: File) => callWithFile(calls.setPicture, file),
    onSuccess: (user) => {
      storeUser(user);
      toast({ title: 'Picture Updated' });
    },
  });
}

export function useRemovePicture() {
  return useMutation({
    mutationFn: () => call(calls.removePicture),
    onSuccess: (user) => {
      storeUser(user);
      toast({ title: 'Picture Removed' });
    },
    onError: updateFailed,
  });
}

/** Loaded each time the list opens, because sessions start and end on other devices. */
export function useSessions() {
  return useQuery({ ...read(calls.listSessions), staleTime: 0 });
}

async function refreshSessions(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: read(calls.listSessions).queryKey });
}

/** Calls `onEnded` after the list was reloaded. */
export function useEndSession(onEnded: () => void) {
  return useMutation({
    mutationFn: (id: string) => call(calls.endSession, { params: { id } }),
    onSuccess: async () => {
      toast({ title: 'Session Signed Out' });
      await refreshSessions();
      onEnded();
    },
    onError: async (error) => {
      failureToast(error, 'Session Not Signed Out', 'Please try again.');
      // The session may have expired in the meantime.
      await refreshSessions();
    },
  });
}

export function useEndOtherSessions() {
  return useMutation({
    mutationFn: () => call(calls.endOtherSessions),
    onSuccess: async () => {
      toast({ title: 'Signed Out Everywhere Else', description: "You're only signed in here now." });
      await refreshSessions();
    },
    onError: (error) => failureToast(error, 'Sessions Not Signed Out', 'Please try again.'),
  });
}

/** The dialog shows the errors. [SEC-07] */
export function useReauthenticate() {
  return useMutation({
    mutationFn: (body: Body<typeof reauthenticate>) =>
      renewSession(() => call(calls.reauthenticate, { body })),
    gcTime: 0,
  });
}

/**
 * Opens a page of the server in a new tab, once the session is confirmed. The question for the password is in this tab.
 * [SEC-07]
 */
export function useOpenConfirmed(href: string) {
  return useMutation({
    mutationFn: () => call(calls.checkConfirmed),
    onSuccess: () => void window.open(href, '_blank', 'noopener,noreferrer'),
    onError: (error) => failureToast(error, 'Page Not Opened', 'Please try again.'),
  });
}

/** The form shows the errors. [SEC-08] */
export function useChangePassword() {
  return useMutation({
    mutationFn: (body: Body<typeof changePassword>) => call(calls.changePassword, { body }),
    onSuccess: async () => {
      toast({ title: 'Password Changed', description: 'Every other device was signed out.' });
      await refreshSessions();
    },
    gcTime: 0,
  });
}

export function useSecurityEvents() {
  return usePagedList(calls.listSecurityEvents, {});
}

export function useSecondFactor() {
  return useQuery(read(calls.getSecondFactor));
}

/** Loads the state again, also after a failure: it may have changed on another device. */
async function refreshSecondFactor(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: read(calls.getSecondFactor).queryKey });
}

// The forms of these calls show the errors.

export function useBeginSecondFactor() {
  return useMutation({
    mutationFn: (body: Body<typeof beginSecondFactor>) => call(calls.beginSecondFactor, { body }),
    gcTime: 0,
  });
}

export function useConfirmSecondFactor() {
  return useMutation({
    mutationFn: (body: Body<typeof confirmSecondFactor>) => call(calls.confirmSecondFactor, { body }),
    onSettled: refreshSecondFactor,
    gcTime: 0,
  });
}

export function useReplaceRecoveryCodes() {
  return useMutation({
    mutationFn: (body: Body<typeof replaceRecoveryCodes>) => call(calls.replaceRecoveryCodes, { body }),
    onSettled: refreshSecondFactor,
    gcTime: 0,
  });
}

export function useRemoveSecondFactor() {
  return useMutation({
    mutationFn: (body: Body<typeof removeSecondFactor>) => call(calls.removeSecondFactor, { body }),
    onSuccess: () => toast({ title: 'Two-Step Verification Is Off' }),
    onSettled: refreshSecondFactor,
  });
}

export function useSettings() {
  return useQuery(read(calls.getSettings));
}

export function useUpdateSettings() {
  return useMutation({
    mutationFn: (body: Body<typeof updateSettings>) => call(calls.updateSettings, { body }),
    onSuccess: (settings) => {
      queryClient.setQueryData(read(calls.getSettings).queryKey, settings);
      storeTimezone(settings.timezone);
      toast({ title: 'Settings Updated' });
    },
    onError: updateFailed,
  });
}

function updateFailed(error: unknown): void {
  failureToast(error, 'Update Failed', 'Your change wasn’t saved. Please try again.');
}

export function useBilling() {
  return useQuery(read(calls.getBilling));
}

export function useExportData(onData: (data: unknown) => void) {
  return useMutation({
    mutationFn: () => call(calls.exportData),
    onSuccess: (data) => {
      onData(data);
      toast({ title: 'Data Exported' });
    },
    onError: (error) =>
      failureToast(error, 'Export Failed', 'We couldn’t export your data. Please try again.'),
  });
}

/** The amount that a publisher who deletes their account gives up (`waive`), or keeps owing (`owing`). */
export type ConfirmedAmount = { waive?: string; owing?: string };

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (confirmed: ConfirmedAmount) => call(calls.deleteAccount, { query: confirmed }),
    onSuccess: leaveDeleted,
    onError: (error) =>
      failureToast(error, 'Deletion Failed', 'Your account wasn’t deleted. Please try again.'),
  });
}
