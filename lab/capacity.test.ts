/** The answers of the tool about capacity. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { answerTo, capacityFor } from './capacity.ts';
import { type Fact, FACTS } from './capacity-facts.ts';
import { nodeEnvironment, root } from '../scripts/node.mjs';

const PARTS = [
  'cores for decisions',
  'cores for counting',
  'memory',
  'disk for events',
  'WAL',
  'streams',
  'databases',
  'servers',
  'money',
];

it('says what a number of views needs, each line with its basis', async () => {
  const run = promisify(execFile);
  const args = ['lab/capacity.ts', '--views', '1000', '--json'];
  const { stdout } = await run(process.execPath, args, { cwd: root, env: nodeEnvironment() });
  const { views, rows } = JSON.parse(stdout) as { views: number; rows: ReturnType<typeof capacityFor> };
  expect(views).toBe(1000);
  expect(rows.map(({ part }) => part)).toEqual(expect.arrayContaining(PARTS));
  for (const row of rows)
    expect(row).toEqual({
      part: expect.any(String),
      quantity: expect.any(Number),
      unit: expect.any(String),
      basis: expect.stringMatching(/^(measured|computed|not built)$/),
    });
  const text = answerTo(['--views', '1000']);
  for (const { part, basis } of rows) expect(text).toMatch(new RegExp(`^${part} .* ${basis}$`, 'm'));
});

it('grows with the views, and says what no run has shown', () => {
  const [small, middle, large] = [1000, 100_000, 10_000_000].map(
    (views) => new Map(capacityFor(views).map((row) => [row.part, row])),
  );
  for (const part of PARTS) {
    const quantities = [small, middle, large].map((rows) => rows?.get(part)?.quantity ?? NaN);
    expect(quantities.every((quantity) => quantity > 0)).toBe(true);
    expect(quantities).toEqual(quantities.toSorted((a, b) => a - b));
  }
  const bases = (part: string) => [small, middle, large].map((rows) => rows?.get(part)?.basis);
  expect(bases('cores for counting')).toEqual(['measured', 'computed', 'computed']);
  expect(bases('databases')).toEqual(['measured', 'not built', 'not built']);
  const most = FACTS.viewsPerCore.value;
  const counting = (views: number) => capacityFor(views).find(({ part }) => part === 'cores for counting');
  expect([counting(most)?.basis, counting(most + 1)?.basis]).toEqual(['measured', 'computed']);
});

it.each([
  ['--views', '0'],
  ['--views', '-5'],
  ['--views=-5'],
  ['--views', 'many'],
  ['--views', '1.5'],
  ['--views', ''],
  ['--views'],
  [],
])('refuses %s %s with a sentence', (...args) => {
  expect(() => answerTo(args)).toThrow(
    /^--views: expected a whole number of counted views a second from 1 to .*\.$/,
  );
});

it('names the command, the machine and the date of each measured constant', () => {
  for (const { command, machine, date } of Object.values<Fact>(FACTS))
    expect([command.startsWith('npm run lab bench'), machine !== '', /^\d{4}-\d\d-\d\d$/.test(date)]).toEqual(
      [true, true, true],
    );
});
