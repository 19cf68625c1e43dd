import { once } from 'node:events';
import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON, or an empty object. Tests assert its shape. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads answers of every shape and asserts it
  body: any;
};

/** All clients share the connections. A call over `fetch` takes about twice the processor time. */
const agent = new http.Agent({ keepAlive: true });

/** The headers that Node's `fetch` sends. Some rules about invalid traffic look at them. */
const FETCH_HEADERS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};

/** `DEV_KEY` of the servers that tests start. Clients send it with every call below `/dev`. */
export const DEV_KEY = 'the-key-of-the-tests';

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
    const sent = isRaw(body) || body === undefined ? body : JSON.stringify(body);
    const request = http.request(new URL(path, this.url), {
      method,
      agent,
      headers: {
        ...FETCH_HEADERS,
        ...(typeof body === 'string' && { 'content-type': 'text/plain;charset=UTF-8' }),
        ...(sent !== undefined && { 'content-length': String(Buffer.byteLength(sent)) }),
        ...lowerCased(this.headersFor(path, body, headers)),
      },
    });
    request.end(sent);
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    return this.answered(answer.statusCode ?? 0, headersOf(answer), textOf(answer, Buffer.concat(parts)));
  }

  protected headersFor(path: string, body: unknown, headers: Record<string, string>): Record<string, string> {
    const cookies = [this.cookie, this.device, this.passkey].filter(Boolean).join('; ');
    return {
      ...(cookies && { cookie: cookies }),
      ...(path.startsWith('/dev/') && { 'x-dev-key': DEV_KEY }),
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

const isRaw = (body: unknown): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function headersOf({ rawHeaders }: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  return headers;
}

function textOf({ headers }: http.IncomingMessage, bytes: Buffer): string {
  // An answer to HEAD has the header and no bytes.
  if (bytes.length === 0) return '';
  const encoding = headers['content-encoding'];
  if (encoding === 'gzip') return gunzipSync(bytes).toString();
  if (encoding === 'br') return brotliDecompressSync(bytes).toString();
  return bytes.toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
