/** Where an ad leads: what the publisher and the advertiser see about it, and the decision about a changed target. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { TargetPause } from '#domain/ads/target-check.ts';
import { makeAd, makeLiveAd } from '../server/testing/story.ts';
import { axeFindings } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { lostText, resize, sideways } from './support/layout.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone } from './support/wizard.ts';

const suite = useFixture();

/** Writes what a check found, as server/ads/target-checks.test.ts proves that the checks do. */
async function found(ad: Ad, check: { problem: string | null; finalHost: string | null }): Promise<void> {
  await suite.fixture.server.ctx.db
    .updateTable('targetChecks')
    .set({ ...check, checkedAt: new Date(), approvedHost: 'coffee.example' })
    .where('adId', '=', ad.id)
    .execute();
}

async function pauseFor(ad: Ad, reason: TargetPause): Promise<void> {
  await suite.fixture.server.ctx.db
    .updateTable('ads')
    .set({ targetPausedAt: new Date(), targetPausedFor: reason })
    .where('id', '=', ad.id)
    .execute();
}

async function fits(page: Page): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  for (const width of [375, 1280]) {
    await resize(page, { width, height: 800 });
    expect(await sideways(page)).toEqual([]);
    expect(await lostText(page)).toEqual([]);
    expect(await dialogsThatScrollSideways(page)).toBe(0);
  }
}

const dialogsThatScrollSideways = async (page: Page) =>
  await page.getByRole('dialog').evaluateAll(
    (dialogs) =>
      dialogs
        .flatMap((dialog) => [dialog, ...dialog.querySelectorAll('*')])
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowX)).length,
  );

// Proves DEST-02, DEST-04
it('the review shows a look-alike host in Punycode and says that it was not reached', async () => {
  const { page, client: seller } = await suite.enter('seller');
  const buyer = await suite.client('buyer');
  const { product } = await makePricedZone(seller);
  const ad = await makeAd(buyer, product, { title: 'Look-alike', targetUrl: 'https://аррӏе.com/login' });
  await found(ad, { problem: 'We couldn’t find this host name in the DNS.', finalHost: null });
  await page.goto('/dashboard');
  await page
    .getByRole('button', { name: /Look-alike/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await dialog.getByRole('link', { name: 'https://xn--80ak6aa92e.com/login' }).waitFor();
  await dialog.getByText('Not reached: we couldn’t open this address').waitFor();
  await dialog.getByText('Open it yourself before you decide.').waitFor();
  await fits(page);
});

// Proves DEST-01
it('the form says what is wrong with a target before it is sent', async () => {
  const { page, client: buyer } = await suite.enter('buyer');
  const seller = await suite.client('seller');
  const { product } = await makePricedZone(seller);
  const ad = await makeAd(buyer, product, { title: 'Edited' });
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Wrong address' });
  await page.goto(`/dashboard?editAd=${ad.publicId}`);
  const dialog = page.getByRole('dialog');
  const target = dialog.getByLabel('Target URL');
  await target.fill('http://192.168.1.1/reboot');
  await dialog.getByRole('button', { name: /resubmit/i }).click();
  await dialog
    .getByText('Please enter an address on the public internet, such as https://example.com')
    .waitFor();
  await target.fill('https://example.com/\u202egnp.exe');
  await dialog.getByText('This address has invisible characters that reverse text').waitFor();
});

// Proves DEST-05, DEST-06
it('the publisher decides about a changed target by keyboard at 375 px, and the advertiser sees why the ad is paused', async () => {
  const { page, client: seller } = await suite.enter('seller', { width: 375 });
  const { page: other, client: buyer } = await suite.enter('buyer');
  const { ad } = await makeLiveAd(seller, buyer, { ad: { title: 'Moved' } });
  await found(ad, { problem: null, finalHost: 'elsewhere.example' });
  await pauseFor(ad, 'changed');

  await other.goto('/dashboard');
  await other.getByText('Paused because of its target. Open the campaign for details.').waitFor();
  await other.getByRole('button', { name: 'Moved', exact: true }).click();
  const campaign = other.getByRole('dialog', { name: 'Moved' });
  await campaign
    .getByText('The target led to coffee.example when it was approved. It now leads to elsewhere.example.')
    .waitFor();
  await campaign.getByText('The publisher decides whether the campaign is shown again.').waitFor();
  await fits(other);

  await page.goto('/');
  await page.getByRole('region', { name: 'Waiting for you' }).getByText('Paused: check its target').waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.enter('button', 'Review');
  const dialog = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await dialog.getByText('It now leads to elsewhere.example. Look at the page before you decide.').waitFor();
  await fits(page);
  await resize(page, { width: 375, height: 800 });
  await keyboard.enter('button', 'Accept and show the ad');
  await dialog.waitFor({ state: 'detached' });
  expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({ targetPause: null, paused: null });

  // The other decision ends the campaign.
  await found(ad, { problem: null, finalHost: 'third.example' });
  await pauseFor(ad, 'changed');
  await page.reload();
  await page.getByRole('button', { name: 'Review' }).first().click();
  await dialog.getByRole('button', { name: 'End the campaign' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({ endedReason: 'target_refused' });
});

// Proves DEST-08
it('of an ad whose target is not public, the publisher can only end it, and the advertiser reads what to do', async () => {
  const { page, client: seller } = await suite.enter('seller', { width: 375 });
  const { page: other, client: buyer } = await suite.enter('buyer');
  const { ad } = await makeLiveAd(seller, buyer, { ad: { title: 'Router' } });
  await found(ad, { problem: 'The address isn’t on the public internet.', finalHost: null });
  await pauseFor(ad, 'not_public');
  await other.goto('/dashboard');
  await other.getByRole('button', { name: 'Router', exact: true }).click();
  const campaign = other.getByRole('dialog', { name: 'Router' });
  await campaign.getByText(/isn’t on the public internet, so visitors can’t open it/).waitFor();
  await campaign.getByText(/Cancel the campaign for a refund/).waitFor();
  await fits(other);

  await page.goto('/');
  const keyboard = keyboardOf(page);
  await keyboard.enter('button', 'Review');
  const dialog = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await dialog.getByText('the target isn’t public').waitFor();
  await fits(page);
  await resize(page, { width: 375, height: 800 });
  expect(await dialog.getByRole('button', { name: /^Accept/ }).count()).toBe(0);
  await keyboard.enter('button', 'End the campaign');
  await dialog.waitFor({ state: 'detached' });
  expect((await buyer.get(`/api/ads/${ad.id}`)).body).toMatchObject({ endedReason: 'target_refused' });
});
