/**
 * Errors that the client may see, with texts for people. `answer-errors.ts` turns them into answers. Any other error is
 * answered with 500, a reference and no internals.
 */
import type { ErrorDetails } from '#domain/error-reasons.ts';

export type FieldIssue = { path: string; message: string };

export class HttpError extends Error {
  readonly status: number;
  readonly issues: FieldIssue[] | undefined;
  /** Additional members of the JSON answer, such as the card provider's code. */
  readonly details: ErrorDetails | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    status: number,
    message: string,
    more: {
      issues?: FieldIssue[];
      details?: ErrorDetails | undefined;
      headers?: Record<string, string>;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.issues = more.issues;
    this.details = more.details;
    this.headers = more.headers;
  }
}

export const invalid = (message: string, field?: string) =>
  new HttpError(400, message, field === undefined ? {} : { issues: [{ path: field, message }] });
export const unauthorized = (message = 'Unauthorized') => new HttpError(401, message);
export const cardDeclined = (message: string, code: string, declineCode?: string) =>
  new HttpError(402, message, { details: declineCode === undefined ? { code } : { code, declineCode } });
export const forbidden = (message: string) => new HttpError(403, message);
/** Also for an object that belongs to another user: the client must not learn that it exists. */
export const notFound = (message = 'Not found') => new HttpError(404, message);
export const conflict = (message: string, details?: ErrorDetails) =>
  new HttpError(409, message, details ? { details } : {});
export const tooLarge = (message: string) => new HttpError(413, message);
export const wrongKind = (message: string) => new HttpError(415, message);
export const tooMany = (retryAfterSeconds: number) =>
  new HttpError(429, 'Too many requests. Please wait before trying again.', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  });
/** Something that we depend on cannot be reached. The client may try again. */
export const unavailable = (message: string, retryAfterSeconds: number) =>
  new HttpError(503, message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
