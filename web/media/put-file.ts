import { requestErrorFrom } from '#web/http/request-error.ts';
import { announceSessionLost } from '#web/http/session-lost.ts';

/**
 * Sends a file with a single PUT (specification, section 7). By XMLHttpRequest, because fetch says nothing about
 * what has been sent so far. Throws `RequestError` for a non-OK answer, and fetch's `TypeError` for none.
 */
export function putFile(url: string, file: File, onProgress: (share: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('Content-Type', file.type);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total ? loaded / total : 0),
    );
    request.addEventListener('error', () => reject(new TypeError('The upload was interrupted')));
    request.addEventListener('load', () => {
      const { status, statusText, responseText: text } = request;
      if (status >= 200 && status < 300) {
        resolve();
        return;
      }
      const error = requestErrorFrom({ status, statusText, text, url, loading: false });
      // As for every other call (ERR-19).
      if (error.announced) announceSessionLost();
      reject(error);
    });
    request.send(file);
  });
}
