import { useMutation, useQuery } from '@tanstack/react-query';
import type { changeMember, inviteMember } from '#domain/accounts/members-contract.ts';
import { calls } from '#domain/calls.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { openAs } from './open-as.ts';

/** Loaded each time, because members join on other devices. */
export function useMembers() {
  return useQuery({ ...read(calls.listMembers), staleTime: 0 });
}

const refreshMembers = () => queryClient.invalidateQueries({ queryKey: read(calls.listMembers).queryKey });

/** The form shows the errors. */
export function useInviteMember() {
  return useMutation({
    mutationFn: (body: Parsed<typeof inviteMember>['body']) => call(calls.inviteMember, { body }),
    onSuccess: async ({ email }) => {
      toast({ title: 'Invitation Sent', description: `We’ve e-mailed ${email}.` });
      await refreshMembers();
    },
  });
}

export function useChangeMember() {
  return useMutation({
    mutationFn: ({ id, role }: { id: number } & Parsed<typeof changeMember>['body']) =>
      call(calls.changeMember, { params: { id: String(id) }, body: { role } }),
    onSuccess: () => toast({ title: 'Role Changed' }),
    onError: (error) => failureToast(error, 'Role Not Changed', 'Please try again.'),
    onSettled: refreshMembers,
  });
}

export function useRemoveMember() {
  return useMutation({
    mutationFn: (id: number) => call(calls.removeMember, { params: { id: String(id) } }),
    onSuccess: () => toast({ title: 'Removed' }),
    onError: (error) => failureToast(error, 'Not Removed', 'Please try again.'),
    // Also after a failure: somebody else may have removed the member.
    onSettled: refreshMembers,
  });
}

/** Loaded each time, because an owner may have removed the person. */
export function useAccounts() {
  return useQuery({ ...read(calls.listAccounts), staleTime: 0 });
}

/** Null for oneself. The page stays busy until the browser has loaded the next one. */
export function useSwitchAccount() {
  return useMutation({
    mutationFn: (account: number | null) => call(calls.switchAccount, { body: { account } }),
    onSuccess: () => openAs('/'),
    onError: (error) => failureToast(error, 'Account Not Switched', 'Please try again.'),
  });
}

export function useLeaveAccount() {
  return useMutation({
    mutationFn: (id: number) => call(calls.leaveAccount, { params: { id: String(id) } }),
    onSuccess: () => openAs('/accounts'),
    onError: (error) => failureToast(error, 'Account Not Left', 'Please try again.'),
  });
}

/** Account and role that an invitation is for. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: [calls.readInvitation.path, token],
    queryFn: () => call(calls.readInvitation, { body: { token } }),
  });
}

/** The page shows the errors. */
export function useJoinAccount() {
  return useMutation({
    mutationFn: (token: string) => call(calls.joinAccount, { body: { token } }),
  });
}
