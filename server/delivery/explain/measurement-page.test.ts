import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { html } from '#server/platform/http/html.ts';
import { makeSiteWithZone } from '#server/testing/delivery/running-ads.ts';
import { useServer } from '#server/testing/starts/use-server.ts';

const server = useServer();

// Proves DEL-41, IVT-04
it('shows every visitor what counts, what is filtered and why, and what an attacker can still do', async () => {
  const page = await server.anyone().get('/measurement');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const reason of REASONS) {
    const { name, meaning } = REASON_TEXTS[reason];
    expect(page.text).toContain(String(html`<dt>${name}</dt><dd>${meaning}</dd>`));
  }
  const text = page.text.replaceAll(/\s+/g, ' ');
  for (const figure of [
    'at least 50% of its ad zone',
    'for one second without a break',
    'ad zones of 242,500 pixels or more (970 × 250), 30% is enough',
    'during 2 seconds of playback',
    'no later than 60 minutes',
    'no sooner than 0.4 seconds after the ad was selected and no later than 24 hours',
    'one click on an ad is counted in 30 minutes, 3 clicks and 30 views of an ad in a day, and 10 clicks on a website in an hour',
    '30 views and 3 clicks on a website are counted in a minute',
    '60 views and 6 clicks on a website are counted in a minute and 5,000 views and 100 clicks in a day',
    '600 views and 60 clicks in a minute and 50,000 views and 1,000 clicks in a day',
    '150 views and 6 clicks of an ad are counted in a day',
    '300 views and 30 clicks are counted in a minute and 100,000 views and 2,000 clicks in a day',
    '1,500 views and 150 clicks in a minute and 500,000 views and 10,000 clicks in a day',
    'more than 20,000 counted views on a usual day',
    'at most 60 seconds after the click',
    'at most 10 clicks of a video in a day',
    'half of the lower number of views a day that the advertiser was shown before the payment, and at least one',
    'the positions of 8 hidden boxes',
    'at most 60 views and 6 clicks of a network’s video players',
    'the last 24 hours of each ad zone with at least 30 reported views',
    'at most 8 views of an ad zone in 24 hours (20 in a week)',
    'no more than one view for each 3 networks that visited the ad zone',
    'Clicks of a network beyond 2, or beyond 1/20 of the views that it counts for',
    'Until an ad zone has 30 views in a week, a network counts for 8',
    'up to 1/30 of the views, of which each network adds at most 8',
    'If 2 independent groups of signals say',
    'withdraw nothing from the website for 90 days',
    'What an attacker can still do',
  ]) {
    expect(text).toContain(figure);
  }
});

// Proves DEL-41, SIVT-08
it('has the numbers of the ceiling that the database computes', async () => {
  const text = (await server.anyone().get('/measurement')).text.replaceAll(/\s+/g, ' ');
  const ceilingFor = async (monthlyVisitors: number) => {
    const { websiteId } = await makeSiteWithZone(server.ctx, { monthlyVisitors });
    const { rows } = await sql<{ views: number; clicks: number }>`
      select max_views as views, max_clicks as clicks
        from websites, daily_ceiling(user_id, current_date) where id = ${websiteId}`.execute(server.ctx.db);
    return rows[0]!;
  };
  const [least, most] = [await ceilingFor(0), await ceilingFor(10_000_000)];
  expect(await ceilingFor(6000)).toEqual({ views: 200, clicks: 5 });
  expect(text).toContain(`at least ${least.views} and at most ${most.views.toLocaleString('en-US')} views`);
  expect(text).toContain(
    `${(100 * most.clicks) / most.views} clicks for each 100 views, at least ${least.clicks}`,
  );
});

// Proves DEL-41
it('uses the same name for each reason in docs/measurement.md as on the screens', () => {
  const page = readFileSync(new URL('../../../docs/measurement.md', import.meta.url), 'utf8');
  for (const reason of REASONS) expect(page).toContain(`| \`${reason}\` | ${REASON_TEXTS[reason].name} |`);
});
