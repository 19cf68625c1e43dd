import type { Endpoint, Input, Reply } from '#domain/endpoint.ts';
import { requestErrorFrom } from './request-error.ts';
import { announceSessionLost } from './session-lost.ts';

export type AnyEndpoint = Pick<Endpoint, 'method' | 'path'>;
type Parts = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown };

/** The contract's input, where a part of which every field may be left out may be left out itself. */
type Given<I> = { [Part in keyof I as object extends I[Part] ? never : Part]: I[Part] } & {
  [Part in keyof I as object extends I[Part] ? Part : never]?: I[Part];
};

/** The second argument may be left out when the contract asks for nothing. */
export type InputArgs<E> =
  object extends Given<Input<E>> ? [input?: Given<Input<E>>] : [input: Given<Input<E>>];

/**
 * Makes the call that the contract describes. Sends credentials; a body is JSON and then alone has a content type.
 * Throws `RequestError` for a non-OK answer, and fetch's `TypeError` when there is no answer.
 */
export async function call<E extends AnyEndpoint>(endpoint: E, ...[input]: InputArgs<E>): Promise<Reply<E>> {
  const parts: Parts = input ?? {};
  const url = fillPath(endpoint.path, parts.params) + queryString(parts.query);
  const answer = await send(url, { method: endpoint.method, body: parts.body, loading: false });
  return (await jsonOf(answer)) as Reply<E>;
}

/** The same for a call whose body is a file, which goes out as it is. */
export async function callWithFile<E extends AnyEndpoint>(endpoint: E, file: Blob): Promise<Reply<E>> {
  const answer = await send(endpoint.path, { method: endpoint.method, body: file, loading: false });
  return (await jsonOf(answer)) as Reply<E>;
}

/** The default data loading: a GET, parsed as JSON. */
export async function load(url: string): Promise<unknown> {
  return jsonOf(await send(url, { method: 'GET', body: undefined, loading: true }));
}

type Outgoing = { method: string; body: unknown; loading: boolean };

/** Sends, and throws for a non-OK answer. */
export async function send(url: string, { method, body, loading }: Outgoing): Promise<Response> {
  const answer = await fetch(url, {
    method,
    credentials: 'include',
    ...(body instanceof Blob && { headers: { 'Content-Type': body.type }, body }),
    ...(body !== undefined &&
      !(body instanceof Blob) && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
  });
  if (answer.ok) return answer;
  const { status, statusText } = answer;
  const text = await answer.text().catch(() => '');
  const error = requestErrorFrom({ status, statusText, text, url, loading });
  if (error.announced) {
    // Logged here, because the queries are forgotten now, this one too, before it learns of its error (ERR-10).
    console.error('The session was lost', url, error);
    announceSessionLost();
  }
  throw error;
}

/** '/api/ads/:ref' with {ref: 7} -> '/api/ads/7'. */
export function fillPath(path: string, params: Record<string, unknown> = {}): string {
  return path.replaceAll(/:([A-Za-z]+)/g, (_match, name: string) => encodeURIComponent(String(params[name])));
}

/** '?a=1', leaving out what is undefined or empty; '' when nothing is left. */
export function queryString(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/** An empty body is an answer, too. */
async function jsonOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return text === '' ? null : (JSON.parse(text) as unknown);
}
