import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { failureToast } from './failure-toast.ts';
import { keyOf, loadByKeyOrNull, nextLink, read, readPages, urlOf } from './query.ts';
import { queryClient } from './query-client.ts';
import { renewSession } from './reauthenticate.ts';
import { messageOf, NetworkError, RequestError, requestErrorFrom } from './request-error.ts';
import { call, load } from './request.ts';
import { onSessionLost } from './session-lost.ts';
import { calls } from '#domain/calls.ts';
import { toasts } from '#web/ui/toast-store.ts';

type ReceivedRequest = { method: string; url: string; type: string | undefined; body: string };

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let received: ReceivedRequest[] = [];

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({
      method: request.method ?? '',
      url: request.url ?? '',
      type: request.headers['content-type'],
      body,
    });
    answer(request, response);
  });
});
const credentials: unknown[] = [];

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const realFetch = globalThis.fetch;
  // A browser resolves '/api/…' against the page's address. Node has no page.
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    credentials.push(init.credentials);
    return realFetch(new URL(url, origin), init);
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
  server.close();
});
afterEach(() => {
  received = [];
  queryClient.clear();
});

function answerWith(status: number, body: string, headers: Record<string, string> = {}): void {
  answer = (_request, response) => response.writeHead(status, headers).end(body);
}

async function failure(promise: Promise<unknown>): Promise<RequestError> {
  return promise.then(
    () => expect.fail('The call should have failed'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(RequestError);
      return error as RequestError;
    },
  );
}

// Proves ERR-05
it("uses the message of a JSON answer as the error's message", async () => {
  answerWith(400, '{"message":"M1","issues":[{"path":["email"],"message":"Invalid"}]}');
  const error = await failure(call(calls.logout));
  expect(error.message).toBe('M1');
  expect(error.status).toBe(400);
  expect(error.issues).toEqual([{ path: 'email', message: 'Invalid' }]);
  expect(messageOf(error, 'fallback')).toBe('M1');
});

// Proves ERR-06
it("uses the raw text as the error's message if the answer is not JSON", async () => {
  answerWith(400, 'T1');
  const error = await failure(call(calls.logout));
  expect(error.message).toBe('T1');
  expect(messageOf(error, 'fallback')).toBe('T1');
});

// Proves ERR-06
it("uses the status text as the error's message if the answer is empty", async () => {
  answerWith(400, '');
  const error = await failure(call(calls.logout));
  expect(error.message).toBe('Bad Request');
  expect(messageOf(error, 'fallback')).toBe('Bad Request');
});

// Proves ERR-06
it("says 'Request failed' if the answer has neither text nor status text", () => {
  const error = requestErrorFrom({ status: 502, statusText: '', text: '', url: '/api/x', loading: false });
  expect(error.message).toBe('Request failed');
  expect(messageOf(error, 'fallback')).toBe('fallback');
});

// Proves ERR-06
it('says the status code and the status text if loading data fails without a usable text', async () => {
  answerWith(503, '');
  expect((await failure(load('/api/x'))).message).toBe('503: Service Unavailable');
  const bare = requestErrorFrom({ status: 503, statusText: '', text: '', url: '/api/x', loading: true });
  expect(bare.message).toBe('503');
});

// Proves ERR-06
it('does not show an HTML error page to the user', async () => {
  answerWith(502, '<html><body>nginx</body></html>');
  const error = await failure(call(calls.logout));
  expect(error.message).toBe('Bad Gateway');
  expect(messageOf(error, 'fallback')).toBe('fallback');
});

// Proves ERR-44, ERR-34
it('shows the fallback for JSON without a message and an empty 5xx', () => {
  for (const text of ['{}', '']) {
    const error = requestErrorFrom({
      status: 500,
      statusText: 'Internal Server Error',
      text,
      url: '/api/x',
      loading: false,
    });
    expect(messageOf(error, 'Failed to approve ad')).toBe('Failed to approve ad');
  }
});

it('reports the missing answer, or the missing end of one, instead of the failed action', async () => {
  for (const breakOff of [
    (response: ServerResponse) => void response.destroy(),
    (response: ServerResponse) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('[');
      setTimeout(() => response.destroy(), 20);
    },
  ]) {
    answer = (_request, response) => breakOff(response);
    for (const send of [
      () => call(calls.logout),
      () => queryClient.fetchInfiniteQuery(readPages(calls.listPendingAds)),
    ]) {
      const error: unknown = await send().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NetworkError);
      expect(messageOf(error, 'Failed to create ad')).toBe(
        'We couldn’t reach the server. Check your connection and try again.',
      );
    }
  }
});

// Proves KEY-06
it('repeats a call that fails while the session gets a new id, and announces a lost session if no renewal is under way', async () => {
  const lost = vi.fn<() => void>();
  onSessionLost(lost);
  let isRenewed = false;
  let finish: () => void = () => {};
  answer = ({ url }, response) => {
    if (url === '/api/user/reauthenticate') {
      finish = () => {
        isRenewed = true;
        response.writeHead(200).end('{"success":true}');
      };
    } else if (isRenewed) response.writeHead(200).end('{"currency":"EUR"}');
    else response.writeHead(401).end('{"message":"Unauthorized"}');
  };
  const confirmed = renewSession(() => call(calls.reauthenticate, { body: { password: 'secret' } }));
  const read = load('/api/user/settings');
  await vi.waitFor(() => expect(received).toHaveLength(2));
  finish();
  await confirmed;
  expect(await read).toEqual({ currency: 'EUR' });
  expect(lost).not.toHaveBeenCalled();

  answerWith(401, '{"message":"Unauthorized"}');
  expect((await failure(load('/api/user/settings'))).status).toBe(401);
  expect(lost).toHaveBeenCalledTimes(1);
  onSessionLost(() => {});
});

// Proves API-01, API-02
it('sends credentials, and a JSON content type only with a body', async () => {
  answerWith(200, '{"success":true}');
  await call(calls.login, { body: { email: 'ann@x.test', password: 'secret' } });
  await call(calls.logout);
  expect(received).toEqual([
    {
      method: 'POST',
      url: '/api/auth/login',
      type: 'application/json',
      body: '{"email":"ann@x.test","password":"secret"}',
    },
    { method: 'POST', url: '/api/auth/logout', type: undefined, body: '' },
  ]);
  expect(credentials.slice(-2)).toEqual(['include', 'include']);
});

// Proves API-03
it('joins the parts of a query key with slashes into a GET URL', async () => {
  answerWith(200, '[1,2]');
  expect(urlOf(['/api/websites', 'X', 'ad-zones'])).toBe('/api/websites/X/ad-zones');
  expect(urlOf(['/api/websites', { search: 'a b', category: '', cursor: undefined }])).toBe(
    '/api/websites?search=a+b',
  );
  expect(keyOf(calls.listZones, { params: { ref: 'X' } })).toEqual(['/api/websites', 'X', 'ad-zones']);
  expect(keyOf(calls.getSettings)).toEqual(['/api/user/settings']);
  expect(await queryClient.fetchQuery(read(calls.listZones, { params: { ref: 'X' } }))).toEqual([1, 2]);
  expect(received).toEqual([{ method: 'GET', url: '/api/websites/X/ad-zones', type: undefined, body: '' }]);
});

// Proves API-04
it('returns null for a 401 where the caller asks for that, and otherwise reports a lost session', async () => {
  let lost = 0;
  onSessionLost(() => (lost += 1));
  answerWith(401, '{"message":"Unauthorized"}');
  expect(await loadByKeyOrNull({ queryKey: ['/api/auth/user'] })).toBeNull();
  expect(lost).toBe(0);
  const error = await failure(load('/api/ads/my'));
  expect(error.message).toBe('401: Unauthorized');
  expect(lost).toBe(1);
});

// Proves ERR-19
it('reports a lost session for a 401 of any call except those of /api/auth', async () => {
  let lost = 0;
  onSessionLost(() => (lost += 1));
  answerWith(401, '{"message":"Unauthorized"}');
  const error = await failure(call(calls.changeRole, { body: { role: 'buyer' } }));
  expect(lost).toBe(1);
  failureToast(error, 'Update Failed', 'x');
  expect(toasts()).toEqual([]);
  const wrongPassword = await failure(call(calls.login, { body: { email: 'a@x.test', password: 'x' } }));
  expect(lost).toBe(1);
  failureToast(wrongPassword, 'Login Failed', 'x');
  expect(toasts()).toMatchObject([
    { title: 'Login Failed', description: 'Unauthorized', variant: 'destructive' },
  ]);
});

// Proves API-05, ERR-10
it('sends a failing query once and logs its error', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  answerWith(500, '{"message":"Unexpected"}');
  await failure(queryClient.fetchQuery({ queryKey: ['/api/websites'] }));
  expect(received).toHaveLength(1);
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});

it('loads the next page of a list from the Link header', async () => {
  answer = (request, response) => {
    const first = request.url === '/api/user/settings';
    response
      .writeHead(200, first ? { link: '<https://other.test/api/user/settings?cursor=b>; rel="next"' } : {})
      .end(first ? '["a"]' : '["b"]');
  };
  const result = await queryClient.fetchInfiniteQuery({ ...readPages(calls.getSettings), pages: 2 });
  expect(result.pages.map((page) => page.items)).toEqual([['a'], ['b']]);
  expect(received.map((one) => one.url)).toEqual(['/api/user/settings', '/api/user/settings?cursor=b']);
  expect(nextLink('<a?x=1>; rel="prev", </b?y=2>; rel=next', '/api/z')).toBe('/b?y=2');
  expect(nextLink(null, '/api/z')).toBeNull();
});
