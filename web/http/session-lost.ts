/**
 * A call was answered 401: the session has ended. Requests know nothing of toasts and pages, so the application
 * frame says here what is to happen then.
 */
let handler: () => void = () => {};

export function onSessionLost(handle: () => void): void {
  handler = handle;
}

export function announceSessionLost(): void {
  handler();
}
