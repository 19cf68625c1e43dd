import { NetworkError, requestErrorFrom } from '#web/http/request-error.ts';
import { announceSessionLost } from '#web/http/session-lost.ts';
import { isAnotherUser, offerReload, shownUserHeader } from '#web/http/shown-user.ts';

/**
 * Sends a file with a single PUT, by XMLHttpRequest, because fetch doesn't report the progress of an upload. Rejects
 * with `RequestError` for a non-OK answer, and with `NetworkError` when there is no answer. [MED-14]
 */
export function putFile(url: string, file: File, onProgress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', file.type);
    for (const [name, value] of Object.entries(shownUserHeader())) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total ? loaded / total : 0),
    );
    request.addEventListener('error', () => reject(new NetworkError()));
    request.addEventListener('load', () => {
      const { status, statusText, responseText: text } = request;
      if (status >= 200 && status < 300) {
        resolve();
        return;
      }
      const error = requestErrorFrom({ status, statusText, text, url, loading: false });
      // A lost session is announced as for every other call. [ERR-19]
      if (error.announced) announceSessionLost();
      if (isAnotherUser(error)) offerReload();
      reject(error);
    });
    request.send(file);
  });
}
