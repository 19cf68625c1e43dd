/** The walls between the folders hold: every wrong import planted here is refused, every right one passes. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeEnvironment, root } from './node.mjs';

/** A project with our settings and packages and nothing else. */
let plot: string;

beforeAll(() => {
  plot = mkdtempSync(path.join(tmpdir(), 'openslot-walls-'));
  for (const file of ['package.json', 'tsconfig.base.json', 'tsconfig.json', '.oxlintrc.json']) {
    cpSync(path.join(root, file), path.join(plot, file));
  }
  for (const folder of ['domain', 'server', 'web', 'tag', 'e2e', 'scripts']) {
    mkdirSync(path.join(plot, folder));
    cpSync(path.join(root, folder, 'tsconfig.json'), path.join(plot, folder, 'tsconfig.json'));
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(plot, 'node_modules'));
});

afterAll(() => rmSync(plot, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(plot, file)), { recursive: true });
  writeFileSync(path.join(plot, file), text);
}

async function say(program: string, args: string[]): Promise<string> {
  return await new Promise((resolve) => {
    execFile(
      path.join(root, 'node_modules/.bin', program),
      args,
      { cwd: plot, env: nodeEnvironment() },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

describe('the linter', () => {
  const wrong: [file: string, imported: string][] = [
    ['domain/ads/a.ts', 'react'],
    ['domain/ads/b.ts', 'node:fs'],
    ['domain/ads/c.ts', 'zodiac'],
    ['domain/ads/d.ts', '#server/ads/review.ts'],
    ['domain/ads/e.ts', '#web/ads/api.ts'],
    ['domain/ads/f.ts', '../../server/ads/review.ts'],
    ['server/ads/a.ts', '#server/payments/store.ts'],
    ['server/ads/b.ts', '../payments/routes.ts'],
    ['server/ads/c.ts', '#server/payments/view.ts'],
    ['server/ads/deep/d.ts', '../../payments/store.ts'],
    ['server/ads/e.ts', '#web/ads/api.ts'],
    ['server/ads/f.test.ts', '#server/payments/store.ts'],
    ['server/testing/a.ts', '#server/payments/store.ts'],
    ['server/http/a.ts', '#server/accounts/sign-in.ts'],
    ['server/http/b.ts', '../ads/review.ts'],
    ['server/db/a.ts', '#server/ads/review.ts'],
    ['server/db/deep/b.ts', '../../ads/review.ts'],
    ['server/outside/a.ts', '../payments/pay.ts'],
    ['server/a.ts', '../web/ads/api.ts'],
    ['web/ads/a.tsx', '#web/payments/checkout.tsx'],
    ['web/ads/b.tsx', '../payments/checkout.tsx'],
    ['web/ads/c.tsx', '#web/pages/home.tsx'],
    ['web/ads/d.tsx', '../app/routes.ts'],
    ['web/ads/e.tsx', 'node:path'],
    ['web/ads/f.tsx', '../../tag/send.ts'],
    ['web/ads/g.tsx', '../../tag/request.ts'],
    ['web/ads/h.tsx', '../../server/ads/review.ts'],
    ['web/ui/a.tsx', '#web/ads/api.ts'],
    ['web/ui/b.tsx', '../pages/home.tsx'],
    ['web/ui/c.tsx', '#domain/ads/status.ts'],
    ['web/http/a.ts', '../ads/api.ts'],
    ['web/pages/a.tsx', '#web/app/routes.ts'],
    ['web/pages/b.tsx', '#server/ads/review.ts'],
    ['web/app/a.tsx', 'node:fs'],
    ['tag/a.ts', 'clsx'],
    ['tag/b.ts', '#domain/money.ts'],
    ['tag/c.ts', '#domain/ads/status.ts'],
    ['tag/d.ts', '#domain/delivery/contract.ts'],
    ['tag/e.ts', '../domain/delivery/wire.ts'],
    ['tag/f.ts', '#web/http/call.ts'],
  ];

  const right: [file: string, imported: string][] = [
    ['domain/ads/right.ts', 'zod'],
    ['domain/ads/right2.ts', '#domain/money.ts'],
    ['domain/ads/right3.ts', '../money.ts'],
    ['domain/ads/right4.ts', './status.ts'],
    ['domain/ads/right.test.ts', 'vitest'],
    ['server/ads/right.ts', './store.ts'],
    ['server/ads/deep/right.ts', '../store.ts'],
    ['server/ads/right2.ts', '#server/notifications/notify.ts'],
    ['server/ads/right3.ts', '#server/ads/viewable.ts'],
    ['server/ads/right4.ts', '#domain/ads/status.ts'],
    ['server/ads/right5.ts', 'kysely'],
    ['server/right.ts', './ads/routes.ts'],
    ['server/http/right.ts', '#domain/accounts/roles.ts'],
    ['web/ads/right.tsx', '#web/ui/button.tsx'],
    ['web/ads/right2.tsx', './dialog.tsx'],
    ['web/ads/right3.tsx', '#domain/ads/status.ts'],
    ['web/ads/right4.tsx', '../../tag/render.ts'],
    ['web/pages/right.tsx', '#web/ads/dialog.tsx'],
    ['web/http/right.ts', '#domain/endpoint.ts'],
    ['tag/right.ts', '#domain/delivery/wire.ts'],
    ['tag/right2.ts', './render.ts'],
  ];

  // Proves RUN-12
  it('refuses every wrong import and no right one', async () => {
    for (const [file, imported] of [...wrong, ...right]) plant(file, `export * from '${imported}';\n`);
    const report = JSON.parse(await say('oxlint', ['--format=json'])) as {
      diagnostics: { code: string; filename: string }[];
    };
    const refused = report.diagnostics.filter(({ code }) => code.includes('no-restricted-imports'));
    expect(refused.map(({ filename }) => filename).toSorted()).toEqual(
      wrong.map(([file]) => file).toSorted(),
    );
  });

  it('refuses circles, any, forgotten promises, and tests that are focused or switched off', async () => {
    plant('server/ads/one.ts', `import { two } from './two.ts';\nexport const one = () => two;\n`);
    plant('server/ads/two.ts', `import { one } from './one.ts';\nexport const two = () => one;\n`);
    plant('server/ads/loose.ts', `export function loose(value: any) {\n  Promise.resolve(value);\n}\n`);
    plant(
      'server/ads/focus.test.ts',
      `import { it } from 'vitest';\nit.only('a', () => {});\nit.skip('b', () => {});\n`,
    );
    const lint = await say('oxlint', ['--type-aware', '--format=unix', 'server/ads']);
    for (const rule of [
      'no-cycle',
      'no-explicit-any',
      'no-floating-promises',
      'no-focused-tests',
      'no-disabled-tests',
    ]) {
      expect(lint).toContain(rule);
    }
  });
});

describe('the compiler', () => {
  const plants: [file: string, text: string, refusal: string][] = [
    ['domain/clock.ts', 'export const env = process.env;\n', "error TS2591: Cannot find name 'process'"],
    ['domain/page.ts', 'export const page = document.title;\n', "error TS2584: Cannot find name 'document'"],
    ['domain/net.ts', "export const reply = fetch('/');\n", "error TS2304: Cannot find name 'fetch'"],
    [
      'server/window.ts',
      'export const page = document.title;\n',
      "error TS2584: Cannot find name 'document'",
    ],
    ['server/reach.ts', "export * from '#web/thing.ts';\n", 'error TS6307'],
    ['domain/reach.ts', "export * from '#server/thing.ts';\n", 'error TS6307'],
    ['web/reach.ts', "export * from '#server/thing.ts';\n", 'error TS6307'],
    ['web/node.ts', 'export const env = process.env;\n', "error TS2591: Cannot find name 'process'"],
    ['tag/node.ts', 'export const env = process.env;\n', "error TS2591: Cannot find name 'process'"],
    ['tag/reach.ts', "export * from '#web/thing.ts';\n", 'error TS6307'],
  ];

  // Proves RUN-12
  it('refuses what a folder must not know', async () => {
    plant('server/thing.ts', 'export const thing = 1;\n');
    plant('web/thing.ts', 'export const thing = 1;\n');
    for (const [file, text] of plants) plant(file, text);
    const lines = (await say('tsc', ['-b', 'domain', 'server', 'web', 'tag', '--pretty', 'false'])).split(
      '\n',
    );
    for (const [file, , refusal] of plants) {
      expect(lines.filter((line) => line.startsWith(`${file}(`)).join('\n')).toContain(refusal);
    }
  });
});

// Proves RUN-12
it('no rule of the domain looks at the clock or throws dice: both are arguments', () => {
  const files = readdirSync(path.join(root, 'domain'), { recursive: true, encoding: 'utf8' });
  const rules = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(rules.length).toBeGreaterThan(0);
  const guilty = rules.filter((file) =>
    /new Date\(\)|Date\.now\(|Math\.random\(|randomUUID\(/.test(
      readFileSync(path.join(root, 'domain', file), 'utf8'),
    ),
  );
  expect(guilty).toEqual([]);
});
