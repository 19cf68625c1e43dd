import { toast } from '#web/ui/toast-store.ts';
import { messageOf, RequestError } from './request-error.ts';

/**
 * Shows a toast about a failed call: the title, and below it the server's message or the fallback. Shows nothing when
 * the session was lost, because that has its own toast.
 */
export function failureToast(error: unknown, title: string, fallback: string): void {
  if (error instanceof RequestError && error.announced) return;
  toast({ title, description: messageOf(error, fallback), variant: 'destructive' });
}
