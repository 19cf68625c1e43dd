import { queryOptions, useQuery } from '@tanstack/react-query';
import type { User } from '#domain/accounts/contract.ts';
import { loadByKeyOrNull } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { setTimezone } from '#web/ui/format/format.ts';

// This file is part of the very first load. It names contracts as types only, so that a visitor of the landing page
// is not sent the schemas.

const MINUTE = 60_000;

let presumedNobody = false;

/**
 * The server saw no session and sent a page for visitors: until the user has been asked about, that is believed, so
 * that the page is not replaced by a spinner.
 */
export function presumeNobody(): void {
  presumedNobody = true;
}

const currentUserQuery = queryOptions({
  queryKey: ['/api/auth/user'],
  queryFn: async (context) => {
    const user = (await loadByKeyOrNull(context)) as User | null;
    // Before anything is drawn for this user, and drawn anew, because it is another object then (ACCT-10).
    setTimezone(user?.timezone);
    return user;
  },
  // API-06: the one query that goes stale.
  staleTime: 5 * MINUTE,
  gcTime: 10 * MINUTE,
  // STATE-13: after a 401 nothing is asked until a user appears.
  enabled: (query) => query.state.data !== null,
  // Beside the cache: the query itself is still to be answered.
  placeholderData: () => (presumedNobody ? null : undefined),
});

/** The user; null when nobody is signed in; undefined while that is being found out, or cannot be (`isError`). */
export function useCurrentUser() {
  const { data, isError, refetch } = useQuery(currentUserQuery);
  return { user: data, isError, retry: refetch };
}

/** For pages behind the guard, where there always is one. */
export function useSignedInUser(): User {
  const { user } = useCurrentUser();
  if (!user) throw new Error('This page is shown to signed-in users only');
  return user;
}

/** Keeps the user an answer brought. The role calls name the same user '/api/user' (OP-040). */
export function storeUser(user: User | null): void {
  setTimezone(user?.timezone);
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  queryClient.setQueryData(['/api/user'], user);
}

/** Of the settings: dates change on the page at once (ACCT-10). */
export function storeTimezone(timezone: string): void {
  const user = queryClient.getQueryData(currentUserQuery.queryKey);
  if (user) storeUser({ ...user, timezone });
}

export async function refreshCurrentUser(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: currentUserQuery.queryKey });
}

/** Forgets the user and everything that was loaded for them. */
export function forgetUser(): void {
  setTimezone(undefined);
  queryClient.getMutationCache().clear();
  // The user's own query stays, because components watch it; it becomes 'nobody'.
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== currentUserQuery.queryKey[0] });
  queryClient.setQueryData(currentUserQuery.queryKey, null);
}
