/**
 * Errors that harm nobody and would only alarm (ERR-11): the browser's notice that a resize observer will go on in
 * the next frame; rejections of forms, validation and fetches, which have been told where they happened; and errors
 * of the development overlay.
 */
const HARMLESS_ERROR = /ResizeObserver loop|vite-error-overlay|\[vite\]/i;
const HARMLESS_REJECTION = /ResizeObserver loop|validation|\bform\b|fetch|network|load failed|\babort/i;

export function isHarmlessError(message: string): boolean {
  return HARMLESS_ERROR.test(message);
}

export function isHarmlessRejection(reason: unknown): boolean {
  const words = reason instanceof Error ? `${reason.name} ${reason.message}` : String(reason);
  return reason instanceof Error && reason.name === 'RequestError' ? true : HARMLESS_REJECTION.test(words);
}

export function quietHarmlessErrors(): void {
  window.addEventListener('error', (event) => {
    if (isHarmlessError(event.message)) event.preventDefault();
  });
  window.addEventListener('unhandledrejection', (event) => {
    if (isHarmlessRejection(event.reason)) event.preventDefault();
  });
}
