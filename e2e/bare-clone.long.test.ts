import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { SAMPLE_ACCOUNTS } from '../server/app/sample/sample-data.ts';
import { Client } from '../server/testing/client.ts';
import { ready } from '../server/testing/server-process.ts';
import { enterBrowser, leaveBrowser } from './support/browser.ts';
import { signIn } from './support/forms.ts';
import { assertNoErrors } from './support/people.ts';
import { createEntrance, leave } from './support/person.ts';

const root = path.resolve(import.meta.dirname, '..');
let clone: string;
const started: ChildProcess[] = [];

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
  // After a failed test something may still run.
  for (const { pid, exitCode, signalCode } of started)
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
  rmSync(clone, { recursive: true, force: true });
});

it('npm start in a bare clone installs, builds and serves with working sample accounts, and Ctrl-C ends it', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, ended, output } = npm(['start'], port);
  await ready({ child, output }, url);

  // The first page already knows the sample accounts.
  expect(await (await fetch(url)).text()).toContain('"hasAccounts":true');
  for (const { email } of SAMPLE_ACCOUNTS) {
    const login = await new Client(url).post('/api/auth/login', { email, password: SAMPLE_PASSWORD });
    expect([email, login.status]).toEqual([email, 200]);
    expect(output()).toContain(email);
  }
  expect((await new Client(url).get('/')).text).toContain('<div id="root">');
  expect(output()).toContain(url);
  const mailbox = /Read it at (\S+)/.exec(output())?.[1] ?? '';
  expect(mailbox).toMatch(new RegExp(`^${url}/dev/mail\\?key=[\\w-]{32}$`));
  expect((await fetch(mailbox)).status).toBe(200);
  expect((await fetch(mailbox.slice(0, -1))).status).toBe(403);

  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

it('npm run dev serves the web application from its source, and a changed component replaces itself in the open page', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { child, ended, output } = npm(['run', 'dev'], port);
  await ready({ child, output }, url);
  const browser = await enterBrowser();
  const person = await createEntrance(browser, url)();
  const { page } = person;
  const said: string[] = [];
  page.on('console', (message) => message.type() === 'error' && said.push(message.text()));

  // A visitor signs in, and a reload shows the same user, because the document says that there is a session.
  await page.goto('/auth');
  await signIn(page, String(SAMPLE_ACCOUNTS[0]?.email), SAMPLE_PASSWORD);
  await page.getByText('Welcome back, ').waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Quick Actions' }).waitFor();
  const component = path.join(clone, 'web/pages/home.tsx');
  const text = readFileSync(component, 'utf8');
  let saves = 0;
  // On a busy machine, Vite may not watch the folder yet, and it reloads the page once when it has found packages that it had
  // not prepared. Save again then, as a developer would.
  const isReplaced = async () => {
    const heading = `Changed Actions ${(saves += 1)}`;
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    writeFileSync(component, text.replace('Quick Actions', heading));
    await page.getByRole('heading', { name: heading }).waitFor({ timeout: 60_000 });
    return await page.evaluate(() => Reflect.get(window, 'isSameDocument'));
  };
  await expect.poll(isReplaced, { timeout: 120_000 }).toBe(true);

  // Vite serves what the application imports, and nothing else of the folder, such as the server's data.
  expect((await fetch(`${url}/@fs${clone}/domain/money.ts`)).status).toBe(200);
  for (const file of ['package.json', 'data/session-secret', 'server/main.ts'])
    expect([file, (await fetch(`${url}/@fs${clone}/${file}`)).status]).toEqual([file, 403]);

  // The pages that the server makes are there as always.
  const mailbox = /Read it at (\S+)/.exec(output())?.[1] ?? '';
  await page.goto(mailbox);
  await page.getByRole('heading', { name: 'Development mail' }).waitFor();
  // The gallery shows screens without their data. The mailbox has left its key in the browser.
  await page.goto('/dev/gallery');
  const screen = page.getByRole('listitem').filter({ hasText: 'settings, notifications' });
  await screen.getByRole('link', { name: 'an error', exact: true }).click();
  await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  said.splice(0, said.length, ...said.filter((error) => !error.startsWith('Loading failed')));
  expect(said).toEqual([]);
  assertNoErrors(person);
  await leave(page);
  await leaveBrowser(browser);

  process.kill(-(child.pid ?? 0), 'SIGINT');
  await ended;
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});

/** Runs npm in the clone as a newcomer does, with the Node and npm of the machine. */
function npm(args: string[], port: number) {
  const PATH = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(path.delimiter);
  const child = spawn('npm', args, {
    cwd: clone,
    env: {
      PATH,
      HOME: process.env['HOME'],
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      // The packages are in npm's cache since they were installed for these tests.
      npm_config_prefer_offline: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that the test can interrupt all of it, as a terminal does on Ctrl-C.
    detached: true,
  });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { child, ended: once(child, 'exit'), output: () => output };
}
