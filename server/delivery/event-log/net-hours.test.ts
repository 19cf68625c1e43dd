/** Which events count, and what is left of them after withdrawals: the views of 012-net-hours.sql, and nobody beside them. */
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { BILLED_KINDS, INVALID_REASONS, REASONS } from '#domain/delivery/reasons.ts';
import { useServer } from '#server/testing/starts/use-server.ts';

const server = useServer();

type Row = { kind: string; reason: string; n: number };

/** An ad of its own, so that no foreign key and no other test knows it. */
const AD = 2_000_000_001;
const ZONE = 2_000_000_002;

beforeAll(async () => {
  await sql`
    insert into delivery_hourly (hour, zone_id, ad_id, kind, reason, n)
      select '2027-05-01T10:00Z', ${ZONE}, ${AD}, kind, reason, 100
        from unnest(${[...BILLED_KINDS, 'decision']}::text[]) kind,
          unnest(${['', ...REASONS.filter((reason) => reason !== 'withdrawn')]}::text[]) reason`.execute(
    server.ctx.db,
  );
  // 30 views and 5 clicks are withdrawn; then 10 of these views count again.
  await sql`
    with made as (
      insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals)
        values (${ZONE}, '2027-05-01T10:00Z', '2027-05-01T11:00Z', now(), '[{"signal": "share"}]') returning id
    ), overruled as (
      insert into withdrawals (zone_id, from_hour, until_hour, made_at, overrules, made_by, reason)
        select ${ZONE}, '2027-05-01T10:00Z', '2027-05-01T11:00Z', now(), id, 'operator', 'A mistake' from made
        returning id
    )
    insert into withdrawn_hours (withdrawal_id, hour, zone_id, ad_id, kind, n)
      select id, '2027-05-01T10:00Z'::timestamptz, ${ZONE}::integer, ${AD}::integer, kind, n
        from made, (values ('view', 30), ('click', 5)) as taken (kind, n)
      union all
      select id, '2027-05-01T10:00Z', ${ZONE}, ${AD}, 'view', -10 from overruled`.execute(server.ctx.db);
});

const sums = async (view: string, reason = "''") =>
  (
    await sql<Row>`
      select kind, ${sql.raw(reason)} as reason, sum(n)::float8 as n from ${sql.ref(view)}
        where ad_id = ${AD} group by 1, 2 order by 1, 2`.execute(server.ctx.db)
  ).rows;

describe('an event', () => {
  // Proves WARD-138
  it('counts if it has no reason, and no longer once it was withdrawn', async () => {
    expect(await sums('counted_hours')).toEqual([
      { kind: 'click', reason: '', n: 100 },
      { kind: 'decision', reason: '', n: 100 },
      { kind: 'view', reason: '', n: 100 },
    ]);
    expect(await sums('net_hours')).toEqual([
      { kind: 'click', reason: '', n: 95 },
      { kind: 'decision', reason: '', n: 100 },
      { kind: 'view', reason: '', n: 80 },
    ]);
  });

  // Proves WARD-138
  it('is judged once: what was withdrawn has a reason, and nothing is lost or added', async () => {
    const judged = await sums('judged_hours', 'reason');
    const ofViews = new Map(judged.filter(({ kind }) => kind === 'view').map(({ reason, n }) => [reason, n]));
    expect(ofViews).toEqual(
      new Map(['', ...REASONS].map((reason) => [reason, { '': 80, withdrawn: 20 }[reason] ?? 100])),
    );
    expect(INVALID_REASONS).toContain('withdrawn');
  });

  it('counts in judged_hours exactly when it is in net_hours', async () => {
    const { rows } = await sql<Row>`
      select kind, '' as reason, sum(n)::float8 as n from judged_hours
        where ad_id = ${AD} and counts group by 1 order by 1`.execute(server.ctx.db);
    expect(rows).toEqual(await sums('net_hours'));
  });
});

const SOURCES = globSync('{server,scripts,lab}/**/*.{ts,sql}').filter(
  (file) =>
    !/\.test\.ts$|^server\/testing\/|^server\/platform\/database\/migrations\/|^server\/platform\/database\/tables\.ts$/.test(
      file,
    ),
);
const without = (text: string) => text.replaceAll(/^\s*(?:--|\*|\/\*|\/\/).*$/gm, '');
const filesWith = (pattern: RegExp) =>
  SOURCES.filter((file) => pattern.test(without(readFileSync(file, 'utf8')))).toSorted();

describe('nobody else', () => {
  // Proves WARD-138
  it('says which events count', () => {
    expect(filesWith(/(?:\b\w\.|(?:and|or|where|when) )reason (?:=|<>) ''/)).toEqual(
      [
        'lab/bench/delivery.ts', // Prints why events of a bench did not count.
        'server/delivery/faults/store-sums.ts', // Compares reports as they arrived, before anything is withdrawn.
        'server/money/ledger/store-ad-ledger.ts', // Lists the reasons of an ad.
      ].toSorted(),
    );
  });

  // Proves WARD-138
  it('subtracts what was withdrawn', () => {
    expect(filesWith(/withdrawn_hours|withdrawnHours/)).toEqual(
      [
        // The rows of a withdrawal, by its id.
        'server/results/analytics/store-withdrawals.ts',
        'server/platform/database/functions/invalid-traffic/adjust_counters.sql',
        'server/platform/database/functions/invalid-traffic/overrule_withdrawal.sql',
        'server/platform/database/functions/invalid-traffic/withdraw_traffic.sql',
        'server/platform/database/functions/invalid-traffic/withdrawals_are_append_only.sql',
        // For which signals it was taken, and which hours it touched.
        'server/delivery/forecast/store.ts',
        'server/delivery/invalid-traffic/store-facts.ts',
        'server/delivery/invalid-traffic/store-told.ts',
        'server/delivery/invalid-traffic/store.ts',
        // At which moment.
        'server/money/ledger/store-ad-ledger.ts',
      ].toSorted(),
    );
  });
});
