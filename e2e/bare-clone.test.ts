import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../server/db/free-port.ts';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { SAMPLE_ACCOUNTS } from '../server/sample/sample-data.ts';
import { Client } from '../server/testing/client.ts';
import { ready } from '../server/testing/server-process.ts';

const root = path.resolve(import.meta.dirname, '..');
let clone: string;

beforeAll(() => {
  clone = mkdtempSync(path.join(os.tmpdir(), 'openslot-clone-'));
  // Copy the files that a clone of this working tree would have: no packages, builds or data.
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.trim().split('\n')) {
    cpSync(path.join(root, file), path.join(clone, file), { force: true });
  }
});
afterAll(() => {
  rmSync(clone, { recursive: true, force: true });
});

// Proves RUN-01
it('npm start in a bare clone installs, builds and serves with working sample accounts, and Ctrl-C ends it', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // Use the Node and npm of the machine, as a newcomer does.
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(path.delimiter);
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      PATH,
      HOME: process.env['HOME'],
      PORT: String(port),
      PUBLIC_URL: url,
      // The packages are in npm's cache since they were installed for these tests.
      npm_config_prefer_offline: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that the test can interrupt all of it, as a terminal does on Ctrl-C.
    detached: true,
  });
  const ended = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await ready({ child, output: () => output }, url);

  for (const { email } of SAMPLE_ACCOUNTS) {
    const login = await new Client(url).post('/api/auth/login', { email, password: SAMPLE_PASSWORD });
    expect([email, login.status]).toEqual([email, 200]);
    expect(output).toContain(email);
  }
  expect((await new Client(url).get('/')).text).toContain('<div id="root">');
  expect(output).toContain(url);
  const mailbox = /Read it at (\S+)/.exec(output)?.[1] ?? '';
  expect(mailbox).toMatch(new RegExp(`^${url}/dev/mail\\?key=[\\w-]{32}$`));
  expect((await fetch(mailbox)).status).toBe(200);
  expect((await fetch(mailbox.slice(0, -1))).status).toBe(403);

  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
