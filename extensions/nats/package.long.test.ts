/** Packages of the product without and with this extension. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../../server/platform/database/embedded/process.ts';
import { createTestDatabase } from '../../server/testing/database/database.ts';
import { newTemporaryFolder, removeFolder } from '../../server/testing/temporary.ts';

const root = path.resolve(import.meta.dirname, '../..');
const execute = promisify(execFile);

it.each([
  { added: [], has: false, says: /need the extension nats, whose packages are not installed/ },
  { added: ['--with', 'nats'], has: true, says: /EVENT_LOG_URL cannot be used: / },
])('a package that was made with %o has the extension, or says that it is missing', async (each) => {
  const folder = newTemporaryFolder('package');
  const database = await createTestDatabase();
  try {
    const tree = path.join(folder, 'tree');
    await execute(process.execPath, ['scripts/tool.mjs', 'package', '--to', tree, ...each.added], {
      cwd: root,
    });
    for (const name of ['extension.js', 'README.md', 'nats.conf', 'node_modules/@nats-io/jetstream'])
      expect([name, existsSync(path.join(tree, 'extensions/nats', name))]).toEqual([name, each.has]);
    expect(existsSync(path.join(tree, 'node_modules/@nats-io'))).toBe(false);

    const child = spawn(path.join(tree, 'bin/openslot-server'), {
      env: {
        DATA_DIR: path.join(folder, 'data'),
        DATABASE_URL: database.url,
        DATABASE_OWNER_URL: database.ownerUrl,
        PORT: String(await freePort()),
        SAMPLE_DATA: '0',
        EVENT_LOG_URL: 'nats://127.0.0.1:1',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output).toMatch(each.says);
  } finally {
    await database.drop();
    removeFolder(folder);
  }
});
