import { once } from 'node:events';
import http from 'node:http';

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON, or an empty object. Tests assert its shape. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads answers of every shape and asserts it
  body: any;
};

/** A client of the API that keeps its session cookie, like a browser. */
export class Client {
  readonly url: string;
  cookie = '';
  /** The cookie that marks a known device. It outlives the session. */
  device = '';
  /** The cookie that binds a sign-in with a passkey to this browser. */
  passkey = '';
  /** The signed-in user; id 0 before the sign-in. */
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

  /** `path` may also be a full URL. Bytes and strings are sent unchanged, any other body as JSON. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = isRaw(body);
    const response = await fetch(new URL(path, this.url), {
      method,
      redirect: 'manual',
      headers: this.headersFor(body, headers),
      ...(body !== undefined && {
        body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    });
    return this.answered(response.status, response.headers, await response.text());
  }

  protected headersFor(body: unknown, headers: Record<string, string>): Record<string, string> {
    const cookies = [this.cookie, this.device, this.passkey].filter(Boolean).join('; ');
    return {
      ...(cookies && { cookie: cookies }),
      ...(body !== undefined && !isRaw(body) && { 'content-type': 'application/json' }),
      ...headers,
    };
  }

  protected answered(status: number, headers: Headers, text: string): Answer {
    for (const cookie of headers.getSetCookie()) this.keep(cookie.split(';')[0] ?? '');
    return { status, headers, text, body: parsed(text) };
  }

  private keep(cookie: string): void {
    if (/^[^=]*-device=/.test(cookie)) this.device = cookie;
    else if (/^[^=]*-passkey=/.test(cookie)) this.passkey = cookie;
    else this.cookie = cookie;
  }
}

/**
 * Sends a request without a body and without a Content-Length, as `curl -X POST -H 'Content-Type: …'` does. Returns
 * the answer's status.
 */
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

const isRaw = (body: unknown) => typeof body === 'string' || body instanceof Uint8Array;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
