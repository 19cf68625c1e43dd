/**
 * Plants imports in a copy of the project. The linter and the compiler must refuse the wrong ones and accept the right
 * ones.
 */
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
import { foldersOf, HOUSES } from './rooms.ts';

/** A project that has only our settings, folders and packages. */
let project: string;

beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'openslot-walls-'));
  for (const file of ['package.json', 'tsconfig.base.json', 'tsconfig.json', 'oxlint.config.ts']) {
    cpSync(path.join(root, file), path.join(project, file));
  }
  for (const tree of ['domain', 'server', 'web', 'tag', 'e2e', 'scripts']) {
    for (const folder of foldersOf(root, tree)) mkdirSync(path.join(project, folder), { recursive: true });
    cpSync(path.join(root, tree, 'tsconfig.json'), path.join(project, tree, 'tsconfig.json'));
  }
  for (const file of ['long-functions.ts', 'rooms.ts'])
    cpSync(path.join(root, 'scripts', file), path.join(project, 'scripts', file));
  symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function plant(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
}

async function run(program: string, args: string[]): Promise<string> {
  return await new Promise((resolve) => {
    execFile(
      path.join(root, 'node_modules/.bin', program),
      args,
      // The report is long, because every planted import is refused.
      { cwd: project, env: nodeEnvironment(), maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}

type Import = { file: string; imported: string };

/** Imports in both directions between all rooms of each house. Those in `right` run downward, the others do not. */
function importsBetweenRooms(): { wrong: Import[]; right: Import[] } {
  const wrong: Import[] = [];
  const right: Import[] = [];
  for (const [house, floors] of Object.entries(HOUSES)) {
    for (const [floor, rooms] of floors.entries())
      for (const room of rooms)
        for (const [other, targets] of floors.entries())
          for (const target of targets) {
            if (room === target || room === 'testing') continue;
            const imported = fileIn(house, target, 'target');
            const name = `${other < floor ? 'right' : 'wrong'}-${target.replace('*', 'top')}`;
            const file = `${house}/${fileIn(house, room, name)}`;
            const folder = path.posix.dirname(file);
            const relative = path.posix.relative(folder, `${house}/${imported}`);
            const list = other < floor ? right : wrong;
            list.push({ file, imported: `#${house}/${imported}` });
            list.push({ file, imported: relative.startsWith('.') ? relative : `./${relative}` });
          }
  }
  return { wrong, right };
}

/** Returns the path of a file called `name` in a room. A room that is one file has only that file. */
function fileIn(house: string, room: string, name: string): string {
  if (room === '*') return `${name.replaceAll('.', '-')}.ts`;
  if (room.includes('.')) return room;
  const inside = HOUSES[`${house}/${room}`]?.flat() ?? ['*'];
  // A room whose files are all listed takes no other, so the file goes into its first folder.
  const folder = inside.includes('*') ? '' : `${inside.find((each) => !each.includes('.'))}/`;
  return `${room}/${folder}${name.replaceAll('.', '-')}.ts`;
}

function plantImports(imports: readonly Import[]): void {
  const byFile = Map.groupBy(imports, ({ file }) => file);
  for (const [file, group] of byFile)
    plant(file, group.map(({ imported }) => `export * from '${imported}';\n`).join(''));
}

/** Runs the linter. Returns the file of each import that it refuses, once, though two rules may refuse it. */
async function refusedImports(): Promise<string[]> {
  const report = JSON.parse(await run('oxlint', ['--format=json'])) as {
    diagnostics: { code: string; filename: string; labels: { span: { line: number } }[] }[];
  };
  const places = report.diagnostics
    .filter(({ code }) => code.includes('no-restricted-imports'))
    .map(({ filename, labels }) => `${filename}:${labels[0]?.span.line}`);
  return [...new Set(places)].map((place) => place.slice(0, place.lastIndexOf(':'))).toSorted();
}

describe('the linter', () => {
  const wrong: [file: string, imported: string][] = [
    ['domain/ads/a.ts', 'react'],
    ['domain/ads/b.ts', 'node:fs'],
    ['domain/ads/c.ts', 'zodiac'],
    ['domain/ads/d.ts', '#server/ads/submit/review.ts'],
    ['domain/ads/e.ts', '#web/ads/api.ts'],
    ['domain/ads/f.ts', '../../server/ads/review.ts'],
    ['server/money/a.ts', '#server/ads/store.ts'],
    ['server/money/b.ts', '../ads/routes.ts'],
    ['server/money/c.ts', '#server/ads/reply.ts'],
    ['server/money/ledger/d.ts', '../../ads/store.ts'],
    ['server/delivery/decision/a.ts', '../snapshot/store.ts'],
    ['server/ads/e.ts', '#web/ads/api.ts'],
    ['server/ads/f.test.ts', '#server/money/refunds/store.ts'],
    ['server/money/refunds/cancelling/a.ts', '../../ledger/store-earnings.ts'],
    ['server/operator/console/a.ts', '../requests/store-requests.ts'],
    ['server/testing/a.ts', '#server/money/refunds/store.ts'],
    ['server/testing/b.ts', 'stripe'],
    ['server/money/e.ts', 'stripe'],
    ['server/platform/media/a.ts', '../../web/ads/api.ts'],
    ['server/delivery/event-log/a.ts', '../../../extensions/nats/settings.ts'],
    ['web/ads/e.tsx', 'node:path'],
    ['web/ads/f.tsx', '../../tag/send.ts'],
    ['web/ads/g.tsx', '../../tag/render.ts'],
    ['web/ads/h.tsx', '../../server/ads/review.ts'],
    ['web/ads/ad-preview.tsx', '../../tag/request.ts'],
    ['web/ui/c.tsx', '#domain/ads/status.ts'],
    ['web/http/c.ts', '#domain/transparency/report.ts'],
    ['web/pages/b.tsx', '#server/ads/submit/review.ts'],
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
    ['server/people/accounts/email/right.ts', '../record/store.ts'],
    ['server/app/marketplace.ts', '#server/ads/routes.ts'],
    ['server/platform/media/deep/right.ts', '../store.ts'],
    ['server/ads/right.test.ts', '#server/people/privacy/delete-account.ts'],
    ['server/ads/right4.ts', '#domain/ads/status.ts'],
    ['server/ads/right5.ts', 'kysely'],
    ['server/platform/provider/stripe/right.ts', 'stripe'],
    ['server/testing/right.ts', '#server/app/app.ts'],
    ['server/platform/extensions.ts', '../../extensions/nats/settings.ts'],
    ['server/platform/http/right.ts', '#domain/accounts/roles.ts'],
    ['web/ads/right2.tsx', './dialog.tsx'],
    ['web/ads/right3.tsx', '#domain/ads/status.ts'],
    ['web/ads/ad-preview.tsx', '../../tag/render.ts'],
    ['web/http/right.ts', '#domain/endpoint.ts'],
    ['tag/right.ts', '#domain/delivery/wire.ts'],
    ['tag/right2.ts', './render.ts'],
  ];

  const asImports = (list: typeof wrong): Import[] => list.map(([file, imported]) => ({ file, imported }));

  it('refuses every wrong import and accepts every right one', async () => {
    plantImports([...asImports(wrong), ...asImports(right)]);
    expect(await refusedImports()).toEqual(wrong.map(([file]) => file).toSorted());
  });

  it('refuses every import between rooms that does not run downward, however it is written', async () => {
    const rooms = importsBetweenRooms();
    plantImports([...rooms.wrong, ...rooms.right]);
    const expected = [...rooms.wrong.map(({ file }) => file), ...wrong.map(([file]) => file)];
    expect(await refusedImports()).toEqual(expected.toSorted());
  });

  it('stops if a folder or a file of the server is on no floor', async () => {
    plant('server/attic/a.ts', 'export const a = 1;\n');
    expect(await run('oxlint', [])).toContain('server/attic is on no floor');
    rmSync(path.join(project, 'server/attic'), { recursive: true });
    plant('server/loose.ts', 'export const a = 1;\n');
    expect(await run('oxlint', [])).toContain('server/loose.ts is on no floor');
    rmSync(path.join(project, 'server/loose.ts'));
  });

  it('refuses import cycles, any, floating promises, and tests that are focused or skipped', async () => {
    plant('server/ads/one.ts', `import { two } from './two.ts';\nexport const one = () => two;\n`);
    plant('server/ads/two.ts', `import { one } from './one.ts';\nexport const two = () => one;\n`);
    plant('server/ads/loose.ts', `export function loose(value: any) {\n  Promise.resolve(value);\n}\n`);
    plant(
      'server/ads/focus.test.ts',
      `import { it } from 'vitest';\nit.only('a', () => {});\nit.skip('b', () => {});\n`,
    );
    const lint = await run('oxlint', ['--type-aware', '--format=unix', 'server/ads']);
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

  it('refuses globals and imports that a folder must not use', async () => {
    plant('server/thing.ts', 'export const thing = 1;\n');
    plant('web/thing.ts', 'export const thing = 1;\n');
    for (const [file, text] of plants) plant(file, text);
    const lines = (await run('tsc', ['-b', 'domain', 'server', 'web', 'tag', '--pretty', 'false'])).split(
      '\n',
    );
    for (const [file, , refusal] of plants) {
      expect(lines.filter((line) => line.startsWith(`${file}(`)).join('\n')).toContain(refusal);
    }
  });
});

it('the domain never reads the clock or makes random values, but gets both as arguments', () => {
  const files = readdirSync(path.join(root, 'domain'), { recursive: true, encoding: 'utf8' });
  const rules = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(rules.length).toBeGreaterThan(0);
  const impure = rules.filter((file) =>
    /new Date\(\)|Date\.now\(|Math\.random\(|randomUUID\(/.test(
      readFileSync(path.join(root, 'domain', file), 'utf8'),
    ),
  );
  expect(impure).toEqual([]);
});
