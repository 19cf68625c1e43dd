/** What no browser and no tag of ours sends: refused cheaply, with an answer or a closed connection, and never a 5xx. */
import net from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdServerTest, makePlace, makeRunningAd, startAdServerTest } from '../testing/delivery.ts';

let server: AdServerTest;
let port: number;
let zone: string;
beforeAll(async () => {
  server = await startAdServerTest();
  port = Number(new URL(server.url).port);
  const place = await makePlace(server.ctx);
  zone = place.zone;
  await makeRunningAd(server.ctx, place.zoneId);
  await server.app.refreshDelivery();
});
afterAll(async () => await server.close());

/** Everything a connection is answered until the server closes it. */
async function answerTo(...parts: (string | Buffer)[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  // What is written after the server has closed is an error here, and no matter.
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

describe('DEL-66 a request that cannot be meant is refused with the status that says why', () => {
  const many = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index));
  const refused: [name: string, expected: number[], ...parts: (string | Buffer)[]][] = [
    ['an address of 10 kB', [414], ads(`z=${'a'.repeat(10_000)}`)],
    ['an address of 20 kB', [431], ads(`z=${'a'.repeat(20_000)}`)],
    ['3,000 headers', [431], ads('z=a', ...many(3000, (index) => `X-${index}: y`))],
    ['one header of 100 kB', [431], ads('z=a', `X-Long: ${'y'.repeat(100_000)}`)],
    ['a body of 1 MB', [413], view('a', `Content-Length: ${MEGABYTE}`), Buffer.alloc(MEGABYTE)],
    [
      'a small body that does not come',
      [400],
      'POST /api/serve/view/a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab',
    ],
    ['a body of 1 MB that does not come', [413], view('a', `Content-Length: ${MEGABYTE}`)],
    [
      'a body of 1 MB in chunks',
      [413],
      view('a', 'Transfer-Encoding: chunked'),
      'F4240\r\n',
      Buffer.alloc(MEGABYTE),
    ],
    ['a body with a question', [413], ads('z=a', `Content-Length: ${MEGABYTE}`), Buffer.alloc(MEGABYTE)],
    ['two lengths', [400], view('a', 'Content-Length: 0', 'Content-Length: 5')],
    ['a length and chunks', [400], view('a', 'Content-Length: 5', 'Transfer-Encoding: chunked'), '0\r\n\r\n'],
    ['a negative length', [400], view('a', 'Content-Length: -5')],
    ['no request at all', [400], '\0\u0001\u0002 garbage\r\n\r\n'],
    ['a zero byte in the address', [400], ads('z=\0')],
    ['bytes beyond ASCII in a token', [400], view('é'.repeat(66))],
    ['a token of zero bytes', [400], view('%00'.repeat(66))],
    ['a token of broken escapes', [400], view('%zz%E0%A4%A')],
    ['a token of 2 kB', [400], view('A'.repeat(2000))],
    ['no zone', [400], ads('')],
    ['an empty list', [400], ads('z=')],
    ['21 zones', [400], ads(`z=${many(21, () => zone).join(',')}`)],
    ['no Host', [400], 'GET /api/serve/ads?z=a HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an expectation nobody has', [417], view('a', 'Expect: tea')],
    ['POST for ads', [405], request('POST /api/serve/ads?z=a', 'Content-Length: 0')],
    ['PUT of a view', [405], request('PUT /api/serve/view/a', 'Content-Length: 0')],
    ['DELETE of a click', [405], request('DELETE /api/serve/click/a')],
    ['TRACE', [405], request('TRACE /api/serve/zone/a')],
    ['a path of ours that is none', [404], request('GET /api/serve/everything')],
    ['a creative with a broken name', [404], request('GET /m/%zz%E0%A4%A')],
    ['a creative from elsewhere', [404], request('GET /m/../../../../etc/passwd')],
    ['a reason for no ad', [404], request('GET /api/serve/why/%00')],
    [
      'garbage behind a request',
      [200, 400],
      'GET /api/serve/ads?z=a HTTP/1.1\r\nHost: x\r\n\r\nBLAH BLAH\r\n\r\n',
    ],
  ];
  it.each(refused)('%s', async (_, expected, ...parts) => {
    expect(statuses(await answerTo(...parts))).toEqual(expected);
    await stillServes();
  });
});

describe('DEL-66 DEL-10 what is merely odd is answered like anything else', () => {
  const odd: [name: string, part: string | Buffer][] = [
    ['an unknown zone', ads('z=nothing')],
    ['names that objects have', ads('z=__proto__,constructor,toString')],
    ['broken escapes', ads('z=%zz%E0%A4%A')],
    ['an escaped zero byte', ads('z=%00')],
    ['the same question four hundred times', ads('z=a&'.repeat(400))],
    ['an origin that is none', ads('z=a', 'Origin: http://[::1:bad')],
    ['an origin of 10 kB', ads('z=a', `Origin: http://${':'.repeat(10_000)}`)],
    ['a browser of 10 kB', ads('z=a', `User-Agent: ${'x'.repeat(10_000)}`)],
    ['headers beyond ASCII', Buffer.from(ads('z=a', 'Origin: \xff\xfe', 'User-Agent: \xff'), 'latin1')],
    ['a protocol it may change to', ads('z=a', 'Upgrade: h2c')],
    ['HTTP/1.0', 'GET /api/serve/ads?z=a HTTP/1.0\r\n\r\n'],
  ];
  it.each(odd)('%s', async (_, part) => {
    const answer = await answerTo(part);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain('"kind":"none"');
  });
});

it('DEL-66 whatever an address, its query, method and headers are made of, it is answered, and never with a 5xx', async () => {
  const { view, click } = await server.offer(zone);
  const tokens = [view, click].map((address) => address.slice(address.lastIndexOf('/') + 1));
  // Header values are any bytes but line ends and zero; the rest must get past the parser to be of interest.
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

it('DEL-66 of ten thousand zones that nobody has, nothing is kept', async () => {
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

it('DEL-66 who asks without end and reads no answer is not listened to further', async () => {
  const socket = net.connect(port, '127.0.0.1');
  const one = request(`GET /api/serve/ads?z=${zone}`).replace('Connection: close', 'Connection: keep-alive');
  const line = Buffer.from(one.repeat(200));
  let refusedMore = false;
  // The server stops reading, then the system's buffers fill, then nothing more is taken.
  for (let sent = 0; sent < 40_000_000 && !refusedMore; sent += line.length) {
    const taken = socket.write(line) || (await drainedWithin(socket, 1000));
    refusedMore = !taken;
  }
  expect(refusedMore).toBe(true);
  await stillServes();
  socket.destroy();
});

/** Whether the other side took what waits, before it has been quiet for so long. */
async function drainedWithin(socket: net.Socket, ms: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    socket.once('drain', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

it('DEL-66 a thousand connections that say nothing, or a letter at a time, keep nobody out and are closed', async () => {
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
