import { toast } from '#web/ui/toast-store.ts';
import { messageOf, RequestError } from './request-error.ts';
import { isAnotherUser } from './shown-user.ts';

/**
 * Shows a toast about a failed call: the title, and below it the server's message or the fallback. Shows nothing when
 * the session was lost or is another user's, because the user has been told already.
 */
export function failureToast(error: unknown, title: string, fallback: string): void {
  if ((error instanceof RequestError && error.announced) || isAnotherUser(error)) return;
  toast({ title, description: messageOf(error, fallback), variant: 'destructive' });
}
