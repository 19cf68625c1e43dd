/** Requests that neither browsers nor the tag send. The ad server rejects them cheaply and never answers with a 5xx. */
import net from 'node:net';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer();
let port: number;
let zone: string;
beforeAll(async () => {
  port = Number(new URL(server.url).port);
  const place = await makeSiteWithZone(server.ctx);
  zone = place.zone;
  await makeRunningAd(server.ctx, place.zoneId);
  await server.app.refreshDelivery();
});

/** Everything the server sends on a connection until it closes it. */
async function answerTo(...parts: (string | Buffer)[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  // Writing after the server has closed the connection is an error, which does not matter here.
  socket.on('error', () => {});
  for (const part of parts) socket.write(part, 'latin1');
  await new Promise((resolve) => {
    socket.on('close', resolve);
  });
  return answer;
}

const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1])).filter((code) => code !== 100);

const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: ads.example', 'Connection: close', ...headers, '', ''].join('\r\n');

const ads = (query: string, ...headers: string[]) => request(`GET /api/serve/ads?${query}`, ...headers);
const view = (token: string, ...headers: string[]) => request(`POST /api/serve/view/${token}`, ...headers);
const MEGABYTE = 1_000_000;

const stillServes = async () => expect((await server.ask([zone]))[0]?.kind).toBe('text');

describe('a malformed request', () => {
  const repeat = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index));
  const malformed: [name: string, expected: number[], ...parts: (string | Buffer)[]][] = [
    ['a URL of 10 kB', [414], ads(`z=${'a'.repeat(10_000)}`)],
    ['a URL of 20 kB', [431], ads(`z=${'a'.repeat(20_000)}`)],
    ['3,000 headers', [431], ads('z=a', ...repeat(3000, (index) => `X-${index}: y`))],
    ['one header of 100 kB', [431], ads('z=a', `X-Long: ${'y'.repeat(100_000)}`)],
    ['a body of 1 MB', [413], view('a', `Content-Length: ${MEGABYTE}`), Buffer.alloc(MEGABYTE)],
    [
      'a small body that is incomplete',
      [400],
      'POST /api/serve/view/a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab',
    ],
    ['a body of 1 MB that is announced and not sent', [413], view('a', `Content-Length: ${MEGABYTE}`)],
    [
      'a body of 1 MB in chunks',
      [413],
      view('a', 'Transfer-Encoding: chunked'),
      'F4240\r\n',
      Buffer.alloc(MEGABYTE),
    ],
    [
      'an ad request with a body of 1 MB',
      [413],
      ads('z=a', `Content-Length: ${MEGABYTE}`),
      Buffer.alloc(MEGABYTE),
    ],
    ['two Content-Length headers', [400], view('a', 'Content-Length: 0', 'Content-Length: 5')],
    [
      'a Content-Length and chunks',
      [400],
      view('a', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      '0\r\n\r\n',
    ],
    ['a negative Content-Length', [400], view('a', 'Content-Length: -5')],
    ['bytes that are not HTTP', [400], '\0\u0001\u0002 garbage\r\n\r\n'],
    ['a zero byte in the URL', [400], ads('z=\0')],
    ['bytes beyond ASCII in a token', [400], view('é'.repeat(66))],
    ['a token of zero bytes', [400], view('%00'.repeat(66))],
    ['a token of broken escapes', [400], view('%zz%E0%A4%A')],
    ['a token of 2 kB', [400], view('A'.repeat(2000))],
    ['no zone', [400], ads('')],
    ['an empty list of zones', [400], ads('z=')],
    ['21 zones', [400], ads(`z=${repeat(21, () => zone).join(',')}`)],
    ['no Host header', [400], 'GET /api/serve/ads?z=a HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an unknown Expect header', [417], view('a', 'Expect: tea')],
    ['POST for ads', [405], request('POST /api/serve/ads?z=a', 'Content-Length: 0')],
    ['PUT of a view', [405], request('PUT /api/serve/view/a', 'Content-Length: 0')],
    ['DELETE of a click', [405], request('DELETE /api/serve/click/a')],
    ['TRACE', [405], request('TRACE /api/serve/zone/a')],
    ['an unknown path under /api/serve', [404], request('GET /api/serve/everything')],
    ['a creative with a broken name', [404], request('GET /m/%zz%E0%A4%A')],
    ['a creative outside the uploads', [404], request('GET /m/../../../../etc/passwd')],
    ['the page "why this ad" of no ad', [404], request('GET /api/serve/why/%00')],
    [
      'a valid request followed by garbage',
      [200, 400],
      'GET /api/serve/ads?z=a HTTP/1.1\r\nHost: x\r\n\r\nBLAH BLAH\r\n\r\n',
    ],
  ];
  // Proves DEL-66
  it.each(malformed)('is rejected with the right status: %s', async (_, expected, ...parts) => {
    expect(statuses(await answerTo(...parts))).toEqual(expected);
    await stillServes();
  });
});

describe('an unusual but valid request', () => {
  const odd: [name: string, part: string | Buffer][] = [
    ['an unknown zone', ads('z=nothing')],
    ['names of object properties', ads('z=__proto__,constructor,toString')],
    ['broken escapes', ads('z=%zz%E0%A4%A')],
    ['an escaped zero byte', ads('z=%00')],
    ['the same parameter four hundred times', ads('z=a&'.repeat(400))],
    ['a malformed Origin', ads('z=a', 'Origin: http://[::1:bad')],
    ['an Origin of 10 kB', ads('z=a', `Origin: http://${':'.repeat(10_000)}`)],
    ['a User-Agent of 10 kB', ads('z=a', `User-Agent: ${'x'.repeat(10_000)}`)],
    ['headers beyond ASCII', Buffer.from(ads('z=a', 'Origin: \xff\xfe', 'User-Agent: \xff'), 'latin1')],
    ['an Upgrade header', ads('z=a', 'Upgrade: h2c')],
    ['HTTP/1.0', 'GET /api/serve/ads?z=a HTTP/1.0\r\n\r\n'],
  ];
  // Proves DEL-66
  it.each(odd)('is answered with 200: %s', async (_, part) => {
    const answer = await answerTo(part);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain('"kind":"none"');
  });
});

// Proves DEL-66
it('answers any combination of path, query, method and headers, and never with a 5xx', async () => {
  const { view, click } = await server.decide(zone);
  const tokens = [view, click].map((address) => address.slice(address.lastIndexOf('/') + 1));
  // Header values are any bytes except line ends and zero. Requests that node:http rejects would test nothing of ours.
  const bytes = fc.string({
    unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)),
  });
  const visible = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  });
  const piece = fc.oneof(
    fc.constantFrom(
      zone,
      ...tokens,
      ...tokens.map((token) => token.slice(0, 47)),
      '%00',
      '%zz',
      '%E0%A4%A',
      '..',
      '.',
    ),
    fc.constantFrom('1', '-1', '4294967296', '9'.repeat(30), '[ERRORCODE]', '__proto__', 'a'.repeat(64)),
    visible,
  );
  const route = fc.constantFrom('ads', 'view', 'click', 'zone', 'vast', 'vast-error', 'why', 'report');
  const path = fc.oneof(
    fc.tuple(route, piece).map(([name, rest]) => `/api/serve/${name}/${rest}`),
    fc.tuple(route, piece, piece).map(([name, rest, more]) => `/api/serve/${name}/${rest}/${more}`),
    fc
      .tuple(fc.constantFrom('/z/', '/m/', '/archive/', '/archive?cursor=', '/archive?q='), piece)
      .map((parts) => parts.join('')),
    route.map((name) => `/api/serve/${name}`),
  );
  const query = fc.array(
    fc.tuple(fc.constantFrom('z', 'rendered', 'code', 'cursor', 'q', 'w', 'h', ''), piece),
    { maxLength: 3 },
  );
  const headers = fc.array(
    fc.tuple(
      fc.constantFrom(
        'Origin',
        'Referer',
        'User-Agent',
        'Range',
        'Sec-GPC',
        'Sec-Purpose',
        'Accept',
        'If-None-Match',
        'Cookie',
        'X-Forwarded-For',
      ),
      fc.oneof(bytes, piece),
    ),
    { maxLength: 4 },
  );
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE');
  await fc.assert(
    fc.asyncProperty(method, path, query, headers, async (verb, address, asked, sent) => {
      const mark = address.includes('?') ? '&' : '?';
      const text = asked.map(([name, value]) => `${name}=${value}`).join('&');
      const lines = sent.map(([name, value]) => `${name}: ${value}`);
      const answer = statuses(await answerTo(request(`${verb} ${address}${text && mark + text}`, ...lines)));
      expect(answer.length).toBeGreaterThan(0);
      expect(Math.max(...answer)).toBeLessThan(500);
    }),
    { numRuns: 1500 },
  );
  await stillServes();
});

// Proves DEL-66
it('keeps no figures for ten thousand unknown zones', async () => {
  await server.app.flushDelivery();
  const before = await rows();
  for (let each = 0; each < 500; each++) {
    const zones = Array.from({ length: 20 }, (_, index) => `nobody-${each}-${index}`);
    for (const ad of await server.ask(zones)) expect(ad.kind).toBe('none');
  }
  await server.app.flushDelivery();
  expect(await rows()).toBe(before);

  async function rows(): Promise<number> {
    const { n } = await server.ctx.db
      .selectFrom('deliveryHourly')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  }
});

// Proves DEL-66
it('stops reading from a client that sends requests and reads no answers', async () => {
  const socket = net.connect(port, '127.0.0.1');
  const one = request(`GET /api/serve/ads?z=${zone}`).replace('Connection: close', 'Connection: keep-alive');
  const line = Buffer.from(one.repeat(200));
  let stoppedReading = false;
  // The server stops reading, then the system's buffers fill up, and then a write no longer drains.
  for (let sent = 0; sent < 40_000_000 && !stoppedReading; sent += line.length) {
    const taken = socket.write(line) || (await drainedWithin(socket, 1000));
    stoppedReading = !taken;
  }
  expect(stoppedReading).toBe(true);
  await stillServes();
  socket.destroy();
});

/** Whether the socket drains within `ms`. */
async function drainedWithin(socket: net.Socket, ms: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    socket.once('drain', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

// Proves DEL-66
it('serves others while a thousand connections send nothing or one letter at a time, and closes those', async () => {
  const sockets = Array.from({ length: 1000 }, () => net.connect(port, '127.0.0.1'));
  const closed = sockets.map(
    async (socket) =>
      await new Promise((resolve) => {
        socket.on('error', () => {});
        socket.on('close', resolve);
        socket.resume();
      }),
  );
  const talk = sockets.slice(0, 600);
  for (const socket of talk.slice(0, 400)) socket.write('GET /api/serve/ads?z=a HTTP/1.1\r\nHost: ');
  const post = 'POST /api/serve/view/a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n';
  for (const socket of talk.slice(400)) socket.write(post);
  const dribble = setInterval(() => {
    for (const socket of talk) if (!socket.destroyed) socket.write('x');
  }, 500);
  for (let each = 0; each < 50; each++) await stillServes();
  await Promise.all(closed);
  clearInterval(dribble);
  expect(sockets.every((socket) => socket.destroyed)).toBe(true);
  await stillServes();
});
