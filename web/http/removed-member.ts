import { calls } from '#domain/calls.ts';

let isLeaving = false;

/**
 * The session acts for an account of which the person is no member any more. Goes back to the person's own account, and
 * opens its pages anew, because everything on this page is of the other one.
 */
export async function leaveRemoved(): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  const { method, path } = calls.switchAccount;
  await fetch(path, {
    method,
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: '{"account":null}',
  });
  window.location.assign('/accounts?removed');
}
