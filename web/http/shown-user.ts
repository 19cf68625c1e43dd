/**
 * The user whom this page shows, for the header of its calls. All tabs share one session, so the server has to know
 * whether a call comes from a page that still shows another user. [EASE-01]
 */
import { ANOTHER_USER, NOT_A_MEMBER, SHOWN_USER } from '#domain/endpoint.ts';
import { RequestError } from './request-error.ts';

let shown: number | null = null;

export function setShownUser(id: number | null): void {
  shown = id;
}

/** The header that names the user; none for a visitor. */
export function shownUserHeader(): Record<string, string> {
  return shown === null ? {} : { [SHOWN_USER]: String(shown) };
}

/** Called when the session turns out to be another user's. The signed-in frame sets it. */
let handler: () => void = () => {};

export function onAnotherUser(handle: () => void): void {
  handler = handle;
}

export function offerReload(): void {
  handler();
}

export function isAnotherUser(error: unknown): boolean {
  return hasCode(error, ANOTHER_USER);
}

/** Whether the session acts for an account that its person may not act for any more. */
export function isRemovedMember(error: unknown): boolean {
  return hasCode(error, NOT_A_MEMBER);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof RequestError && (error.body as { code?: unknown } | null)?.code === code;
}
