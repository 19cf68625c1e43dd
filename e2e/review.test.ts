/** The review of ads on the screens: corrections, withdrawals, trust, rules and the shape of images. */
import { expect, it } from 'vitest';
import { makeAd } from '../server/testing/story.ts';
import { upload } from '../server/testing/uploads.ts';
import { axeFindings } from './support/axe.ts';
import { sideways } from './support/layout.ts';
import { toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { fillContent, makePricedZone, openContent, submitAd } from './support/wizard.ts';

const suite = useFixture();

// Proves REV-04
it('an advertiser corrects a waiting ad, and withdraws it', async () => {
  const { page, client } = await suite.enter('buyer');
  const { product } = await makePricedZone(await suite.client('seller'));
  const ad = await makeAd(client, product, { title: 'Frsh coffee' });
  await page.goto('/dashboard');
  const row = page.getByRole('row', { name: /coffee/ });
  await row.getByText(/Without an answer it ends on/).waitFor();
  await row.getByRole('button', { name: 'Correct' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Correct Ad' });
  await dialog.getByRole('button', { name: 'Save Correction' }).click();
  await dialog.getByText('Please change at least one field').waitFor();
  await dialog.getByLabel('Title').fill('Fresh coffee');
  await dialog.getByRole('button', { name: 'Save Correction' }).click();
  await toastTitled(page, 'Ad corrected. The publisher reviews the new version.').waitFor();
  expect((await client.get(`/api/ads/${ad.id}`)).body).toMatchObject({ title: 'Fresh coffee', version: 2 });

  await row.getByRole('button', { name: 'Withdraw ad' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await toastTitled(page, 'Ad withdrawn').waitFor();
  await row.getByText('You withdrew this ad.').waitFor();
});

// Proves REV-03
it('the page of a rejected campaign lists similar ad zones, and a campaign with a start is awaiting its approval', async () => {
  const { page, client } = await suite.enter('buyer');
  const seller = await suite.client('seller');
  const { product } = await makePricedZone(seller, { website: { category: 'Sports' } });
  const other = await makePricedZone(await suite.client('seller'), {
    website: { name: 'Rugby weekly', category: 'Sports' },
    product: { price: '12.00' },
  });
  const ad = await makeAd(client, product, { title: 'Boots' });
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Not for our readers' });
  await page.goto('/dashboard');
  await page.getByRole('row', { name: /Boots/ }).getByRole('link', { name: 'Similar ad zones' }).click();
  const similar = page.getByRole('region', { name: 'Similar ad zones' });
  await similar.getByText('from $12.00').waitFor();
  expect(await axeFindings(page)).toEqual([]);
  await similar.getByRole('link', { name: 'Rugby weekly' }).click();
  await page.waitForURL(`**/create-ad?website=${other.website.publicId}&zone=${other.zone.publicId}*`);

  const startDate = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  const later = await makeAd(client, product, { title: 'Gloves', startDate });
  await page.goto(`/campaigns/${later.publicId}`);
  await page.getByText('Awaiting Approval').waitFor();
});

// Proves REV-05
it('a publisher trusts an advertiser in the review, and ends that in the settings', async () => {
  const { page, client } = await suite.enter('seller');
  const buyer = await suite.client('buyer');
  const { product } = await makePricedZone(client);
  await makeAd(buyer, product, { title: 'First ad' });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /First ad/ }).click();
  await page.getByRole('button', { name: 'Approve and trust' }).click();
  await toastTitled(page, 'Ad approved successfully').waitFor();
  expect((await makeAd(buyer, product)).status).toBe('approved');
  await page.goto('/settings?tab=business');
  await page.getByRole('button', { name: /Stop trusting .* for coffee\.example/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop trusting' }).click();
  await page.getByText('You trust no advertiser yet.').waitFor();
  expect((await makeAd(buyer, product)).status).toBe('pending');
});

// Proves WARD-34
it('a publisher blocks an advertiser in the review by keyboard, and takes that back in the settings', async () => {
  for (const width of [1280, 375]) {
    const { page, client } = await suite.enter('seller', { width });
    const buyer = await suite.client('buyer');
    const { product } = await makePricedZone(client);
    const ad = await makeAd(buyer, product, { title: 'Unwanted ad' });
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /Unwanted ad/ }).click();
    const review = page.getByRole('dialog', { name: 'Review Ad Submission' });
    await review.getByRole('button', { name: 'Block advertiser' }).press('Enter');
    const question = page.getByRole('dialog', { name: /^Block .*\?$/ });
    await question.getByText('paid campaigns run on').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toEqual([]);
    await question.getByRole('button', { name: 'Block advertiser' }).press('Enter');
    await toastTitled(page, 'Advertiser blocked. Your settings list whom you block.').waitFor();
    expect((await buyer.get(`/api/ads/${ad.id}`)).body.status).toBe('rejected');
    const again = { adZoneId: product.adZoneId, productId: product.id, adType: 'text', title: 'T' };
    const submit = async () =>
      await buyer.post('/api/ads', { ...again, description: 'D', targetUrl: 'https://a.example/' });
    expect(await submit()).toMatchObject({ status: 409, body: { reason: 'blocked' } });

    await page.goto('/settings?tab=business');
    const list = page.getByRole('region', { name: 'Blocked Advertisers' });
    await list.getByRole('button', { name: /^Unblock / }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await sideways(page)).toEqual([]);
    await list.getByRole('button', { name: /^Unblock / }).press('Enter');
    await list.getByText('You block no advertiser.').waitFor();
    expect((await submit()).status).toBe(201);
  }
});

// Proves WARD-32
it('an advertiser resubmits an ad with another start', async () => {
  const { page, client } = await suite.enter('buyer', { width: 375 });
  const seller = await suite.client('seller');
  const { product } = await makePricedZone(seller);
  const ad = await makeAd(client, product, { title: 'Gloves' });
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'These days are gone' });
  await page.goto(`/dashboard?editAd=${ad.publicId}`);
  const dialog = page.getByRole('dialog', { name: 'Edit & Resubmit' });
  const startDate = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Another start').fill(startDate);
  expect(await sideways(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Update & Resubmit' }).click();
  await toastTitled(page, 'Ad updated and resubmitted for approval').waitFor();
  expect((await client.get(`/api/ads/${ad.id}`)).body).toMatchObject({
    status: 'pending',
    startDate: `${startDate}T00:00:00.000Z`,
  });
});

// Proves REV-06
it('a publisher states rules, which the advertiser reads before writing', async () => {
  const seller = await suite.enter('seller');
  const place = await makePricedZone(seller.client);
  await seller.page.goto('/ad-zones');
  await seller.page.getByRole('button', { name: `Manage ${place.website.name}` }).click();
  await seller.page.getByRole('menuitem', { name: 'Edit website' }).click();
  const dialog = seller.page.getByRole('dialog', { name: 'Edit Website' });
  await dialog.getByRole('button', { name: 'Rules for ads' }).click();
  await dialog.getByLabel('Refused subjects').fill('Gambling');
  await dialog.getByLabel('Refused words').fill('roasted\nfree money');
  await dialog.getByLabel('Refused domains').fill('not a domain');
  await dialog.getByRole('button', { name: 'Save Website' }).click();
  await dialog.getByText('Please enter a domain such as example.com').waitFor();
  await dialog.getByLabel('Refused domains').fill('casino.example');
  await dialog.getByRole('button', { name: 'Save Website' }).click();
  await toastTitled(seller.page, 'Website saved').waitFor();

  const { page } = await suite.enter('buyer');
  await openContent(page, place);
  const rules = page.getByText('This website doesn’t take ads with').locator('..');
  await rules.getByText('Subjects: Gambling').waitFor();
  await rules.getByText('Words: roasted, free money').waitFor();
  await fillContent(page);
  await submitAd(page);
  await page.getByText('This website doesn’t take ads with the word “roasted”.').first().waitFor();
});

// Proves REV-09
it('the form completes a target, and lists websites that sell images', async () => {
  const { page } = await suite.enter('buyer');
  const seller = await suite.client('seller');
  const place = await makePricedZone(seller, { website: { name: 'Texts only' } });
  await makePricedZone(seller, {
    website: { name: 'Images too', url: 'https://images.example' },
    product: { adType: 'image' },
  });
  await openContent(page, place);
  await fillContent(page, { 'Target URL': 'coffee.example/start' });
  await page.getByLabel('Title', { exact: true }).focus();
  expect(await page.getByLabel('Target URL').inputValue()).toBe('https://coffee.example/start');
  await page.goto('/create-ad?type=image&step=2');
  await page.getByRole('button', { name: /Images too/ }).waitFor();
  expect(await page.getByRole('button', { name: /Texts only/ }).count()).toBe(0);
});

// Proves REV-07
it('the form names the sizes of an image, and refuses another shape before the submission', async () => {
  const { page, client } = await suite.enter('buyer');
  const place = await makePricedZone(await suite.client('seller'), { product: { adType: 'image' } });
  const imagePath = await upload(client, 'image/png', [728, 90]);
  await client.post('/api/media-library', { imagePath, filename: 'wide.png', fileSize: 100 });
  await openContent(page, place);
  await page.getByText('300 × 250 or 600 × 500 pixels, or another size of this shape').waitFor();
  await page.getByRole('button', { name: 'Choose from Media Library' }).click();
  const library = page.getByRole('dialog', { name: 'Media Library' });
  await library.getByRole('button', { name: /wide\.png/ }).click();
  await library.getByRole('button', { name: 'Use This Image' }).click();
  await page.getByText(/This image has 728 × 90 pixels/).waitFor();
  await fillContent(page);
  await submitAd(page);
  await page.getByText(/This image has 728 × 90 pixels/).waitFor();
  expect((await client.get('/api/ads/my')).body).toEqual([]);
});

// Proves RES-07
it('an advertiser adds UTM parameters to the target, and sees what visitors get before the submission', async () => {
  const { page, client } = await suite.enter('buyer', { width: 375 });
  const place = await makePricedZone(await suite.client('seller'), {
    website: { url: 'https://daily.example' },
  });
  await openContent(page, place);
  await page.getByRole('button', { name: 'UTM parameters' }).click();
  const fold = page.getByRole('region', { name: 'UTM parameters' });
  await fold.getByText('Enter the target URL first.').waitFor();
  await fillContent(page, { 'Target URL': 'https://coffee.example/start?a=1#top' });
  await fold.getByLabel('utm_campaign').fill('autumn sale');
  const query = (site: string) => `a=1&utm_source=${site}&utm_medium=display&utm_campaign=autumn%20sale`;
  await fold.getByText(`https://coffee.example/start?${query('daily.example')}#top`).waitFor();
  expect(await axeFindings(page)).toEqual([]);
  expect(await sideways(page)).toEqual([]);

  await fold.getByRole('button', { name: 'Add to the target URL' }).click();
  await fold.getByRole('button', { name: 'Added to the target URL' }).waitFor();
  await submitAd(page);
  await expect
    .poll(async () => (await client.get('/api/ads/my')).body[0]?.targetUrl)
    .toBe(`https://coffee.example/start?${query('{site}')}#top`);
});
