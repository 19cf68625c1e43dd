/**
 * Writes server/db/tables.ts, the types of all tables, from a freshly migrated database. `--check` only compares.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startTestServer } from '../server/testing/postgres.ts';
import { nodeEnvironment, root } from './node.mjs';

const target = path.join(root, 'server', 'db', 'tables.ts');
const header = `/** The tables as the migrations make them. Generated: change a migration, then \`npm run tables\`. */\n`;

const wanted = await generate();
if (process.argv.includes('--check')) {
  const present = await readFile(target, 'utf8').catch(() => '');
  if (present !== wanted) {
    console.error('server/db/tables.ts is not what the migrations make: run `npm run tables` and commit it.');
    process.exitCode = 1;
  }
} else {
  await writeFile(target, wanted);
}

async function generate() {
  const server = await startTestServer();
  const dir = await mkdtemp(path.join(tmpdir(), 'openslot-tables-'));
  try {
    const database = new URL(server.url);
    database.pathname = `/${server.template}`;
    const file = path.join(dir, 'tables.ts');
    const cli = path.join(root, 'node_modules', 'kysely-codegen', 'dist', 'cli', 'bin.js');
    const source = ['--dialect', 'postgres', '--url', database.href, '--out-file', file, '--camel-case'];
    // The job queue keeps its tables in a schema of its own, which is its business.
    const schema = ['--default-schema', 'public', '--include-pattern', 'public.*'];
    // A calendar day stays the text it is (server/db/database.ts).
    const types = ['--date-parser', 'string'];
    const args = [cli, ...source, ...schema, ...types];
    await promisify(execFile)(process.execPath, args, { cwd: root, env: nodeEnvironment() });
    const generated = await readFile(file, 'utf8');
    return header + generated.replace(/^\/\*\*[\s\S]*?\*\/\s*/, '');
  } finally {
    await rm(dir, { recursive: true });
    await server.stop();
  }
}
