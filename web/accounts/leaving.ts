import { useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { forgetDrafts } from '#web/ui/forms/drafts.ts';
import { toast } from '#web/ui/toast-store.ts';
import { forgetUser } from './current-user.ts';
import { forgetReturn, rememberReturn } from './return-to.ts';

/** [ERR-18] */
const REDIRECT_DELAY_MS = 500;

let leaving = false;
const listeners = new Set<() => void>();

function setLeaving(next: boolean): void {
  leaving = next;
  for (const listener of listeners) listener();
}

/** True between a sign-out and the redirect that follows. No page is shown and no guard redirects meanwhile. */
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

/** There is no session. Several calls may find that out at once, so only the first shows the toast. [ERR-17, ERR-18] */
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

/** Call this after the server has ended the session. [ERR-40, OP-007] */
export function leaveLoggedOut(): void {
  if (leaving) return;
  toast({ title: 'Logged out', description: 'You have been logged out successfully.' });
  forgetReturn();
  forgetDrafts();
  leave('/');
}

/** A new password ends every session, including this one. [OP-032] */
export function leaveAfterReset(): void {
  toast({ title: 'Password reset successful!', description: 'You can now sign in with your new password.' });
  leave('/auth');
}

/** Call this after the account was deleted. The browser visits the server's logout to end the session. [API-27] */
export function leaveDeleted(): void {
  setLeaving(true);
  forgetReturn();
  forgetDrafts();
  toast({ title: 'Account Deleted', description: 'Your account and your data have been deleted.' });
  setTimeout(() => window.location.assign('/api/logout'), REDIRECT_DELAY_MS);
}
