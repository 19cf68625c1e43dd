import type http from 'node:http';
import type { Context } from '#server/platform/context.ts';
import { answerBusy, refuse } from '#server/platform/http/raw-answer.ts';
import { requestIdOf } from '#server/platform/log/request-id.ts';
import { CONVERSION_REPORTS, LANDING_REPORTS, type ServingCall } from './requests.ts';

const MAX_URL = 2048;
/** The tag's reports have no body. If another client sends one, node:http discards it unread up to this many bytes. */
const MAX_BODY = 1024;

/** Returns the function that answers an ad-serving request, or returns false and leaves it alone. */
export function createHandler(
  ctx: Context,
  calls: ReadonlyMap<string, ServingCall>,
): (request: http.IncomingMessage, response: http.ServerResponse) => boolean {
  function handle(request: http.IncomingMessage, response: http.ServerResponse): boolean {
    const url = request.url ?? '';
    if (!url.startsWith('/api/serve/') && !url.startsWith('/m/') && !url.startsWith('/z/')) return false;
    if (url === LANDING_REPORTS || (url === CONVERSION_REPORTS && request.method !== 'OPTIONS')) return false;
    const bodyLength = bodyLengthOf(request);
    if (url.length > MAX_URL) refuse(response, 414, 'This URL is too long.', ['Connection', 'close']);
    else if (bodyLength > MAX_BODY)
      refuse(response, 413, 'Send this request without a body.', ['Connection', 'close']);
    else {
      // If the client declares a request body, close the connection after the response instead of reading the body.
      if (bodyLength > 0) response.shouldKeepAlive = false;
      // An exception in one request must not end the process for all other requests.
      try {
        route(request, response, url);
      } catch (error) {
        fail(response, error);
      }
    }
    return true;
  }

  function route(request: http.IncomingMessage, response: http.ServerResponse, url: string): void {
    const queryAt = url.indexOf('?');
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    const query = queryAt < 0 ? '' : url.slice(queryAt + 1);
    if (request.method === 'OPTIONS') return answerPreflight(response);
    const at = path.startsWith('/api/') ? path.indexOf('/', '/api/serve/'.length) : '/m'.length;
    const call = calls.get(at < 0 ? path : path.slice(0, at));
    if (!call) return refuse(response, 404, 'Not found');
    if (!call.methods.includes(request.method ?? '')) return refuseMethod(response, call.methods.join(', '));
    const answered = call.answer(request, response, at < 0 ? '' : path.slice(at + 1), query);
    answered?.catch((error: unknown) => fail(response, error));
  }

  function fail(response: http.ServerResponse, error: unknown): void {
    const { headers, method, url = '' } = response.req;
    const requestId = requestIdOf(headers);
    const route = `${/^\/(?:api\/serve\/[^/?]*|[mz])/.exec(url)?.[0]}/*`;
    ctx.log.error({ requestId, method, route, err: error }, 'an ad-serving request failed');
    if (response.headersSent) return void response.destroy();
    response.setHeader('X-Request-Id', requestId);
    answerBusy(response);
  }

  return handle;
}

/** In bytes; infinite for a chunked body, because the server would have to read it to learn its length. */
function bodyLengthOf({ headers }: http.IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

function refuseMethod(response: http.ServerResponse, allowed: string): void {
  refuse(response, 405, `Use ${allowed}.`, ['Allow', allowed]);
}

function answerPreflight(response: http.ServerResponse): void {
  response.writeHead(204, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, OPTIONS',
    // Pages add headers of their own to each request. Without credentials, the star means all but Authorization.
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end();
}
