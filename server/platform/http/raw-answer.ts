/** Answers directly through node:http. Ad-serving calls are most of the traffic and need nothing from Fastify. */
import type http from 'node:http';

export type Request = http.IncomingMessage;
export type Response = http.ServerResponse;

/** A page of any site may call, because no answer depends on the identity of the visitor. */
export const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*'];
export const NEVER_STORED = ['Cache-Control', 'no-store'];
/** Browsers must not guess another type than the declared one. */
export const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'];

/**
 * Writes JSON in ASCII, with every other character escaped. Its length in bytes is then its length as a string, so
 * answerJson sends it without measuring or encoding it.
 */
export function asciiJson(value: unknown): string {
  return ascii(JSON.stringify(value));
}

/** A part of a JSON text with every other character escaped. */
export function ascii(json: string): string {
  return flat(
    json.replaceAll(
      /[\u0080-\uFFFF]/g,
      (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
    ),
  );
}

/**
 * V8 keeps a text together with those it was put together from or cut out of, and at two bytes a character if one of them
 * was beyond Latin-1. The copy is alone, and has one byte each.
 */
export function flat(ascii: string): string {
  return Buffer.from(ascii, 'latin1').toString('latin1');
}

/** `json` is made of the texts that asciiJson writes. */
export function answerJson(response: Response, status: number, json: string, headers: string[] = []): void {
  response.writeHead(status, [
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    String(json.length),
    ...NO_SNIFFING,
    ...headers,
  ]);
  // For ASCII, latin1 gives the same bytes as UTF-8.
  response.end(json, 'latin1');
}

export function refuse(response: Response, status: number, message: string, headers: string[] = []): void {
  answerJson(response, status, asciiJson({ message }), [...NEVER_STORED, ...ANY_ORIGIN, ...headers]);
}

export function answerEmpty(response: Response, status: number, headers: string[]): void {
  // A 204 must not have a Content-Length (RFC 9110, 8.6).
  response.writeHead(
    status,
    status === 204 ? [...NO_SNIFFING, ...headers] : ['Content-Length', '0', ...NO_SNIFFING, ...headers],
  );
  response.end();
}

/** Answers 503, because the queue of the ad server is full or its database is unreachable. The client may retry. */
export function answerBusy(response: Response): void {
  refuse(response, 503, 'The server is too busy to record this right now. Please try again in a moment.', [
    'Retry-After',
    '5',
  ]);
}
