import type http from 'node:http';

/** At least `minBytes` of a body must arrive in each `windowMs`. */
export type MinimumRate = { windowMs: number; minBytes: number };

/** One kilobyte a second, far below any line on which a person would upload a file. */
const MINIMUM_RATE: MinimumRate = { windowMs: 10_000, minBytes: 10_240 };

const TOO_SLOW = 'The upload is too slow. Please try again on a faster connection.';

/**
 * Ends a request whose body arrives too slowly, with 408. A client could otherwise hold a connection, and memory that is
 * reserved for its file, for the whole five minutes that a request may take. [DOOR-13]
 */
export function endSlowBody(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  refuse: (message: string) => void,
  { windowMs, minBytes } = MINIMUM_RATE,
): void {
  const isDeclared =
    Number(request.headers['content-length'] ?? 0) > 0 || request.headers['transfer-encoding'] !== undefined;
  if (!isDeclared || request.complete) return;
  const { socket } = request;
  let seen = socket.bytesRead;
  const timer = setInterval(() => {
    if (request.complete || socket.destroyed) return clearInterval(timer);
    const arrived = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // If the server itself does not read on, a full buffer says nothing about the client.
    if (arrived >= minBytes || request.readableLength >= request.readableHighWaterMark) return;
    clearInterval(timer);
    if (response.headersSent) socket.destroySoon();
    else refuse(TOO_SLOW);
  }, windowMs);
  timer.unref();
  request.once('close', () => clearInterval(timer));
}
