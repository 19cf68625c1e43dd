import { NetworkError, RequestError } from '#web/http/request-error.ts';

/** Browsers report this by its text only: the observers go on in the next frame. */
const RESIZE_NOTICE =
  /^(?:Uncaught )?(?:Error: )?ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)\.?$/;

/** Whether an error is that of a resize observer, or of Vite's client during development. */
export function isHarmlessError({ message, filename }: Pick<ErrorEvent, 'message' | 'filename'>): boolean {
  return RESIZE_NOTICE.test(message) || filename.includes('/@vite/client');
}

/**
 * Whether the interface has already shown why a promise was rejected: a form or a call was refused, a call had no answer
 * or was aborted, or a form's values are invalid. The class of zod's errors is told by its name, because pages load
 * without zod.
 */
export function isHarmlessRejection(reason: unknown): boolean {
  if (reason instanceof RequestError || reason instanceof NetworkError) return true;
  if (reason instanceof DOMException) return reason.name === 'AbortError';
  return reason instanceof Error && (reason.name === 'ZodError' || RESIZE_NOTICE.test(reason.message));
}

/** Keeps the errors that the specification calls harmless off the console. All others are reported. [ERR-11] */
export function quietHarmlessErrors(): void {
  window.addEventListener('error', (event) => {
    if (isHarmlessError(event)) event.preventDefault();
  });
  window.addEventListener('unhandledrejection', (event) => {
    if (isHarmlessRejection(event.reason)) event.preventDefault();
  });
}
