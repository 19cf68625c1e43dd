import { once } from 'node:events';
import http from 'node:http';

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON, or an empty object. Tests say what they expect of it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads answers of every shape and asserts it
  body: any;
};

/** A caller of the API that keeps its session cookie, like a browser. */
export class Client {
  readonly url: string;
  cookie = '';
  /** Whose session it is, once signed in. */
  user: { id: number; email: string } = { id: 0, email: '' };

  constructor(url: string) {
    this.url = url;
  }

  get = (path: string, headers?: Record<string, string>) => this.send('GET', path, undefined, headers);
  post = (path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send('POST', path, body, headers);
  put = (path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send('PUT', path, body, headers);
  patch = (path: string, body?: unknown, headers?: Record<string, string>) =>
    this.send('PATCH', path, body, headers);
  delete = (path: string, headers?: Record<string, string>) => this.send('DELETE', path, undefined, headers);

  /** `path` may be a whole address. A body that is bytes or a string goes out as it is, anything else as JSON. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie && { cookie: this.cookie }),
        ...(body !== undefined && !raw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    });
    for (const cookie of response.headers.getSetCookie()) this.cookie = cookie.split(';')[0] ?? '';
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

/** As `curl -X POST -H 'Content-Type: …'` asks: with no body, and not even a length of none. The answer's status. */
export async function sendNoBody(
  client: Client,
  method: string,
  path: string,
  type: string,
): Promise<number> {
  const headers = { 'content-type': type, cookie: client.cookie };
  const request = http.request(new URL(path, client.url), { method, headers });
  request.removeHeader('content-length');
  request.removeHeader('transfer-encoding');
  request.end();
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
