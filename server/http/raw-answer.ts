/** Answers straight to node:http: these routes are most of the traffic, and need nothing of the framework. */
import type http from 'node:http';

export type Request = http.IncomingMessage;
export type Response = http.ServerResponse;

/** Anybody's page may call; nothing here depends on who is asking. */
export const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*'];
export const NEVER_STORED = ['Cache-Control', 'no-store'];

export function answerJson(response: Response, status: number, json: string, headers: string[] = []): void {
  const length = Buffer.byteLength(json);
  response.writeHead(status, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(length),
    ...headers,
  ]);
  // The same bytes where all is ASCII, and a third of the cost of writing.
  response.end(json, length === json.length ? 'latin1' : 'utf8');
}

export function refuse(response: Response, status: number, message: string, headers: string[] = []): void {
  answerJson(response, status, JSON.stringify({ message }), [...NEVER_STORED, ...ANY_ORIGIN, ...headers]);
}

export function answerEmpty(response: Response, status: number, headers: string[]): void {
  // A 204 has no body and says no length (RFC 9110, 8.6).
  response.writeHead(status, status === 204 ? headers : ['Content-Length', '0', ...headers]);
  response.end();
}

/** The ad server is out of room or its database is away; the caller may try again. */
export function answerBusy(response: Response): void {
  refuse(response, 503, 'Too busy to record this just now. Please try again in a moment.', [
    'Retry-After',
    '5',
  ]);
}
