import { useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { forgetDrafts } from '#web/ui/forms/drafts.ts';
import { toast } from '#web/ui/toast-store.ts';
import { forgetUser } from './current-user.ts';
import { forgetReturn, rememberReturn } from './return-to.ts';

/** Specification section 9: redirect delay after logout and Unauthorized. */
const REDIRECT_DELAY_MS = 500;

let leaving = false;
const listeners = new Set<() => void>();

function setLeaving(next: boolean): void {
  leaving = next;
  for (const listener of listeners) listener();
}

/** While somebody is on the way out no page is shown, and no guard draws conclusions. */
export function useLeaving(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => leaving,
    () => false,
  );
}

function leave(target: string): void {
  setLeaving(true);
  forgetUser();
  setTimeout(() => {
    navigate(target);
    setLeaving(false);
  }, REDIRECT_DELAY_MS);
}

/** There is no session, or no longer (ERR-17, ERR-18). Several calls may find out at once; it is said once. */
export function leaveUnauthorized(): void {
  if (leaving) return;
  toast({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    variant: 'destructive',
  });
  rememberReturn(window.location.pathname + window.location.search);
  leave('/auth');
}

/** After the server has ended the session (ERR-40, OP-007). */
export function leaveLoggedOut(): void {
  if (leaving) return;
  toast({ title: 'Logged out', description: 'You have been logged out successfully.' });
  forgetReturn();
  forgetDrafts();
  leave('/');
}

/** A new password ends every session, this one included (OP-032). */
export function leaveAfterReset(): void {
  toast({ title: 'Password reset successful!', description: 'You can now sign in with your new password.' });
  leave('/auth');
}

/** After the account was deleted: the server's own logout ends what is left of the session (STATE-19). */
export function leaveDeleted(): void {
  setLeaving(true);
  forgetReturn();
  forgetDrafts();
  toast({ title: 'Account Deleted', description: 'Your account and your data have been removed.' });
  setTimeout(() => window.location.assign('/api/logout'), REDIRECT_DELAY_MS);
}
