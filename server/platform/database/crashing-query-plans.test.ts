import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { canCrash, crashingInFunctions } from '#server/testing/database/crashing-query-plans.ts';

/** Reads the last hour of each ad's zone, as lookAtTags did it beside its lock. */
const lastHour = `(select max(h.hour) from delivery_hourly h where h.zone_id = a.ad_zone_id and h.hour >= a.start_date)`;
const due = 'with due as (select ad_id from tag_looks order by ad_id limit 5 for update skip locked)';

describe('a statement', () => {
  it.each([
    ['locks rows', `${due} select a.id, ${lastHour} from due join ads a on a.id = due.ad_id`],
    ['updates rows', `update ads a set resumed_at = ${lastHour} where a.id = $1`],
    [
      'deletes rows',
      `delete from measured_clicks c using ad_events e where e.issued_on = c.issued_on and e.decision_id = c.decision_id`,
    ],
    [
      'merges rows',
      `merge into measured_clicks c using ad_events e on e.issued_on = c.issued_on and e.decision_id = c.decision_id
        when matched then update set counted = true`,
    ],
  ])('is refused if it %s and chooses the partitions of a table while it runs', async (_what, statement) => {
    expect(await canCrash(statement)).toBe(true);
  });

  it.each([
    ['only reads', `select a.id, ${lastHour} from ads a`],
    ['reads through a function', `update ads a set resumed_at = last_request(a.ad_zone_id, a.start_date)`],
    ['chooses the partitions before it runs', `update delivery_hourly set n = n + 1 where hour = $1`],
    [
      'inserts or else updates',
      `insert into delivery_hourly as d (hour, ad_id, zone_id, kind, n)
        select h.hour, 1, 1, 'view', 1 from (values ($1::timestamptz)) as v (hour)
          join delivery_hourly h on h.hour = v.hour
        on conflict (ad_id, kind, reason, hour, zone_id) do update set n = d.n + excluded.n`,
    ],
  ])('is not refused if it %s', async (_what, statement) => {
    expect(await canCrash(statement)).toBe(false);
  });

  it('fails the test that sends it', async () => {
    const client = new pg.Client({ connectionString: inject('plansUrl') });
    await client.connect();
    const statement = `update ads a set resumed_at = ${lastHour} where a.id = -1`;
    await expect(client.query(statement)).rejects.toThrow('This statement can end PostgreSQL 18.0 to 18.4');
    await client.end();
  });
});

describe('a function of the database', () => {
  it('has no statement that could end PostgreSQL 18', async () => {
    const { looked, crashing } = await crashingInFunctions();
    expect(crashing).toEqual([]);
    // Those that counting calls are among those that were looked at.
    expect(looked).toEqual(expect.arrayContaining(['move_waiting_clicks', 'withdraw_traffic']));
  });
});
