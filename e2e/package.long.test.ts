import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { notifyServiceManager } from '../server/platform/net/service-manager.ts';
import { RELEASE } from '../server/platform/settings/release.ts';
import { SAMPLE_ACCOUNTS } from '../server/app/sample/sample-data.ts';
import { Client } from '../server/testing/client.ts';
import { textOfPdf } from '../server/testing/pdf.ts';
import { ready } from '../server/testing/server-process.ts';

const root = path.resolve(import.meta.dirname, '..');
const execute = promisify(execFile);

/** An ordinary account, whoever runs the tests. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
/** The programs that send states of a service, and listen to them. */
const canListen = existsSync('/usr/bin/systemd-notify') && existsSync('/usr/bin/perl');
let home: string;
let tree: string;
let port: number;
const started = new Set<() => void>();

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'openslot-package-'));
  chmodSync(home, 0o755);
  tree = path.join(home, 'tree');
  port = await freePort();
});
afterAll(() => {
  for (const end of started) end();
  if (!isRoot) setWritable(true);
  rmSync(home, { recursive: true, force: true });
});

/** Only the owner of the tree needs this, because root gives it to another account. */
function setWritable(isWritable: boolean): void {
  for (const entry of ['.', ...readdirSync(tree, { recursive: true, encoding: 'utf8' })]) {
    const file = path.join(tree, entry);
    if (statSync(file).isDirectory()) chmodSync(file, isWritable ? 0o755 : 0o555);
  }
}

/**
 * Names and times of what a server of the checkout runs from. The time of node_modules is not among them, because other tests
 * make folders of their own there meanwhile, such as .vite-temp.
 */
const checkout = () => [
  ...['dist', 'dist/web', 'dist/tag', 'dist/.web', 'dist/.tag', 'node_modules/.package-lock.json'].map(
    (name) => [name, statSync(path.join(root, name)).mtimeMs],
  ),
  readdirSync(path.join(root, 'node_modules')).filter((name) => !name.startsWith('.')),
];

/** A program of the tree under the ordinary account, with an empty PATH, in a folder that it cannot write to. */
function runInTree(program: string, args: string[], settings: Record<string, string>) {
  const child = spawn(path.join(tree, 'bin', program), args, {
    ...account,
    cwd: '/',
    env: { PATH: '', TMPDIR: '/nonexistent', HOME: '/nonexistent', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  started.add(() => child.kill('SIGKILL'));
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const LISTENER = String.raw`
use Socket; $| = 1; umask 0; my $name = $ARGV[0]; $name =~ s/^@/\0/;
socket(S, AF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($name)) or die $!;
print "listening\n"; while (defined recv(S, my $text, 4096, 0)) { print "$text\n" }`;

/** Listens to states like systemd, at a path or an abstract name. */
async function listen(socket: string): Promise<() => string> {
  const child = spawn('/usr/bin/perl', ['-e', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.add(() => child.kill('SIGKILL'));
  let heard = '';
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
  });
  await expect.poll(() => heard).toBe('listening\n');
  return () => heard;
}

it('the tool package makes a tree of at most 350 MB without tests and build tools, replaces no other folder, and leaves packages and builds of the checkout', async () => {
  const before = checkout();
  await execute(process.execPath, ['scripts/tool.mjs', 'package', '--to', tree], { cwd: root });
  expect(checkout()).toEqual(before);

  expect(readFileSync(path.join(tree, 'RELEASE'), 'utf8')).toBe(`${RELEASE}\n`);
  expect(readdirSync(path.join(tree, 'bin'))).toEqual(['openslot', 'openslot-server']);
  expect(readdirSync(path.join(tree, 'deploy'))).toEqual(readdirSync(path.join(root, 'deploy')));
  const { stdout } = await execute('du', ['-sm', tree]);
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(350);
  const packages = readdirSync(path.join(tree, 'node_modules'));
  expect(packages.filter((name) => ['vite', 'vitest', 'typescript', 'lucide-react'].includes(name))).toEqual(
    [],
  );
  const code = readdirSync(path.join(tree, 'server'), { recursive: true, encoding: 'utf8' });
  expect(code.filter((name) => /\.ts$|^testing|\.test\./.test(name))).toEqual([]);
  if (!isRoot) setWritable(false);

  // A folder that is no package is not replaced.
  const other = path.join(home, 'other');
  mkdirSync(path.join(other, 'photographs'), { recursive: true });
  await expect(
    execute(process.execPath, ['scripts/package.mjs', '--to', other], { cwd: root }),
  ).rejects.toThrow(`${other} is not empty and holds no package`);
});

it('the package runs as an ordinary account with an empty PATH, writes only to DATA_DIR, and tells systemd', async () => {
  const data = path.join(home, 'data');
  mkdirSync(data);
  if (isRoot) await execute('chown', [String(NOBODY), data]);
  const url = `http://127.0.0.1:${port}`;
  const socket = path.join(home, 'notify');
  const heard = canListen ? await listen(socket) : null;
  const settings = { DATA_DIR: data, PORT: String(port), PUBLIC_URL: url };
  const server = runInTree('openslot-server', [], { ...settings, ...(heard && { NOTIFY_SOCKET: socket }) });
  await ready(server, url);

  // The sample data has images, so the decoders have run.
  const advertiser = new Client(url);
  const login = await advertiser.post('/api/auth/login', {
    email: SAMPLE_ACCOUNTS[1]?.email,
    password: SAMPLE_PASSWORD,
  });
  expect(login.status).toBe(200);
  // The fonts are in the tree.
  const [receipt] = (await advertiser.get('/api/documents')).body;
  const pdf = await fetch(`${url}/api/documents/${receipt.number}.pdf`, {
    headers: { cookie: advertiser.cookie },
  });
  expect(await textOfPdf(await pdf.arrayBuffer())).toContain(receipt.number);
  expect((await new Client(url).get('/')).text).toContain('<div id="root">');
  expect((await fetch(`${url}/api/serve/landing.js`)).status).toBe(200);
  if (heard) await expect.poll(heard).toContain('READY=1');
  // The machine need not have this library.
  expect(readFileSync(`/proc/${server.child.pid}/maps`, 'utf8')).toContain(
    path.join(tree, 'lib/libatomic.so.1'),
  );

  const version = runInTree('openslot', ['--version'], settings);
  expect([await version.ended, version.output()]).toEqual([0, `${RELEASE}\n`]);
  const users = runInTree('openslot', ['mail', 'list', '--json'], settings);
  expect([await users.ended, users.output()]).toEqual([0, expect.stringContaining('{')]);

  if (heard) expect(heard()).not.toContain('STOPPING=1');
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  if (heard) await expect.poll(heard).toContain('STOPPING=1');
});

it.skipIf(!canListen)(
  'a service manager with an abstract socket hears the states, and a missing one is logged',
  async () => {
    const socket = `@openslot-${process.pid}`;
    const heard = await listen(socket);
    const warn = vi.fn<(sentence: string) => void>();
    notifyServiceManager(socket, 'READY=1', warn);
    await expect.poll(heard).toContain('READY=1');
    expect(warn).not.toHaveBeenCalled();

    notifyServiceManager('/nonexistent/socket', 'READY=1', warn);
    await expect
      .poll(() => warn.mock.calls.flat().join('\n'))
      .toContain('READY=1 was not sent to NOTIFY_SOCKET');
  },
);

it.skipIf(!isRoot)('an account without a name is told what the built-in database needs', async () => {
  const data = path.join(home, 'nameless');
  mkdirSync(data);
  await execute('chown', ['54321', data]);
  const program = path.join(tree, 'bin/openslot-server');
  const started = execute(program, [], {
    uid: 54_321,
    gid: 54_321,
    cwd: '/',
    env: { PATH: '', DATA_DIR: data, PORT: '0' },
  });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(uid 54321) has no name. Create the account'),
  });
});

it('deploy/ has a container of user 10001, a compose file with a read-only server, and a unit with Type=notify', () => {
  const deploy = (name: string) => readFileSync(path.join(root, 'deploy', name), 'utf8');
  expect(deploy('Containerfile')).toMatch(/^USER 10001$/m);
  const [, server = ''] = /^ {2}server:\n((?: {4}.*\n|\n)+)/m.exec(deploy('compose.yaml')) ?? [];
  expect(server).toContain('read_only: true');
  expect(deploy('compose.yaml')).toMatch(/^ {2}postgres:$[^]*^ {2}caddy:$/m);
  expect(deploy('openslot.service')).toMatch(/^Type=notify$/m);
});
