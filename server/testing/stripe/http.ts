/** Answers the requests to the stand-in for Stripe: of our client, of its script in the browser and of a bank. */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { CONTRACT, findOperation, readForm, violationsOf } from '../stripe-contract.ts';
import { type Operations, type Parameters, Refused, type StripeAccount } from './account.ts';
import type { openTill } from './intents.ts';

/** How the stand-in treats the next requests. */
export type Fault = {
  /** Only requests whose 'METHOD /path' contains this text. */
  on: string;
  /**
   * `refused` answers 400. `fails_before` and `fails_after` answer 500, before and after acting. `hangs_before` and
   * `hangs_after` never answer. `breaks` closes the connection after acting.
   */
  how:
    | 'refused'
    | 'rate_limited'
    | 'fails_before'
    | 'fails_after'
    | 'hangs_before'
    | 'hangs_after'
    | 'breaks'
    | 'slow';
  /** The number of requests that fail. One if absent. */
  times?: number;
};

/** The parts of an answer that is kept under an idempotency key. */
type Kept = { parameters: string; status: number; body: string } | 'running';

export type Desk = {
  account: StripeAccount;
  operations: Operations;
  till: ReturnType<typeof openTill>;
  secretKey: string;
  /** Every request, and those that break the contract. */
  requests: { call: string; key: string | undefined; parameters: Parameters }[];
  violations: string[];
  faults: Fault[];
};

export function createListener(desk: Desk): http.Server {
  const { account, operations, till, secretKey, requests, violations, faults } = desk;
  const keys = new Map<string, Kept>();

  /** The calls of the stand-in for js.stripe.com, which runs on another origin. */
  function answerBrowser(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    pathname: string,
    body: string,
  ): void {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type');
    if (request.method === 'OPTIONS') return void response.end();
    const given = JSON.parse(body) as {
      clientSecret: string;
      number?: string;
      outcome?: 'complete' | 'fail';
    };
    try {
      const call = {
        '/stand-in/confirm': () => till.pay(given.clientSecret, given.number ?? ''),
        '/stand-in/authenticate': () => till.authenticate(given.clientSecret, given.outcome ?? 'fail'),
        '/stand-in/process': () => till.process(given.clientSecret),
        '/stand-in/retrieve': () => till.intentOf(given.clientSecret),
      }[pathname];
      if (!call) return send404(response);
      const { id, status, last_payment_error: error } = call();
      return reply(response, 200, { paymentIntent: { id, status, last_payment_error: error } });
    } catch (error) {
      if (error instanceof Refused) return reply(response, 200, { error: error.error });
      throw error;
    }
  }

  /** The page of a bank to which the browser is sent, and which sends it back as Stripe does. */
  function answerAtBank(response: http.ServerResponse, query: URLSearchParams): void {
    const clientSecret = query.get('clientSecret') ?? '';
    const outcome = query.get('outcome');
    if (outcome === null) {
      const link = (name: string, value: string) =>
        `<a href="/stand-in/bank?${new URLSearchParams([...query, ['outcome', value]]).toString()}">${name}</a>`;
      response.writeHead(200, { 'content-type': 'text/html' });
      return void response.end(`<!doctype html>${link('Confirm', 'complete')} ${link('Refuse', 'fail')}`);
    }
    try {
      till.authenticate(clientSecret, outcome === 'complete' ? 'complete' : 'fail');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    const back = new URL(query.get('returnUrl') ?? '');
    back.searchParams.set('payment_intent', clientSecret.split('_secret_')[0] ?? '');
    back.searchParams.set('payment_intent_client_secret', clientSecret);
    // This parameter is no proof of a payment. It is always 'succeeded', so that a page that relies on it fails a test.
    back.searchParams.set('redirect_status', 'succeeded');
    response.writeHead(303, { location: back.href });
    response.end();
  }

  async function answerClient(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    { pathname, query, body }: { pathname: string; query: string; body: string },
  ): Promise<void> {
    const method = request.method ?? 'GET';
    const key = request.headers['idempotency-key'] as string | undefined;
    const isV2 = pathname.startsWith('/v2/');
    const parameters =
      method === 'POST' && isV2
        ? (JSON.parse(body || '{}') as Parameters)
        : readForm(method === 'POST' ? body : query);
    const found = findOperation(method, pathname);
    requests.push({ call: `${method} ${pathname}`, key, parameters });
    check(request, { found: found?.call, method, pathname, parameters, key });
    const operation = found && operations[found.call];
    if (!operation) return send404(response);
    if (!hasOurKey(request)) {
      const message = `Invalid API Key provided: ${request.headers.authorization?.slice(7)}`;
      return reply(response, 401, { error: { type: 'invalid_request_error', message } });
    }

    const fault = takeFault(`${method} ${pathname}`);
    if (fault === 'rate_limited') {
      return reply(response, 429, {
        error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' },
      });
    }
    if (fault === 'refused') {
      return reply(response, 400, {
        error: { type: 'invalid_request_error', message: 'This account does not support this call.' },
      });
    }
    if (fault === 'fails_before') return reply(response, 500, FAILURE);
    if (fault === 'hangs_before') return;
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, 200));

    const same = JSON.stringify([method, pathname, parameters]);
    const kept = method === 'POST' && key !== undefined ? keys.get(key) : undefined;
    if (kept === 'running') {
      return reply(response, 409, {
        error: { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'The key is in use.' },
      });
    }
    if (kept && kept.parameters !== same) {
      return reply(response, 400, {
        error: {
          type: 'idempotency_error',
          message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${String(key)}'.`,
        },
      });
    }
    if (kept) {
      response.setHeader('idempotent-replayed', 'true');
      return reply(response, kept.status, kept.body);
    }
    const payeeId = request.headers['stripe-account'] as string | undefined;
    const { status, answer } = act(() => operation(parameters, found.ids, payeeId), parameters);
    const hasFailed = fault === 'fails_after';
    const result = {
      status: hasFailed ? 500 : status,
      body: JSON.stringify(hasFailed ? FAILURE : answer),
    };
    // Stripe stores the result of each request that it has begun, even a 500 or a decline, but not a refusal of wrong parameters.
    if (
      method === 'POST' &&
      key !== undefined &&
      ([200, 402].includes(result.status) || result.status >= 500)
    )
      keys.set(key, { parameters: same, ...result });
    if (fault === 'hangs_after') return;
    if (fault === 'breaks') return void response.socket?.destroy();
    reply(response, result.status, result.body);
  }

  function act(operation: () => unknown, parameters: Parameters): { status: number; answer: unknown } {
    try {
      const answer = account.view(operation(), (parameters['expand'] ?? []) as string[]);
      return { status: 200, answer };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, answer: { error: error.error } };
    }
  }

  function check(
    request: http.IncomingMessage,
    {
      found,
      method,
      pathname,
      parameters,
      key,
    }: {
      found: string | undefined;
      method: string;
      pathname: string;
      parameters: Parameters;
      key: string | undefined;
    },
  ): void {
    const call = `${method} ${pathname}`;
    const say = (text: string) => violations.push(text);
    if (found === undefined) say(`${call} is not in the contract`);
    else violationsOf(found, parameters).forEach(say);
    if (request.headers['stripe-version'] !== CONTRACT.apiVersion)
      say(`${call} has the API version ${String(request.headers['stripe-version'])}`);
    if (!hasOurKey(request)) say(`${call} has the wrong key`);
    // The client generates keys for requests without one. Ours never look like those.
    if (method === 'POST' && (key === undefined || /^stripe-node-retry|^[\da-f-]{36}$/.test(key)))
      say(`${call} has no idempotency key of ours`);
  }

  function hasOurKey(request: http.IncomingMessage): boolean {
    return request.headers.authorization === `Bearer ${secretKey}`;
  }

  function takeFault(call: string): Fault['how'] | undefined {
    const fault = faults.find(({ on }) => call.includes(on));
    if (!fault) return undefined;
    fault.times = (fault.times ?? 1) - 1;
    if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
    return fault.how;
  }

  return http.createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
      if (pathname === '/stand-in/bank') return answerAtBank(response, searchParams);
      if (pathname.startsWith('/stand-in/')) return answerBrowser(request, response, pathname, body);
      return await answerClient(request, response, { pathname, query: searchParams.toString(), body });
    })();
  });
}

const FAILURE = { error: { type: 'api_error', message: 'An unknown error occurred' } };

function reply(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${randomBytes(6).toString('hex')}`,
    'stripe-version': CONTRACT.apiVersion,
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function send404(response: http.ServerResponse): void {
  reply(response, 404, { error: { type: 'invalid_request_error', message: 'Unrecognized request URL' } });
}
