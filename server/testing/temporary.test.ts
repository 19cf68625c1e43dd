import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { folderOfCheckout, newTemporaryFolder, sweepTemporaryFolders } from './temporary.ts';

it('deletes the folders of processes that ended and of checkouts that are gone, and keeps all others', async () => {
  const own = newTemporaryFolder('own');
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const left = own.replace(String(process.pid), String(child.pid));
  renameSync(newTemporaryFolder('own'), left);
  const checkout = folderOfCheckout(own);
  const gone = folderOfCheckout(`${own}/gone`);
  // A fleet that is killed leaves its disks. Accounts that may not mount have none.
  mkdirSync(path.join(left, 'disk'));
  spawnSync('mount', ['-t', 'tmpfs', 'openslot', path.join(left, 'disk')]);
  sweepTemporaryFolders();
  expect([own, checkout, left, gone].map((folder) => existsSync(folder))).toEqual([true, true, false, false]);
  for (const folder of [own, checkout]) rmSync(folder, { recursive: true });
});
