import { REAUTHENTICATE, type Input, type Reply, type Call } from '#domain/endpoint.ts';
import { setClockAhead } from '#web/ui/use-now.ts';
import { askToReauthenticate, isRenewedSince, renewalCount } from './reauthenticate.ts';
import { NetworkError, RequestError, requestErrorFrom } from './request-error.ts';
import { announceSessionLost } from './session-lost.ts';
import { isAnotherUser, isRemovedMember, offerReload, shownUserHeader } from './shown-user.ts';

type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** The contract's input. A part is optional if all of its fields are. */
type Given<I> = { [Part in keyof I as object extends I[Part] ? never : Part]: I[Part] } & {
  [Part in keyof I as object extends I[Part] ? Part : never]?: I[Part];
};

/** The second argument is optional if the contract requires no input. */
export type InputArgs<E> =
  object extends Given<Input<E>> ? [input?: Given<Input<E>>] : [input: Given<Input<E>>];

/**
 * Makes the call that the contract describes, with credentials. A body is sent as JSON; a call without a body has no
 * content type. Throws `RequestError` for a non-OK answer, and `NetworkError` when there is no answer.
 */
export async function call<E>({ method, path }: Call<E>, ...[input]: InputArgs<E>): Promise<Reply<E>> {
  const parts: Parts = input ?? {};
  const url = fillPath(path, parts.params) + queryString(parts.query);
  const answer = await send(url, { method, body: parts.body, loading: false });
  return (await jsonOf(answer)) as Reply<E>;
}

/** Like `call`, for a call whose body is a file. The file is sent unchanged. */
export async function callWithFile<E>(
  { method, path }: Call<E>,
  file: Blob,
  params: Record<string, unknown> = {},
): Promise<Reply<E>> {
  const answer = await send(fillPath(path, params), { method, body: file, loading: false });
  return (await jsonOf(answer)) as Reply<E>;
}

/** Sends a GET and parses the answer as JSON. Throws like `call`. */
export async function load(url: string): Promise<unknown> {
  return jsonOf(await send(url, { method: 'GET', body: undefined, loading: true }));
}

type Outgoing = { method: string; body: unknown; loading: boolean };

/** Sends a request. Throws like `call`. If it needs the password again, the user is asked, and the request repeated. */
export async function send(url: string, outgoing: Outgoing): Promise<Response> {
  try {
    return await sendOnce(url, outgoing);
  } catch (error) {
    if (!needsPassword(error) || !(await askToReauthenticate())) throw error;
    return await sendOnce(url, outgoing);
  }
}

function needsPassword(error: unknown): boolean {
  return (
    error instanceof RequestError &&
    error.status === 403 &&
    (error.body as { code?: unknown } | null)?.code === REAUTHENTICATE
  );
}

/** Calls whose path begins with this give the session a new id. They must not wait for their own renewal. */
const RENEWS = '/api/user/reauthenticate';

async function sendOnce(url: string, { method, body, loading }: Outgoing): Promise<Response> {
  const before = renewalCount();
  const answer = await fetch(url, {
    method,
    credentials: 'include',
    headers: {
      ...(!loading && shownUserHeader()),
      ...(body !== undefined && {
        'Content-Type': body instanceof Blob ? body.type : 'application/json',
      }),
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  }).catch(noAnswer);
  setClockAhead(Number(answer.headers.get('x-clock-ahead')));
  if (answer.ok) return answer;
  const { status, statusText } = answer;
  const text = await answer.text().catch(() => '');
  const error = requestErrorFrom({ status, statusText, text, url, loading });
  if (error.announced && !url.startsWith(RENEWS) && (await isRenewedSince(before)))
    return await sendOnce(url, { method, body, loading });
  if (error.announced) {
    // Log it here: the next line clears all queries, so the query cache never sees this error. [ERR-10]
    console.error('The session was lost', url, error);
    announceSessionLost();
  }
  if (isAnotherUser(error)) offerReload();
  if (isRemovedMember(error)) void (await import('./removed-member.ts')).leaveRemoved();
  throw error;
}

/** '/api/ads/:ref' with {ref: 7} -> '/api/ads/7'. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replaceAll(/:([A-Za-z]+)/g, (_match, name: string) => encodeURIComponent(String(params[name])));
}

/** '?a=1' without the values that are undefined or empty; '' if none are left. */
export function queryString(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Fetch has only `TypeError` for a missing answer, which is also the class of many faults in the code. */
function noAnswer(cause: unknown): never {
  throw new NetworkError(cause);
}

/** Null for an empty body. */
export async function jsonOf(answer: Response): Promise<unknown> {
  const text = await answer.text().catch(noAnswer);
  return text === '' ? null : (JSON.parse(text) as unknown);
}
