/**
 * Called when a 401 shows that the session has ended. The request module doesn't know toasts and pages, so web/app sets
 * this handler.
 */
let handler: () => void = () => {};

export function onSessionLost(handle: () => void): void {
  handler = handle;
}

export function announceSessionLost(): void {
  handler();
}
