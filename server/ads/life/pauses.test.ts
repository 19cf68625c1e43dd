/** Why a live ad is not served: ad_pauses.sql, and everything that reads it, in every state and in pairs of states. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PAUSES, type PauseReason } from '#domain/ads/ended.ts';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdShowing } from '#domain/delivery/showing-contract.ts';
import type { Client } from '#server/testing/client.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useServer();
let advertiser: Client;
let ad: Ad;
beforeAll(async () => {
  advertiser = await server.signIn('buyer');
  ({ ad } = await makeLiveAd(await server.signIn('seller'), advertiser));
});

/** The table, and what the columns say while the ad is paused and when it is not. */
const STATES: Record<PauseReason, [table: 'ads' | 'ad_zones', begin: string, end: string]> = {
  dispute: ['ads', 'disputed_at = now()', 'disputed_at = null'],
  suspended: [
    'ads',
    `suspended_at = now(), suspended_reason = 'Counterfeits'`,
    'suspended_at = null, suspended_reason = null',
  ],
  target: [
    'ads',
    `target_paused_at = now(), target_paused_for = 'changed'`,
    'target_paused_at = null, target_paused_for = null',
  ],
  cancel: ['ads', 'cancel_asked_at = now()', 'cancel_asked_at = null'],
  zone: ['ad_zones', 'is_active = false, paused_at = now()', 'is_active = true, paused_at = null'],
  tag_silent: ['ads', 'tag_silent_since = now()', 'tag_silent_since = null'],
  advertiser: ['ads', 'advertiser_paused_at = now()', 'advertiser_paused_at = null'],
};

async function set(cause: PauseReason, isPaused: boolean): Promise<void> {
  const [table, begin, end] = STATES[cause];
  const id = table === 'ads' ? ad.id : ad.adZoneId;
  await sql.raw(`update ${table} set ${isPaused ? begin : end} where id = ${id}`).execute(server.ctx.db);
}

type Row = { causes: string[] | null; held: boolean; shown: boolean };

async function read() {
  const { rows } = await sql<Row>`
    select (select array_agg(cause order by place) from ad_pauses(a.id)) as causes, ad_held_since(a.id) is not null as held,
        is_ad_shown(a, u, z, w, p) as shown
      from ads a join users u on u.id = a.user_id join ad_zones z on z.id = a.ad_zone_id
        join websites w on w.id = z.website_id join users p on p.id = w.user_id
      where a.id = ${ad.id}`.execute(server.ctx.db);
  // The ad server reads a changed ad soon, and says until then that it has not read it.
  await server.app.refreshDelivery();
  const read = async (path: string) => (await advertiser.get(`/api/ads/${ad.publicId}${path}`)).body;
  const { paused } = (await read('')) as Ad;
  const { rule } = (await read('/showing')) as AdShowing;
  return { ...rows[0]!, paused, rule };
}

const RULES: Record<PauseReason, string | null> = {
  dispute: 'disputed',
  suspended: 'suspended',
  target: 'target_paused',
  cancel: 'cancel_waits',
  zone: 'zone_paused',
  tag_silent: null,
  advertiser: 'advertiser_paused',
};

describe('a live ad', () => {
  beforeEach(async () => {
    for (const cause of PAUSES) await set(cause, false);
  });

  it('that nothing holds has no cause', async () => {
    expect(await read()).toMatchObject({ causes: null, held: false, shown: true, paused: null });
  });

  it.each(PAUSES)('has the cause “%s” for everybody who asks, whatever weighs less', async (cause) => {
    const lighter = PAUSES.slice(PAUSES.indexOf(cause) + 1);
    await set(cause, true);
    const shown = cause === 'tag_silent';
    // Two causes do not stop the clock of an ad by the day.
    const held = !shown && cause !== 'advertiser';
    const alone = await read();
    expect(alone).toMatchObject({ causes: [cause], held, shown, paused: cause });
    if (!shown) expect(alone.rule).toBe(RULES[cause]);
    for (const other of lighter) await set(other, true);
    // A silent tag is no rule, so the next cause is named there.
    const rule = shown ? 'advertiser_paused' : alone.rule;
    expect(await read()).toMatchObject({ causes: [cause, ...lighter], paused: cause, rule });
  });
});
