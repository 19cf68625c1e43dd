/** Security headers stand on every answer: pages, files, refusals, and what the ad server sends to other sites. */
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SORTS } from '#domain/inventory/sorts.ts';
import { encodeKeys } from '#server/platform/http/cursor.ts';
import { makeSiteWithZone, makeRunningAd, startAdServerTest } from '#server/testing/delivery/delivery.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const server = useOwnAdServer();

// Proves DOOR-04
it.each([
  ['GET', '/', {}, 200],
  ['GET', '/dashboard', {}, 200],
  ['GET', '/api/health', {}, 200],
  ['GET', '/api/nope', {}, 404],
  ['GET', '/api/ads/my', {}, 401],
  ['GET', '/ad-archive', {}, 200],
  ['GET', '/robots.txt', {}, 200],
  ['POST', '/api/auth/login', { origin: 'https://evil.example' }, 403],
  ['POST', '/api/auth/login', { 'content-type': 'text/plain' }, 415],
  ['POST', '/api/auth/login', { 'content-type': 'application/json' }, 400],
  ['GET', '/%', {}, 400],
  ['GET', '/api/ads/%ff', {}, 400],
  ['TRACE', '/', {}, 404],
] as const)(
  '%s %s with %j has a policy, and no browser may guess its type',
  async (method, path, headers, status) => {
    // fetch refuses to send some of these.
    const { status: answered, head } = await rawAnswer(method, path, headers);
    expect(answered).toBe(status);
    expect(head).toMatch(/^x-content-type-options: nosniff$/im);
    expect(head).toMatch(/^content-security-policy: .*default-src/im);
    expect(head).toMatch(/^referrer-policy: /im);
    expect(head).toMatch(/^permissions-policy: camera=\(\).*geolocation=\(\), microphone=\(\)/im);
    // One rule about frames, which older browsers read from the other header.
    expect(head).not.toMatch(/^x-frame-options: (?!deny)/im);
    if (status >= 400 && path.startsWith('/api/')) expect(head).toMatch(/^cache-control: no-store$/im);
    expect(head).not.toMatch(/^strict-transport-security: /im);
  },
);

describe('with an https address', () => {
  const secure = useOwnAdServer({
    PUBLIC_URL: 'https://ads.example.com',
    DELIVERY_URL: 'https://ads.example.com',
    RATE_LIMIT_FACTOR: '0.01',
  });

  const ALL = /^strict-transport-security: max-age=31536000$/im;
  const NO_STORE = /^cache-control: no-store$/im;

  // Proves DOOR-04
  it('every answer has HSTS, and no cache may store a refusal of the API', async () => {
    const { zone, zoneId } = await makeSiteWithZone(secure.ctx);
    await makeRunningAd(secure.ctx, zoneId);
    await secure.app.refreshDelivery();
    const big = { 'content-length': '300000', 'content-type': 'application/json' };
    const requests: [method: string, path: string, headers: Record<string, string>, status: number][] = [
      ['GET', '/', {}, 200],
      ['GET', '/robots.txt', {}, 200],
      ['GET', '/ad-archive', {}, 200],
      ['GET', '/api/nope', {}, 404],
      ['GET', '/api/ads/my', {}, 401],
      ['GET', '/api/logout', {}, 302],
      ['GET', '/%', {}, 400],
      ['GET', '/api/ads/%ff', {}, 400],
      ['POST', '/api/auth/login', { origin: 'https://evil.example' }, 403],
      ['POST', '/api/auth/login', { 'content-type': 'text/plain' }, 415],
      ['POST', '/api/auth/login', { 'content-type': 'application/json' }, 400],
      ['POST', '/api/auth/login', big, 413],
      ['GET', `/api/serve/ads?z=${zone}`, {}, 200],
      ['GET', '/api/serve/ads', {}, 400],
      ['POST', '/api/serve/ads', {}, 405],
      ['GET', `/api/serve/ads?z=${'x'.repeat(3000)}`, {}, 414],
      ['GET', `/api/serve/zone/${zone}`, {}, 200],
      ['GET', `/api/serve/vast/${zone}`, {}, 200],
      ['GET', `/api/serve/why/${zone}`, {}, 404],
      ['POST', '/api/serve/view/x', {}, 400],
      ['OPTIONS', '/api/serve/view/x', {}, 204],
      ['GET', '/api/serve/nothing', {}, 404],
      ['GET', `/z/${zone}`, {}, 200],
      ['GET', '/m/x', {}, 404],
      ['TRACE', '/', {}, 404],
      ['GET', '/', { 'bad name': 'x' }, 400],
      ['GET', '/', { long: 'x'.repeat(20_000) }, 431],
    ];
    for (const [method, path, headers, status] of requests) {
      const { status: answered, head } = await rawAnswer(method, path, headers, secure.ctx.config.port);
      const name = `${method} ${path.slice(0, 60)}`;
      expect([name, answered]).toEqual([name, status]);
      expect([name, head]).toEqual([name, expect.stringMatching(ALL)]);
      if (status >= 400 && path.startsWith('/api/'))
        expect([name, head]).toEqual([name, expect.stringMatching(NO_STORE)]);
    }
    const guesses = ['/api/auth/check-email', '/api/auth/login'].flatMap((path) => [path, path, path]);
    const heads: string[] = [];
    for (const path of guesses)
      heads.push(
        (
          await rawAnswer(
            'POST',
            path,
            { 'content-type': 'application/json' },
            secure.ctx.config.port,
            '{"email":"x@example.test","password":"x"}',
          )
        ).head,
      );
    const refused = heads.filter((head) => /^HTTP\/1.1 429/.test(head));
    expect(refused.length).toBeGreaterThan(0);
    for (const head of refused) {
      expect(head).toMatch(ALL);
      expect(head).toMatch(NO_STORE);
    }
  });
});

// Proves DOOR-04
it('HSTS is for the subdomains of the address only if HSTS_SUBDOMAINS says so', async () => {
  const secure = await untilTestEnds(
    startAdServerTest({ PUBLIC_URL: 'https://ads.example.com', HSTS_SUBDOMAINS: '1' }),
  );
  for (const path of ['/', '/api/serve/ads', '/%']) {
    const { head } = await rawAnswer('GET', path, {}, secure.ctx.config.port);
    expect(head).toMatch(/^strict-transport-security: max-age=31536000; includeSubDomains$/im);
  }
});

// Proves DOOR-04
it('answers of the ad server have nosniff and can still be embedded by any site', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  const served = await server.decide(zone);
  for (const [method, path] of [
    ['GET', `/api/serve/ads?z=${zone}`],
    ['GET', '/api/serve/ads'],
    ['GET', `/api/serve/zone/${zone}`],
    ['GET', `/api/serve/vast/${zone}`],
    ['GET', `/api/serve/why/${zone}`],
    ['GET', `/z/${zone}`],
    ['POST', new URL(served.view).pathname],
    ['GET', new URL(served.click).pathname],
    ['GET', '/api/serve/click/x'],
    ['GET', '/m/x'],
    ['OPTIONS', '/api/serve/view/x'],
  ] as const) {
    const answer = await server.caller.send(method, path);
    expect([path, answer.headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
    expect([path, answer.headers.get('x-frame-options')]).toEqual([path, null]);
    const policy = answer.headers.get('content-security-policy') ?? '';
    if (path.startsWith('/z/')) expect(policy).toContain('frame-ancestors *');
    expect([path, answer.headers.get('cross-origin-resource-policy')]).not.toEqual([path, 'same-origin']);
  }
});

// Proves DOOR-04
it('lets no page run text as a script', async () => {
  for (const path of [
    '/',
    '/auth',
    '/dashboard',
    '/checkout/x',
    '/ad-archive',
    '/measurement',
    '/operator',
    '/%',
  ]) {
    const policy =
      (await rawAnswer('GET', path, {})).head.match(/^content-security-policy: (.*)$/im)?.[1] ?? '';
    const scripts =
      /(?:^|; ?)script-src ([^;]*)/.exec(policy)?.[1] ?? /default-src ([^;]*)/.exec(policy)?.[1];
    expect([path, scripts]).toEqual([
      path,
      expect.not.stringMatching(/unsafe-|\*|https?:(?:\s|$)|data:|blob:/),
    ]);
  }
});

// Proves DEC-07
it('lets every page load images and videos from this server only', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId);
  await server.app.refreshDelivery();
  const sources = new Set<string>();
  for (const path of [
    '/',
    '/auth',
    '/dashboard',
    '/ad-archive',
    '/measurement',
    '/operator',
    `/z/${zone}`,
    '/no-such-page',
  ]) {
    const policy = (await server.caller.send('GET', path)).headers.get('content-security-policy') ?? '';
    for (const directive of policy.split(';')) {
      const [name = '', ...allowed] = directive.trim().split(/\s+/);
      if (/^(?:default|img|media)-src$/.test(name)) for (const each of allowed) sources.add(each);
    }
  }
  const { deliveryUrl, publicUrl } = server.ctx.config;
  const own = new Set(["'self'", "'none'", 'data:', 'blob:', deliveryUrl, publicUrl]);
  expect([...sources].filter((source) => !own.has(source))).toEqual([]);
  expect(sources.size).toBeGreaterThan(3);
});

// Proves DOOR-04
it('answers 400 to a cursor with a key that the column cannot have', async () => {
  const seller = await server.signIn('seller');
  for (const path of [
    '/ad-archive?after=',
    '/api/analytics/transactions?cursor=',
    '/api/billing/payments?cursor=',
    '/api/statements/2026-03?cursor=',
    '/api/websites?sort=views&cursor=',
    '/api/websites?sort=ctr&cursor=',
  ])
    for (const key of [-999_999_999_999_999, 999_999_999_999_999]) {
      const address = path + encodeKeys([key, 1]);
      expect([address, (await seller.get(address)).status]).toEqual([address, 400]);
    }
});

// Proves RUN-09
it('answers no list with a 5xx, however large the keys of its cursor', async () => {
  const caller = await server.signIn('both');
  const lists = server.app.routes
    .map(({ endpoint }) => endpoint)
    .filter(({ query }) => query instanceof z.ZodObject && 'cursor' in query.shape);
  expect(lists.length).toBeGreaterThan(10);
  const large = [-1e14, 1e14, 2_147_483_648];
  const cursors = large
    .flatMap((key) => [[key], [key, 1], [1, key], [key, 1, 1], [1, key, 1]])
    .map(encodeKeys);
  const common = 'from=2026-01-01&to=2026-01-31&by=campaign&side=publisher';
  const faults: unknown[] = [];
  for (const { path } of lists)
    for (const sort of path === '/api/websites' ? SORTS : ['newest'])
      for (const cursor of cursors) {
        const list = path.replace(':month', '2026-01').replace(/:\w+/, '1');
        const address = `${list}?${common}&sort=${sort}&cursor=${cursor}`;
        const { status } = await caller.get(address);
        if (status >= 500) faults.push([address, status]);
      }
  expect(faults).toEqual([]);
});

// Proves DOOR-04
it('reads a number in a path only from digits', async () => {
  const seller = await server.signIn('seller');
  const { id } = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const change = (name: string) => seller.patch(`/api/ad-zone-products/${name}`, { isActive: true });
  expect((await change(String(id))).status).toBe(200);
  for (const name of [
    `${id}.0`,
    `${id}e0`,
    `0x${id.toString(16)}`,
    `%20${id}`,
    `+${id}`,
    `0${id}`,
    `-${id}`,
    '',
  ]) {
    expect([name, (await change(name)).status]).toEqual([name, 404]);
  }
});

describe('with Stripe', () => {
  const STRIPE = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
  };
  const policyOf = async (url: string, path: string) => {
    const { headers } = await fetch(`${url}${path}`);
    return {
      opener: headers.get('cross-origin-opener-policy'),
      directives: (headers.get('content-security-policy') ?? '').split(';').map((each) => each.trim()),
    };
  };

  // Proves STRP-06
  it('only the documents of the checkout may load Stripe’s script and frames', async () => {
    const paying = await untilTestEnds(
      startTestServer({ env: { ...STRIPE, STRIPE_API_BASE: 'http://127.0.0.1:12111' } }),
    );
    const base = (await policyOf(paying.url, '/dashboard')).directives;
    const { directives, opener } = await policyOf(paying.url, '/checkout/7?payment_intent=pi_1');
    const own = `'self' ${paying.url}`;
    expect(directives.filter((each) => !base.includes(each))).toEqual([
      `script-src ${own} https://js.stripe.com`,
      `connect-src ${own} https://api.stripe.com http://127.0.0.1:12111`,
      `frame-src ${own} https://js.stripe.com https://hooks.stripe.com`,
    ]);
    expect(opener).toBe('same-origin-allow-popups');
    expect(directives).toHaveLength(base.length);
    for (const path of ['/', '/dashboard', '/settings', '/checkouts', '/api/health']) {
      const { directives: other } = await policyOf(paying.url, path);
      expect(other.join(';')).not.toContain('stripe.com');
    }
  });

  // Proves STRP-06
  it('names no stand-in that is not set, and the sandbox names no host of Stripe', async () => {
    const paying = await untilTestEnds(startTestServer({ env: STRIPE }));
    const { directives } = await policyOf(paying.url, '/checkout/7');
    expect(directives).toContain(`connect-src 'self' ${paying.url} https://api.stripe.com`);
    expect((await policyOf(server.url, '/checkout/7')).directives.join(';')).not.toContain('stripe.com');
  });
});

/** The head of the first answer to one request. */
async function rawAnswer(
  method: string,
  path: string,
  headers: Record<string, string>,
  port = server.ctx.config.port,
  body = method === 'POST' ? '{' : '',
): Promise<{ status: number; head: string }> {
  const socket = net.connect(port, '127.0.0.1');
  const lines = [
    `Host: 127.0.0.1`,
    'Connection: close',
    ...Object.entries(headers).map((each) => each.join(': ')),
  ];
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n${headers['content-length'] === undefined ? `Content-Length: ${body.length}\r\n` : ''}\r\n${body}`,
  );
  const answer = Buffer.concat(await socket.toArray()).toString('latin1');
  const head = answer.split('\r\n\r\n')[0]?.replaceAll('\r', '') ?? '';
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head };
}
