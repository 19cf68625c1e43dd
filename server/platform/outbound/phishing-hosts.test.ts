import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConfigError } from '../settings/kinds.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { createPhishingHosts } from './phishing-hosts.ts';

let dataDir: string;
let warnings: string[];
beforeEach(() => {
  dataDir = newTemporaryFolder('data');
  warnings = [];
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const log = { info: () => {}, warn: (_: unknown, text?: string) => void warnings.push(text ?? '') };

async function started(phishingHostsFile?: string) {
  const hosts = createPhishingHosts({ phishingHostsFile, dataDir }, log);
  await hosts.start();
  hosts.stop();
  return hosts;
}

// Proves DEST-07
it('lists hosts with all that belong to them, in every spelling, and nothing without a file', async () => {
  expect((await started()).has('bank.example')).toBe(false);
  writeFileSync(
    path.join(dataDir, 'phishing-hosts.txt'),
    gzipSync('# ours\nBank.example # a bank\r\n0.0.0.0 other.example\n\nbücher.example\n'),
  );
  const hosts = await started();
  const listed = [
    'bank.example',
    'www.bank.example',
    'a.b.bank.example:8080',
    'other.example',
    'xn--bcher-kva.example',
  ];
  for (const host of listed) expect([host, hosts.has(host)]).toEqual([host, true]);
  for (const host of ['example', 'ank.example', 'mybank.example', '0.0.0.0', '[::1]:80', ''])
    expect([host, hosts.has(host)]).toEqual([host, false]);
});

// Proves DEST-07
it('reads a changed list, keeps the previous one if it is unusable, and says that it has changed', async () => {
  const file = path.join(dataDir, 'mine');
  writeFileSync(file, 'bank.example\n');
  const hosts = await started(file);
  expect([hosts.takeChange(), hosts.takeChange()]).toEqual([true, false]);
  writeFileSync(file, 'https://shop.example/login\n');
  await hosts.reload();
  expect([hosts.has('bank.example'), hosts.takeChange(), warnings.length]).toEqual([true, false, 1]);
  writeFileSync(file, 'shop.example\n');
  await hosts.reload();
  expect([hosts.has('bank.example'), hosts.has('shop.example'), hosts.takeChange()]).toEqual([
    false,
    true,
    true,
  ]);
});

// Proves DEST-07
it('refuses to start with an unusable list and names the setting', async () => {
  const file = path.join(dataDir, 'mine');
  const refusal = async () => await started(file).catch((error: unknown) => error);
  expect(await refusal()).toBeInstanceOf(ConfigError);
  writeFileSync(file, 'bank.example\nno host\n');
  expect(((await refusal()) as Error).message).toBe(
    'PHISHING_HOSTS_FILE cannot be used: Line 2 is not a host: no host. Fix the file or delete it.',
  );
});
