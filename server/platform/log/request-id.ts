import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** https://www.w3.org/TR/trace-context/#traceparent-header-field-values. Later versions may add parts. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The id under which the log has a request: the trace id of `traceparent`, else `X-Request-Id`, else a new one. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const [, version, traceId, more] = TRACEPARENT.exec(headers.traceparent?.toString() ?? '') ?? [];
  if (traceId !== undefined && (version !== '00' || more === undefined)) return traceId;
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

const current = new AsyncLocalStorage<string | undefined>();

/** The id of the request that caused the running work, also in a job that the request queued. */
export const currentRequestId = (): string | undefined => current.getStore();

/** Runs `work`, and everything that it starts, as caused by this request. */
export function withRequestId<T>(requestId: string | undefined, work: () => T): T {
  return current.run(requestId, work);
}
