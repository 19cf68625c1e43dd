/** The feed that names the newest release. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getConsoleNotices } from '#domain/operator/console/session-contract.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { diagnose } from '#server/operator/command-line/doctor.ts';
import { ConfigError } from '#server/platform/settings/kinds.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import { confirmOperator, makeOperator, type TestOperator } from '#server/testing/operator.ts';
import { SESSION_SECRET } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { readUpdateFeed } from './update-feed.ts';

const server = useOwnServer();
let desk: TestOperator;
let feed: http.Server;
let address: string;
let reply: { status?: number; headers?: Record<string, string>; text: string };
let asked: string[] = [];

const NEWER = JSON.stringify({ version: '99.1.0', url: 'https://openslot.example/99.1.0', more: true });

beforeAll(async () => {
  desk = await makeOperator(server);
  feed = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.text);
  });
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/newest.json`;
});
afterAll(() => feed.close());

beforeEach(async () => {
  asked = [];
  reply = { text: NEWER };
  server.ctx.config.updateFeed = address;
  await server.owner.deleteFrom('updateFeed').execute();
});

const row = async () => await server.ctx.db.selectFrom('updateFeed').selectAll().executeTakeFirst();
/** The line of the doctor, if there is one. */
async function doctor(): Promise<string | undefined> {
  const env = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PUBLIC_URL: server.url,
    SESSION_SECRET,
    ...(server.ctx.config.updateFeed !== undefined && { UPDATE_FEED: server.ctx.config.updateFeed }),
  };
  const line = (await diagnose(env, () => new Date())).find(({ check }) => check === 'update');
  return line && `${line.state} ${line.text}`;
}
async function notice() {
  await confirmOperator(server, desk);
  const { body } = await desk.client.get('/api/operator/notices');
  return getConsoleNotices.reply.parse(body).update;
}

it('without the setting, nothing is asked and nothing is said', async () => {
  server.ctx.config.updateFeed = undefined;
  await readUpdateFeed(server.ctx);
  expect([asked, await row(), await doctor(), await notice()]).toEqual([[], undefined, undefined, undefined]);
});

it('the doctor and the console say that a newer release is out', async () => {
  expect(await doctor()).toMatch(/^ok UPDATE_FEED is read within a minute/);
  await readUpdateFeed(server.ctx);
  const text = `Openslot 99.1.0 is out, and this is ${RELEASE}.`;
  expect(await doctor()).toBe(`warn ${text} Read https://openslot.example/99.1.0`);
  expect(await notice()).toEqual({ text, url: 'https://openslot.example/99.1.0' });
  expect(asked).toEqual(['GET /newest.json']);
});

it.each([RELEASE, '0.0.1'])('release %s is no news', async (version) => {
  reply = { text: JSON.stringify({ version, url: 'https://openslot.example' }) };
  await readUpdateFeed(server.ctx);
  expect([await doctor(), await notice()]).toEqual([`ok ${RELEASE} is the newest release.`, undefined]);
});

it('is read once a day, after a failure once an hour, and at once at another address', async () => {
  const times = async (ms: number) => {
    server.clock.advance(ms);
    await readUpdateFeed(server.ctx);
    return asked.length;
  };
  expect(await times(0)).toBe(1);
  expect(await times(DAY_MS - 60_000)).toBe(1);
  reply = { status: 503, text: '' };
  expect(await times(60_000)).toBe(2);
  // What it said before stays true.
  expect(await doctor()).toMatch(/^warn Openslot 99.1.0 is out/);
  expect(await times(HOUR_MS - 60_000)).toBe(2);
  expect(await times(60_000)).toBe(3);
  server.ctx.config.updateFeed = `${address}?other`;
  expect(await times(0)).toBe(4);
  expect(await doctor()).toBe('warn UPDATE_FEED can’t be read: The address answers with status 503.');
});

it.each([
  ['no JSON', { text: '<html>' }, 'The answer is not JSON'],
  ['another JSON', { text: '[]' }, 'The answer is not JSON'],
  ['no release', { text: '{"version":"newest","url":"https://a.example"}' }, 'The answer is not JSON'],
  [
    'a link that is none',
    { text: '{"version":"9.0.0","url":"javascript:alert(1)"}' },
    'The answer is not JSON',
  ],
  [
    'too much',
    { text: `{"version":"9.0.0","url":"https://a.example","x":"${'x'.repeat(70_000)}"}` },
    'too large',
  ],
  ['a missing file', { status: 404, text: '' }, 'status 404'],
  [
    'another kind of address',
    { status: 302, headers: { location: 'ftp://a.example' }, text: '' },
    'redirects',
  ],
] as const)('an answer that is %s is a warning of the doctor, and no failed job', async (_, answer, says) => {
  reply = answer;
  await readUpdateFeed(server.ctx);
  expect(await doctor()).toMatch(new RegExp(`^warn UPDATE_FEED can’t be read: .*${says}`));
  expect(await notice()).toBeUndefined();
});

// SSRF: OWASP ASVS 5.0, 1.3.6
it('a feed on the internet does not lead into the network of the server, but a mirror may lead on', async () => {
  const inside = address.replace('newest', 'inside');
  reply = { status: 302, headers: { location: inside }, text: '' };
  const lookup: typeof server.ctx.names.lookup = (_name, options, answer) =>
    options.all ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : answer(null, '127.0.0.1', 4);
  server.ctx.config.updateFeed = address.replace('127.0.0.1', 'feed.example.com');
  await readUpdateFeed({ ...server.ctx, names: { ...server.ctx.names, lookup } });
  expect(asked).toEqual(['GET /newest.json']);
  expect((await row())?.problem).toMatch(/^The address redirects to another website/);
  server.ctx.config.updateFeed = address;
  await readUpdateFeed(server.ctx);
  expect(asked.slice(1, 3)).toEqual(['GET /newest.json', 'GET /inside.json']);
});

it('a host that does not answer is a warning as well', async () => {
  server.ctx.config.updateFeed = 'http://127.0.0.1:1/newest.json';
  await readUpdateFeed(server.ctx);
  expect(await doctor()).toMatch(/^warn UPDATE_FEED can’t be read: We couldn’t reach/);
});

it('the setting takes an https address only, or one of this machine', () => {
  for (const text of ['https://a.example/x.json', 'http://127.0.0.1:1/x'])
    expect(readConfig({ UPDATE_FEED: text }).updateFeed).toBe(text);
  for (const text of ['http://a.example/x.json', 'a.example', 'ftp://a.example'])
    expect(() => readConfig({ UPDATE_FEED: text })).toThrow(ConfigError);
});
