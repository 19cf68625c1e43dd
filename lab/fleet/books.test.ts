/** The books of a fleet find what they are for. The fleet itself needs root: `npm run -s lab fleet`. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../domain/time.ts';
import { createDatabase, createPool } from '../../server/platform/database/database.ts';
import { createTokens, subjectOf } from '../../server/delivery/tokens/tokens.ts';
import { withMigratedDatabase } from '../../server/testing/postgres.ts';
import { makeRunningAd, makeSiteWithZone } from '../../server/testing/delivery/running-ads.ts';
import { openBooks } from './books.ts';
import type { Acknowledged } from './visitors.ts';

it('finds events that were acknowledged and are lost, counted twice, or billed beyond the goal', async () =>
  await withMigratedDatabase(async (url) => {
    const db = createDatabase(createPool(url));
    const tokens = createTokens(['a secret of thirty-two letters or so']);
    const ctx = { db, now: () => new Date() };
    const { zoneId } = await makeSiteWithZone(ctx);
    const { id: adId } = await makeRunningAd(ctx, zoneId, { pricingModel: 'per_impression', amount: 2 });
    await sql`select ensure_event_partition((now() at time zone 'utc')::date)`.execute(db);
    const acknowledged: Acknowledged[] = [];
    const books = openBooks(db, tokens, acknowledged, 0);
    /** Acknowledges a view. */
    const view = () => {
      const subject = subjectOf({ zoneId, adId, video: false, creative: 0 });
      const token = tokens.issue({ subject, reason: null, origin: '0000' }, Date.now()).view;
      acknowledged.push({ kind: 'view', token });
      const reading = tokens.read(token, 'view', Date.now());
      return reading.state === 'forged' ? '' : reading.claims.decisionId;
    };
    const record = async (decisionId: string, at = new Date()) =>
      await sql`insert into ad_events (decision_id, kind, ad_id, zone_id, issued_at, issued_on, counted_at)
      values (decode(${decisionId}, 'hex'), 'view', ${adId}, ${zoneId}, ${at}, (${at} at time zone 'utc')::date, ${at})`.execute(
        db,
      );
    const first = view();
    await record(first);
    expect(await books.check()).toEqual({ acknowledged: 1, lost: 0, twice: 0, beyond: 0 });
    const missing = view();
    await record(view());
    expect(await books.check()).toEqual({ acknowledged: 2, lost: 1, twice: 0, beyond: 0 });
    expect(await books.check()).toEqual({ acknowledged: 0, lost: 0, twice: 0, beyond: 0 });
    const of = (counted: number, events: number) =>
      `Ad ${adId} has ${counted} counted views, ${events} events of them, and a goal of 2.`;
    const lost = '1 acknowledged events are not in the database.';
    expect(await books.close()).toEqual([lost, of(0, 2)]);
    await sql`update ads set total_impressions = 2 where id = ${adId}`.execute(db);
    expect(await books.close()).toEqual([lost]);
    // It comes late, and beyond the goal.
    await record(missing);
    expect(await books.close()).toEqual([of(2, 3)]);
    expect(await books.check()).toMatchObject({ beyond: 1 });
    // Another clock calls a click expired: it leads to its target, and is a figure.
    const click = tokens.issue(
      { subject: subjectOf({ zoneId, adId, video: false, creative: 0 }), reason: null, origin: '0000' },
      Date.now(),
    ).click;
    acknowledged.push({ kind: 'click', token: click }, { kind: 'click', token: click });
    await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      values (date_trunc('hour', now()), ${adId}, ${zoneId}, 'click', 'expired', 1)`.execute(db);
    expect(await books.check()).toMatchObject({ acknowledged: 2, lost: 1 });
    // Two partitions may hold the same decision.
    const before = new Date(Date.now() - DAY_MS);
    await sql`select ensure_event_partition((${before} at time zone 'utc')::date)`.execute(db);
    await record(first, before);
    const again = view();
    await record(again);
    await record(again, before);
    expect(await books.check()).toEqual({ acknowledged: 1, lost: 0, twice: 1, beyond: 4 });
    expect(await books.close()).toContain(`Decision ${first} has 2 views.`);
    await db.destroy();
  }));
