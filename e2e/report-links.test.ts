/** The advertiser shares a report, and somebody without an account reads it. */
import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { DAY_MS, later } from '../domain/time.ts';
import { countAt } from '../server/testing/figures.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves RES-41
it('an advertiser creates a link by keyboard at 375 px, a stranger reads the report, and the link is revoked', async () => {
  const { server, enter } = suite.fixture;
  const { page, client: buyer } = await suite.enter('buyer', { width: 375 });
  const seller = await suite.client('seller');
  const { ad } = await makeLiveAd(seller, buyer, {
    ad: { title: 'Shared' },
    product: { pricingModel: 'per_impression', price: '20.00', impressions: 10_000, duration: undefined },
  });
  const began = server.ctx.now();
  await server.owner.transaction().execute(async (tx) => {
    await sql`alter table ads disable trigger user`.execute(tx);
    await sql`update ads set start_date = ${later(began, -12 * DAY_MS)} where id = ${ad.id}`.execute(tx);
    await sql`alter table ads enable trigger user`.execute(tx);
  });
  for (let day = 0; day < 12; day += 1)
    await countAt(server.ctx, ad, later(began, -day * DAY_MS).toISOString(), 100 + 37 * day, 1 + (day % 3));

  await page.goto(`/campaigns/${ad.publicId}`);
  await page.getByRole('heading', { name: 'Shared' }).waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.enter('button', 'Share report');
  const dialog = page.getByRole('dialog', { name: 'Share report' });
  await dialog.getByText('There is no link yet.').waitFor();
  await page.keyboard.type('Ada at the agency');
  await keyboard.tabTo('combobox', 'Works for');
  await keyboard.enter('button', 'Create link');
  const row = dialog.getByRole('listitem').filter({ hasText: 'Ada at the agency' });
  await row.getByText('Works until').waitFor();

  const [link] = (await buyer.get(`/api/ads/${ad.publicId}/report-links`)).body as { url: string }[];
  const { page: stranger } = await enter();
  await stranger.goto(link!.url);
  await stranger.getByRole('heading', { name: 'Shared' }).waitFor();
  expect(await stranger.getByRole('row').count()).toBeGreaterThan(1);
  expect(await stranger.context().cookies()).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await stranger.emulateMedia({ colorScheme });
    for (const width of [320, 375, 1280]) {
      await resize(stranger, { width, height: 800 });
      expect(await sideways(stranger)).toEqual([]);
      expect(await lostText(stranger)).toEqual([]);
    }
    expect(await axeFindings(stranger)).toEqual([]);
  }

  await keyboard.enter('button', 'Revoke: Ada at the agency');
  await keyboard.enter('button', 'Revoke link');
  await row.getByText('Revoked on').waitFor();
  await stranger.reload();
  await stranger.getByText('There is no report at this address.').waitFor();
});
