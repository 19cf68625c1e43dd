import { queryOptions, useQuery } from '@tanstack/react-query';
import type { User } from '#domain/accounts/contract.ts';
import { loadByKeyOrNull } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { offerReload, setShownUser } from '#web/http/shown-user.ts';
import { setTimezone } from '#web/ui/format/format.ts';
import { MINUTE_MS } from '#domain/time.ts';

// This file is in the first bundle that every visitor downloads. It imports contracts as types only, which keeps their
// schemas out of that bundle.

/** Whether the server saw a session when it sent this page. The build renders the pages of visitors, who have none. */
export function hadSession(): boolean {
  return typeof document !== 'undefined' && document.documentElement.hasAttribute('data-session');
}

const currentUserQuery = queryOptions({
  queryKey: ['/api/auth/user'],
  queryFn: async (context) => {
    const before = queryClient.getQueryData<User | null>(context.queryKey);
    const user = (await loadByKeyOrNull(context)) as User | null;
    const shown = queryClient.getQueryData<User | null>(context.queryKey);
    // The user signed in or out in the meantime, so this answer is out of date.
    if (shown !== undefined && shown !== before) return shown;
    // Everything else on the page is still the other user's. [EASE-01]
    if (user && shown && user.id !== shown.id) {
      offerReload();
      return shown;
    }
    // Set before the query returns, so that everything rendered for this user has the right dates.
    setTimezone(user?.timezone);
    setShownUser(user?.id ?? null);
    return user;
  },
  // This is the only query that goes stale. [API-06]
  staleTime: 5 * MINUTE_MS,
  gcTime: 10 * MINUTE_MS,
  // Without a session, the page needs no call to know that nobody is signed in.
  initialData: () => (hadSession() ? undefined : null),
  // After a 401 the query stays off until a user signs in. [STATE-12]
  enabled: (query) => query.state.data !== null,
});

/** `user` is null for a visitor, and undefined while the call is under way or after it failed (`isError`). */
export function useCurrentUser() {
  const { data, isError, refetch } = useQuery(currentUserQuery);
  return { user: data, isError, retry: refetch };
}

/** The user on pages that require sign-in. Throws elsewhere. */
export function useSignedInUser(): User {
  const { user } = useCurrentUser();
  if (!user) throw new Error('This page is shown to signed-in users only');
  return user;
}

/** Caches the user that a call returned. The role calls keep the same user under '/api/user'. [OP-040] */
export function storeUser(user: User | null): void {
  setTimezone(user?.timezone);
  setShownUser(user?.id ?? null);
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  queryClient.setQueryData(['/api/user'], user);
}

/** Applies a timezone that the user chose in the settings. The dates on the page change immediately. */
export function storeTimezone(timezone: string): void {
  const user = queryClient.getQueryData(currentUserQuery.queryKey);
  if (user) storeUser({ ...user, timezone });
}

export async function refreshCurrentUser(): Promise<void> {
  await queryClient.refetchQueries({ queryKey: currentUserQuery.queryKey });
}

/** Clears the user and all data that was loaded for them. */
export function forgetUser(): void {
  setTimezone(undefined);
  setShownUser(null);
  queryClient.getMutationCache().clear();
  // Keep the current-user query, because components subscribe to it, and set it to null.
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== currentUserQuery.queryKey[0] });
  queryClient.setQueryData(currentUserQuery.queryKey, null);
}
