import { toast } from '#web/ui/toast-store.ts';
import { messageOf, RequestError } from './request-error.ts';

/**
 * Tells the user that something failed: the title, and the server's words or the fallback below it. Silent when the
 * session was lost, which has its own toast.
 */
export function failureToast(error: unknown, title: string, fallback: string): void {
  if (error instanceof RequestError && error.announced) return;
  toast({ title, description: messageOf(error, fallback), variant: 'destructive' });
}
