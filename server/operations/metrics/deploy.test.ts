/** The files in `deploy/` that name our metrics. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { promtool, promtoolIsHere } from '#server/testing/programs/promtool.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const { here, note } = await promtoolIsHere();

const server = useOwnServer({ env: { METRICS_TOKEN: 'token' } });

const namesIn = (text: string) => new Set(text.match(/\b(?:openslot|nodejs|process)_[a-z0-9_]+/g) ?? []);

it('has a board of Grafana that asks only for metrics that exist', async () => {
  const { text } = await server.anyone().get('/metrics', { authorization: 'Bearer token' });
  const board = JSON.parse(read('deploy/grafana.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const asked = board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(asked.length).toBeGreaterThanOrEqual(board.panels.length);
  const existing = namesIn(text);
  for (const expr of asked) {
    expect(expr).toMatch(/\b(?:openslot|nodejs|process)_/);
    expect([...namesIn(expr)].filter((name) => !existing.has(name))).toEqual([]);
  }
});

it('has alerts, each of which names the entry of the guide that is about it', () => {
  const alerts = read('deploy/alerts.yaml');
  const names = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(alerts.match(/^ +summary: \S.*\.$/gm)).toHaveLength(names.length);
  const guides = [...alerts.matchAll(/^ +guide: docs\/repair\.md#([\w-]+)$/gm)].map(([, anchor]) => anchor);
  expect(guides).toHaveLength(names.length);
  const entries = new Map(
    read('docs/repair.md')
      .split(/^## /m)
      .map((entry) => [
        entry
          .split('\n', 1)[0]
          ?.toLowerCase()
          .replaceAll(/[^\w ]/g, '')
          .replaceAll(' ', '-'),
        entry,
      ]),
  );
  for (const [place, name] of names.entries()) expect(entries.get(guides[place])).toContain(`\`${name}\``);
});

it('has alerts that ask only for metrics that exist', async () => {
  const at = server.ctx.now();
  const backup = { place: '/backups', backup: '/backups/1', release: '0.1.0', bytes: 1 };
  await server.ctx.db
    .insertInto('backups')
    .values({ ...backup, startedAt: at, verifiedAt: at })
    .execute();
  const existing = namesIn((await server.anyone().get('/metrics', { authorization: 'Bearer token' })).text);
  const asked = read('deploy/alerts.yaml').matchAll(/^ +expr: (?:>-\n)?((?:.*\n)+?) +(?:for|labels):/gm);
  const names = [...asked].flatMap(([, expr = '']) => [...namesIn(expr)]);
  expect(names).toEqual(expect.arrayContaining(['openslot_info', 'openslot_backup_verified_age_seconds']));
  expect(names.filter((name) => !existing.has(name))).toEqual([]);
});

it.skipIf(!here)(`has alerts that come when they should, and not before${note}`, async () => {
  const cwd = path.join(ROOT, 'deploy');
  const { code, output } = await promtool(['test', 'rules', 'alerts.test.yaml'], { cwd });
  expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
});
