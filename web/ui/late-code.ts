/** The error of a page whose release is gone, and which a reload has not brought to another one. */
export class UpdatedError extends Error {}

let keep = () => {};

/** Sets what is done before the page reloads after an upgrade. */
export function beforeReload(action: () => void): void {
  keep = action;
}

let checking: Promise<UpdatedError | null> | undefined;

/**
 * After an upgrade, the server no longer has the code that an open page has yet to load. Vite announces each import that
 * fails, so this covers every one. The page then reloads once by itself. What was typed is in the tab's storage: the drafts
 * of forms, and the text that `useKeptText` keeps.
 */
export function reloadAfterUpgrade(marketplace: string): void {
  window.addEventListener('vite:preloadError', () => {
    checking ??= reloadOnce(marketplace)
      .catch(() => null)
      .finally(() => (checking = undefined));
  });
}

/** Returns what to show after an import has failed with `error`. Never resolves while the page reloads. */
export async function lateError(error: unknown): Promise<unknown> {
  return (await checking) ?? error;
}

/** Rejects if the network is down, because a reload would then lose the page. */
async function reloadOnce(marketplace: string): Promise<UpdatedError | null> {
  // The name of this file belongs to its release.
  const file = import.meta.url;
  const { status } = await fetch(file, { method: 'HEAD', cache: 'no-store' });
  if (status >= 500) return null;
  // During an upgrade of several servers, the reload may come to a server that lacks the code, too.
  if (sessionStorage.getItem(file)) {
    return status === 404 ? new UpdatedError(`${marketplace} was updated. Reload the page.`) : null;
  }
  sessionStorage.setItem(file, 'reloaded');
  keep();
  window.location.reload();
  return await new Promise(() => {});
}
