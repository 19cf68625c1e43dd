/**
 * Called when a call needs the password again. Resolves with true once the user has entered it. The request module
 * doesn't know dialogs, so the signed-in frame sets this handler. [SEC-07]
 */
let handler: () => Promise<boolean> = () => Promise.resolve(false);
let asking: Promise<boolean> | undefined;

export function onReauthenticate(handle: () => Promise<boolean>): void {
  handler = handle;
}

/** Calls that fail at the same moment share one question. */
export async function askToReauthenticate(): Promise<boolean> {
  asking ??= handler().finally(() => {
    asking = undefined;
  });
  return await asking;
}
