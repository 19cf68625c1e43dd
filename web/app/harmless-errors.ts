/**
 * Errors that need no report: the browser's notice that a resize observer continues in the next frame, rejections of
 * forms, validation and fetches, which the interface has already shown, and errors of the development overlay. [ERR-11]
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
