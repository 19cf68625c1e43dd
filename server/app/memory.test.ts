/** The memory of a server at rest. Its size is measured (docs/performance.md); what a start loads is tested here. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { EVENT_LOGS } from '#server/platform/extensions.ts';
import { createTestDatabase } from '#server/testing/database/database.ts';
import { ready, spawnServer } from '#server/testing/server-process.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';

/** The packages of the extensions. */
const ofExtensions = EVENT_LOGS.flatMap(({ folder }) => {
  const text = readFileSync(
    path.join(import.meta.dirname, `../../extensions/${folder}/package.json`),
    'utf8',
  );
  return Object.keys((JSON.parse(text) as { dependencies: object }).dependencies);
});
/** Packages that only some acts or settings need. */
const LATER = [
  ...ofExtensions,
  '@simplewebauthn/server',
  'fontkit',
  'htmlparser2',
  'mediabunny',
  'nodemailer',
  'pdfkit',
  'sharp',
  'stripe',
  'vite',
];
/** Makes Node print the package of each module that it finds. */
const PRINT_PACKAGES = `import { registerHooks } from 'node:module';
registerHooks({ resolve(name, context, next) {
  const found = next(name, context);
  const inside = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url)?.[1];
  if (inside) console.log('package=' + inside + ';');
  return found;
} });`;

it('a started server in production has loaded no package that only some acts need', async () => {
  const dataDir = newTemporaryFolder('data');
  const database = await createTestDatabase();
  const port = await freePort();
  const server = spawnServer({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PRINT_PACKAGES)}`,
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: dataDir,
    PORT: String(port),
    PUBLIC_URL: 'https://ads.example.com',
    SESSION_SECRET: 'a secret of the test with 32 characters',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
  });
  try {
    await ready(server, `http://127.0.0.1:${port}`);
    const loaded = new Set([...server.output().matchAll(/package=([^;]+);/g)].map(([, name]) => name));
    expect(loaded).toContain('fastify');
    expect(LATER).toEqual(expect.arrayContaining(['stripe', ...ofExtensions]));
    expect(LATER.filter((name) => loaded.has(name))).toEqual([]);
  } finally {
    await server.stop('SIGKILL');
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
