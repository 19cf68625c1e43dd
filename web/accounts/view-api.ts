/** An operator who looks at the product as a person. [OPER-200] */
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { calls } from '#domain/calls.ts';
import { VIEWING } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { isAnotherUser } from '#web/http/shown-user.ts';
import { openAs } from './open-as.ts';

const caseFileOf = (personId: number) => `/operator/people/${personId}`;

/** Back to the case file in the console. The page stays busy until the browser has loaded it. */
export function useEndView(personId: number) {
  return useMutation({
    mutationFn: () => call(calls.endView),
    onSuccess: () => openAs(caseFileOf(personId)),
    onError: (error) => {
      // It has ended by itself, so the session is the operator's own again.
      if (isAnotherUser(error)) openAs(caseFileOf(personId));
      else failureToast(error, 'Not Stopped', 'Please try again.');
    },
  });
}

const SECOND_MS = 1000;

/** Leaves the pages of the person when the view ends by itself. A computer that slept past the end notices it, too. */
export function useEndOfView(personId: number, until: string): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (Date.now() < Date.parse(until)) return;
      clearInterval(timer);
      openAs(caseFileOf(personId));
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [personId, until]);
}

/** Whether the call was refused because the session looks at an account. */
export function isInView(error: unknown): boolean {
  return (
    error instanceof RequestError &&
    error.status === 403 &&
    (error.body as { code?: unknown } | null)?.code === VIEWING
  );
}
