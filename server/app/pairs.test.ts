/** Numbers that stand in TypeScript and, because no argument can bring them there, in SQL or in a file of deploy/. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAY_WITHIN_DAYS } from '#domain/ads/booking.ts';
import { MIN_RATED_VIEWS } from '#domain/delivery/forecast-fields.ts';
import { MAX_CLICK_WAIT_MS, MAX_UNREPORTED_CLICKS_PER_DAY } from '#domain/delivery/judge.ts';
import { PROVING_REASONS } from '#domain/delivery/reasons.ts';
import { MONTH_OPEN_DAYS } from '#domain/invalid-traffic/months.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { OLD_SECONDS, UNPROVEN_SECONDS } from '#server/operations/backup/state.ts';

it.each([
  [
    'PAY_WITHIN_DAYS',
    PAY_WITHIN_DAYS,
    'server/platform/database/functions/ads/ad_pay_by.sql',
    /interval '(\d+) days'/g,
  ],
  [
    'MONTH_OPEN_DAYS',
    MONTH_OPEN_DAYS,
    'server/platform/database/functions/ledger/assert_month_open.sql',
    /interval '(\d+) days'/g,
  ],
  [
    'MIN_RATED_VIEWS',
    MIN_RATED_VIEWS,
    'server/platform/database/functions/market/rank_websites.sql',
    /sum\(m\.views\) >= (\d+)/g,
  ],
  [
    'MAX_CLICK_WAIT_MS',
    MAX_CLICK_WAIT_MS / MINUTE_MS,
    'server/platform/database/functions/delivery/count_events.sql',
    /counting_at - interval '(\d+) minute'/g,
  ],
  [
    'MAX_UNREPORTED_CLICKS_PER_DAY',
    MAX_UNREPORTED_CLICKS_PER_DAY,
    'server/platform/database/functions/delivery/count_events.sql',
    /max_unreported_clicks constant integer := (\d+)/g,
  ],
  ['OLD_SECONDS', OLD_SECONDS, 'deploy/alerts.yaml', /openslot_backup_age_seconds\) > (\d+)/g],
  ['UNPROVEN_SECONDS', UNPROVEN_SECONDS, 'deploy/alerts.yaml', /backup_verified_age_seconds\) > (\d+)/g],
])('%s is %d in %s, too', (_name, number, file, pattern) => {
  const found = [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, digits]) => Number(digits));
  expect(found).toEqual([number]);
});

// Proves WARD-138
it('the reasons that prove a rendered ad are those of the statement that counts', () => {
  const [, list = ''] =
    /proving constant text\[\] := array\[([^\]]+)\]/.exec(
      readFileSync('server/platform/database/functions/delivery/count_events.sql', 'utf8'),
    ) ?? [];
  const listed = list.split(',').map((reason) => reason.trim().slice(1, -1));
  expect(new Set(listed)).toEqual(new Set(PROVING_REASONS));
});
