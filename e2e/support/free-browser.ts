/**
 * A browser without remote control. Under remote control, Chromium neither prerenders pages nor keeps them in the
 * back-forward cache. The test's pages navigate by themselves, and their requests to the host show what happened.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findBrowser } from '../../scripts/browser.ts';

export type FreeBrowser = { close: () => Promise<void> };

export async function openFreeBrowser(address: string): Promise<FreeBrowser> {
  const { executablePath, env } = await findBrowser();
  const profile = await mkdtemp(path.join(tmpdir(), 'openslot-browser-'));
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--remote-debugging-port=0',
  ];
  const browser = spawn(executablePath, [...flags, `--user-data-dir=${profile}`, address], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const closed = new Promise((resolve) => browser.once('close', resolve));
  return {
    close: async () => {
      browser.kill('SIGKILL');
      await closed;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
