/** These rules hold for every call of the API. A new route is tested here without being listed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, sendNoBody } from '#server/testing/client.ts';
import { confirmOperator, makeOperator } from '#server/testing/operator.ts';
import { useServer } from '#server/testing/starts/use-server.ts';

const server = useServer();
let callers: Record<'anyone' | 'buyer' | 'seller' | 'both', Client>;

beforeAll(async () => {
  callers = {
    anyone: server.anyone(),
    buyer: await server.signIn('buyer'),
    seller: await server.signIn('seller'),
    both: await server.signIn('both'),
  };
});

// These calls would end the sessions or the accounts that the tests need, or change their roles.
const ENDS_SESSIONS = new Set(['/api/auth/logout', '/api/user/account', '/api/user/role']);

function routes() {
  return server.app.routes.map((route) => ({
    ...route,
    method: route.endpoint.method,
    path: route.endpoint.path.replace(':ref', '999999999').replace(':id', '999999999'),
  }));
}

/** Reads the routes from the tree that Fastify prints: '│   └── /:ref (PATCH, DELETE)'. Leaves out pages and assets. */
function boundRoutes(tree: string): { method: string; path: string }[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, segment = '', methods = ''] = /^([│ ]*)[├└]── (\S*) \(([A-Z, ]+)\)/.exec(line) ?? [];
    if (indent === undefined) return [];
    const depth = indent.length / 4;
    parents.length = depth;
    parents[depth] = segment;
    const path = parents.join('').replaceAll(/:(\w+)/g, '{$1}');
    if (!/^\/(api|ad-images|avatars)\//.test(path)) return [];
    const asked = methods.split(', ').filter((method) => method !== 'HEAD');
    return asked.map((method) => ({ method: method.toLowerCase(), path }));
  });
}

describe('every route', () => {
  // Proves RUN-13, API-38, API-41, ROLE-07, ROLE-12
  it('refuses a caller without a session or without the required role', async () => {
    for (const { method, path, access } of routes()) {
      const answers: Record<string, number> = {};
      for (const [name, client] of Object.entries(callers)) {
        if (name !== 'anyone' && ENDS_SESSIONS.has(path)) continue;
        answers[name] = (await client.send(method, path, method === 'GET' ? undefined : {})).status;
      }
      const call = `${method} ${path} for`;
      const closed = (who: string, status: number) =>
        expect([call, who, answers[who]]).toEqual([call, who, status]);
      const open = (who: string) =>
        expect([call, who, [401, 403].includes(answers[who] ?? 0)]).toEqual([call, who, false]);
      if (access === 'anyone') continue;
      closed('anyone', 401);
      if (ENDS_SESSIONS.has(path)) continue;
      if (access === 'buyer') closed('seller', 403);
      else open('seller');
      if (access === 'seller') closed('buyer', 403);
      else open('buyer');
      open('both');
    }
  });

  // Proves RUN-13, ROLE-18
  it('answers a refusal as JSON with a message', async () => {
    const answer = await callers.anyone.get('/api/ads/my');
    expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthorized' }]);
    const wrongRole = await callers.buyer.post('/api/websites', {});
    expect(wrongRole.status).toBe(403);
    expect(wrongRole.body.message).toContain('Settings');
  });

  // Proves RUN-09
  it('answers bad input with a 4xx and a message, never with a 5xx', async () => {
    const bodies: unknown[] = [
      'not json',
      '[]',
      'null',
      '"text"',
      '{"__proto__": {"role": "seller"}}',
      {
        email: 'a\u0000b@example.test',
        name: '\u0000',
        title: 'x\u0000',
        rejectionReason: '\u0000',
        search: '\u0000',
      },
      {
        id: 1e308,
        adZoneId: 1e20,
        productId: -1,
        websiteId: {},
        amount: {},
        price: 'NaN',
        width: 1.5,
        adPublicId: 7,
      },
      { email: ['a'], password: 1, code: {}, role: 'admin', body: 'x'.repeat(10_000) },
    ];
    const operator = await makeOperator(server);
    await confirmOperator(server, operator);
    for (const { method, path, access } of routes()) {
      if (ENDS_SESSIONS.has(path)) continue;
      const client = access === 'operator' ? operator.client : callers.both;
      const send = async (body: unknown) => {
        const address =
          method === 'GET' ? `${path}?cursor=%00&limit=-3&search=%00&category=x&traffic=` : path;
        const type: Record<string, string> =
          typeof body === 'string' ? { 'content-type': 'application/json' } : {};
        const answer = await client.send(method, address, body, type);
        const call = `${method} ${address} ${JSON.stringify(body)?.slice(0, 60)}`;
        expect([call, answer.status < 500]).toEqual([call, true]);
        if (answer.status >= 400) expect([call, typeof answer.body.message]).toEqual([call, 'string']);
      };
      await Promise.all((method === 'GET' ? [undefined] : bodies).map(send));
    }
  });

  // Proves RUN-09
  it('answers at once when the client declares a content type and sends no body', async () => {
    const calls = routes().filter(({ method, path }) => method !== 'GET' && !ENDS_SESSIONS.has(path));
    expect(calls.length).toBeGreaterThan(30);
    for (const { method, path } of calls) {
      const status = await sendNoBody(callers.both, method, path, 'application/json');
      expect([method, path, status < 500]).toEqual([method, path, true]);
    }
    expect(await sendNoBody(callers.anyone, 'POST', '/api/auth/login', 'application/json')).toBe(400);
  });

  // Proves RUN-09
  it('answers 404 to an unknown or malformed id', async () => {
    for (const { method, endpoint, access } of routes()) {
      if (!/:(ref|id)\b/.test(endpoint.path)) continue;
      const client = callers[access === 'seller' ? 'seller' : 'buyer'];
      for (const name of [
        '0',
        '-1',
        '99999999999999',
        'abc',
        '%00',
        '00000000-0000-4000-8000-000000000000',
        "1'--",
      ]) {
        const path = endpoint.path.replace(/:(ref|id)\b/, name);
        // The number of the founder, whom nobody removes (server/people/members/members.test.ts).
        if (path === '/api/account/members/0') continue;
        const body = {
          name: 'x',
          isActive: true,
          enabled: true,
          refundAmount: '1.00',
          rejectionReason: 'x',
          title: 'x',
          description: 'x',
          targetUrl: 'https://x.example',
          imageUrl: 'https://x.example/a.png',
          host: 'x.example',
          role: 'read',
          days: [{ date: '2026-01-01', pageViews: 1 }],
          productId: 1,
          startDate: server.clock.now().toISOString().slice(0, 10),
        };
        const answer =
          method === 'GET' ? await client.get(`${path}?product=1`) : await client.send(method, path, body);
        expect([method, path, answer.status]).toEqual([method, path, 404]);
      }
    }
  });

  it('is described in the OpenAPI document', async () => {
    const document = (await server.anyone().get('/api/openapi.json')).body;
    for (const { endpoint } of server.app.routes) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
      expect([path, document.paths[path]?.[endpoint.method.toLowerCase()]?.summary]).toEqual([
        path,
        endpoint.summary,
      ]);
    }
  });

  it('appears in the OpenAPI document, even without an endpoint object', async () => {
    const { paths } = (await server.anyone().get('/api/openapi.json')).body;
    const bound = boundRoutes(server.app.fastify.printRoutes({ commonPrefix: false }));
    expect(bound.length).toBeGreaterThan(60);
    expect(bound.filter(({ method, path }) => !paths[path]?.[method])).toEqual([]);

    // Calls without an endpoint object declare their statuses by hand, so each is compared with a real answer.
    for (const [method, path, example, status] of [
      ['get', '/api/health', '/api/health', 200],
      ['get', '/api/logout', '/api/logout', 302],
      ['get', '/measurement', '/measurement', 200],
      ['get', '/api/billing/portal', '/api/billing/portal', 401],
      ['put', '/api/uploads/{name}', '/api/uploads/nobody', 404],
      ['get', '/ad-images/{name}', '/ad-images/nobody', 404],
      ['get', '/m/{file}', '/m/nobody', 404],
      ['get', '/api/serve/zone/{publicId}', '/api/serve/zone/x', 200],
      ['get', '/api/serve/ads', '/api/serve/ads', 400],
      ['post', '/api/serve/view/{token}', '/api/serve/view/x', 400],
      ['get', '/api/serve/view/{token}', '/api/serve/view/x', 400],
      ['get', '/api/serve/vast/{publicId}', '/api/serve/vast/x', 200],
      ['get', '/api/serve/vast-address/{publicId}', '/api/serve/vast-address/x', 200],
      ['get', '/api/serve/vast-error/{token}', '/api/serve/vast-error/x', 400],
      ['get', '/api/serve/click/{token}', '/api/serve/click/x', 302],
      ['get', '/operator', '/operator', 303],
      ['get', '/api/operator/session', '/api/operator/session', 401],
      ['post', '/api/operator/ads/{id}/suspend', '/api/operator/ads/1/suspend', 401],
      ['get', '/decision/{publicId}', '/decision/x', 404],
      ['get', '/ad-archive', '/ad-archive', 200],
      ['get', '/ad-archive/{publicId}', '/ad-archive/x', 404],
      ['get', '/report-ad/{publicId}', '/report-ad/x', 404],
      ['get', '/api/serve/why/{publicId}', '/api/serve/why/x', 404],
    ] as const) {
      const answer = await server.anyone().send(method.toUpperCase(), example);
      expect([path, answer.status]).toEqual([path, status]);
      expect(Object.keys(paths[path][method].responses)).toContain(String(status));
    }
  });

  // Proves RUN-09, OP-108
  it('is described in the OpenAPI document with the errors it can answer', async () => {
    const document = (await server.anyone().get('/api/openapi.json')).body;
    const described = (path: string, method: string) => Object.keys(document.paths[path][method].responses);
    expect(described('/api/ads/{ref}/reject', 'put')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '429',
      'default',
    ]);
    expect(described('/api/analytics/earnings', 'get')).toEqual(['200', '401', 'default']);
    expect(described('/api/auth/check-email', 'post')).not.toContain('401');

    // Real error answers have the members of the described schema and no others.
    const { properties, required } = document.components.schemas.Error;
    const answers = [
      await callers.anyone.get('/api/ads/my'),
      await callers.buyer.post('/api/websites', {}),
      await callers.seller.post('/api/websites', { name: '' }),
      await callers.seller.get('/api/ads/999999999/details'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 400, 404]);
    for (const { body } of answers) {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(body)));
      expect(Object.keys(body)).toEqual(expect.arrayContaining(required));
    }
  });

  // Proves RUN-11, API-02
  it('refuses changing calls from another site and bodies that are not JSON', async () => {
    for (const { method, path } of routes().filter((route) => route.method !== 'GET')) {
      const foreign = await callers.both.send(method, path, {}, { origin: 'https://evil.example' });
      // Advertisers' pages call this one, with a token and without a session.
      const refused = path === '/api/serve/conversions' ? 400 : 403;
      expect([path, foreign.status]).toEqual([path, refused]);
      const crossSite = await callers.both.send(method, path, {}, { 'sec-fetch-site': 'cross-site' });
      expect([path, crossSite.status]).toEqual([path, refused]);
      if (refused === 403)
        expect(crossSite.body).toMatchObject({ message: expect.stringContaining('another site') });
      const form = await callers.both.send(method, path, 'role=seller', { 'content-type': 'text/plain' });
      // A large body of the console is not read before it is known who sends it.
      const notRead = path.startsWith('/api/operator/') ? expect.toBeOneOf([404, 415]) : 415;
      expect([path, form.status]).toEqual([path, notRead]);
    }
  });
});

// Proves RUN-09
it('answers 404 as JSON to an unknown API path', async () => {
  for (const path of ['/api/nope', '/api', '/api?x=1']) {
    const answer = await server.anyone().get(path);
    expect([path, answer.status, answer.body]).toEqual([path, 404, { message: 'Not found' }]);
  }
});

it('keeps an idle connection for longer than 60 seconds, so that it never closes one that a proxy is about to reuse', async () => {
  for (const path of ['/', '/api/health', '/api/serve/ads?z=none']) {
    const { headers } = await server.anyone().get(path);
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('keep-alive') ?? '') ?? [];
    expect([path, Number(seconds) > 60]).toEqual([path, true]);
  }
});

// Proves RUN-09
it('answers HEAD for a page with the same status as GET', async () => {
  expect((await server.anyone().send('HEAD', '/')).status).toBe(200);
});

// Proves RUN-09
it('answers 4xx to a body that is nested deeper than the call stack', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const header = { 'content-type': 'application/json' };
  const call = (body: string) => server.anyone().post('/api/auth/login', body, header);
  expect((await call(deep)).status).toBe(400);
  expect((await call(`{"email":"a@example.test","password":"x","more":${deep}}`)).status).toBe(401);
});
