/**
 * Called when a call needs the password again. Resolves with true once the user has entered it. The request module
 * doesn't know dialogs, so the signed-in frame sets this handler. [SEC-07]
 */
let handler: () => Promise<boolean> = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

export function onReauthenticate(handle: () => Promise<boolean>): void {
  handler = handle;
}

let renewing: Promise<unknown> = Promise.resolve();
/** The number of times that this page's session has received a new id. */
let renewals = 0;

/** Runs a call that gives the session a new id. Calls that were on their way with the old one are sent again. */
export async function renewSession<T>(renew: () => Promise<T>): Promise<T> {
  const running = renew();
  renewing = running.catch(() => undefined);
  const answer = await running;
  renewals++;
  return answer;
}

export function renewalCount(): number {
  return renewals;
}

/** Whether the session got a new id since there were `before` renewals. Waits for one that is under way. */
export async function isRenewedSince(before: number): Promise<boolean> {
  await renewing;
  return renewals !== before;
}

/** Calls that fail at the same moment share one question. */
export async function askToReauthenticate(): Promise<boolean> {
  asking ??= handler().finally(() => {
    asking = undefined;
  });
  return await asking;
}
