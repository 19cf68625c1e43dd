/** An advertiser tries a second creative, the publisher reviews it, and the campaign's page compares the two. */
import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { makeLiveAd } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

type Shown = Awaited<ReturnType<typeof suite.enter>>['page'];

async function looksRight(page: Shown): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 375, 1280]) {
      await resize(page, { width, height: 800 });
      expect(await sideways(page)).toEqual([]);
      expect(await lostText(page)).toEqual([]);
    }
    // Below the header that sticks to the top, a control is only partly a target.
    await page.evaluate(() => scrollTo(0, 0));
    expect(await axeFindings(page)).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, { width: 375, height: 800 });
}

// Proves RES-44, RES-49
it('an advertiser submits a second creative by keyboard at 375 px, the publisher compares and approves it', async () => {
  const { server } = suite.fixture;
  const { page, client: buyer } = await suite.enter('buyer', { width: 375 });
  const { page: review, client: seller } = await suite.enter('seller');
  const { ad } = await makeLiveAd(seller, buyer, {
    ad: { title: 'Fresh coffee' },
    product: { duration: 30 },
  });

  await page.goto(`/campaigns/${ad.publicId}`);
  const section = page.getByRole('region', { name: 'Creatives' });
  await section.getByText('One creative', { exact: true }).waitFor();
  await looksRight(page);
  const keyboard = keyboardOf(page);
  await keyboard.enter('button', 'Add a second creative');
  const dialog = page.getByRole('dialog', { name: 'Add a Second Creative' });
  await dialog.waitFor();
  expect(await axeFindings(page)).toEqual([]);
  // The form begins with the first creative, which is not a second one.
  await keyboard.enter('button', 'Submit for Approval');
  await dialog.getByText('Please change at least one field').waitFor();
  await dialog.getByLabel('Title').fill('One week of coffee, free');
  await keyboard.enter('button', 'Submit for Approval');
  await section.getByText('Your second creative is waiting for approval').waitFor();
  expect(await section.getByRole('region', { name: 'Second creative' }).count()).toBe(1);
  await looksRight(page);

  await review.goto('/dashboard');
  await review.getByRole('button', { name: /One week of coffee, free/ }).click();
  const decision = review.getByRole('dialog', { name: 'Review Ad Submission' });
  await decision.getByText('First creative, which runs already').waitFor();
  await looksRight(review);
  await decision.getByRole('button', { name: 'Approve Ad', exact: true }).click();
  await review.getByText('Ad approved successfully', { exact: true }).waitFor();

  await section.getByText('No difference beyond chance yet.').waitFor();
  await looksRight(page);
  // Figures as count_events writes them: 60 clicks against 28 of 5,000 views each.
  await sql`
    insert into creative_counts (ad_id, creative, kind, n)
      values (${ad.id}, 1, 'view', 5000), (${ad.id}, 2, 'view', 5000), (${ad.id}, 1, 'click', 28), (${ad.id}, 2, 'click', 60)`.execute(
    server.ctx.db,
  );
  await page.reload();
  await section.getByText('Ahead by more than chance').waitFor();
  await section.getByText('1.20%').waitFor();
  await looksRight(page);

  await keyboard.enter('button', 'Remove the second creative');
  await keyboard.enter('button', 'Remove');
  await section.getByRole('button', { name: 'Add a second creative' }).waitFor();
  // What was learned stays.
  expect(await section.getByText('1.20%').isVisible()).toBe(true);
  await looksRight(page);
});
