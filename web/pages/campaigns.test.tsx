import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  addVariant,
  listVariants,
  removeVariant,
  variant,
  type Variant,
} from '#domain/ads/variants-contract.ts';
import { getAd, getSimilarZones } from '#domain/ads/contract.ts';
import { adShowing, getAdShowing } from '#domain/delivery/showing-contract.ts';
import { getPosition } from '#domain/analytics/position-contract.ts';
import { getResults, type Results } from '#domain/delivery/conversions-contract.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { makeAd, uuid } from '#web/testing/market.ts';
import { press, saying, see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { answerBuyerDashboard, answerCampaign, noResults, nothingMeasured } from '#web/testing/screens.ts';
import { sample } from '#web/testing/sample.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const ad = makeAd({
  status: 'active',
  startDate: '2026-11-20T00:00:00.000Z',
  endDate: '2026-12-20T00:00:00.000Z',
});

async function openCampaign(): Promise<void> {
  await page.viewport(375, 900);
  await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
  await see(page.getByRole('heading', { name: ad.title }));
}

it('an advertiser reads that the viewability of the ad zone has halved', async () => {
  answerCampaign(ad);
  await openCampaign();
  await see(saying('rendered too few ads in the last 7 days'));
  closeScreen();

  answer(getPosition, {
    ...nothingMeasured,
    recent: 0.2,
    before: 0.6,
    change: 'fell',
    secondsInView: nothingMeasured,
    firstScreen: nothingMeasured,
    places: [],
  });
  await openCampaign();
  await see(saying('The viewability of this ad zone fell from 60.0% to 20.0%'));
});

it('an advertiser submits, compares and removes a second creative by keyboard, and reads whether one is ahead by more than chance', async () => {
  answerCampaign(ad);
  let second: Variant[] = [];
  let results: Results = noResults;
  answer(listVariants, () => second);
  answer(getResults, () => results);
  await openCampaign();
  const section = page.getByRole('region', { name: 'Creatives' });
  await see(section.getByText('One creative'));
  await press(section.getByRole('button', { name: 'Add a second creative' }));
  const dialog = page.getByRole('dialog', { name: 'Add a Second Creative' });
  const submit = dialog.getByRole('button', { name: 'Submit for Approval' });
  const added = answer(addVariant, ({ body }) => {
    const made = sample(variant, {
      ...body,
      publicId: uuid(41),
      ad: ad.publicId,
      imageUrl: null,
      videoUrl: null,
      status: 'pending',
    });
    second = [made];
    return made;
  });
  // The form begins with the first creative, which is not a second one.
  await press(submit);
  await see(saying('Please change at least one field', dialog));
  expect(added).toEqual([]);
  await dialog.getByLabelText('Title').fill('One week of coffee, free');
  await press(submit);
  await see(section.getByText('Your second creative is waiting for approval'));
  await see(section.getByRole('region', { name: 'Second creative' }));
  expect(added).toMatchObject([
    {
      params: { ref: { publicId: ad.publicId } },
      body: {
        title: 'One week of coffee, free',
        description: ad.description,
        targetUrl: ad.targetUrl,
      },
    },
  ]);

  // 60 clicks against 28 of 5,000 views each.
  const creatives = [
    { ref: ad.publicId, title: ad.title, impressions: 0, clicks: 0, landings: 0, conversions: 0 },
    {
      ref: uuid(41),
      title: 'One week of coffee, free',
      impressions: 0,
      clicks: 0,
      landings: 0,
      conversions: 0,
    },
  ];
  second = [{ ...second[0]!, status: 'approved' }];
  results = { ...noResults, creatives };
  closeScreen();
  await openCampaign();
  await see(section.getByText('No difference beyond chance yet.'));

  results = {
    ...noResults,
    creatives: creatives.map((each, at) => ({ ...each, impressions: 5000, clicks: [28, 60][at]! })),
    verdict: uuid(41),
  };
  closeScreen();
  await openCampaign();
  await see(section.getByText('Ahead by more than chance'));
  await see(saying('“One week of coffee, free” has more clicks per view.', section.getByRole('status')));
  await see(section.getByText('1.20%'));
  await see(saying('We compare clicks per view with a two-sided test at 95%', section));

  const removed = answer(removeVariant, () => {
    second = [{ ...second[0]!, status: 'removed', removedFor: 'advertiser' }];
    return second[0]!;
  });
  await press(section.getByRole('button', { name: 'Remove the second creative' }));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }));
  await see(section.getByRole('button', { name: 'Add a second creative' }));
  // The page keeps what it has learned.
  await see(section.getByText('1.20%'));
  expect(removed).toMatchObject([
    { params: { ref: { publicId: ad.publicId }, variant: { publicId: uuid(41) } } },
  ]);
});

it('a campaign has a page with an address of its own, which its row links and which explains its delivery', async () => {
  answerCampaign(ad);
  answerBuyerDashboard([ad]);
  await openPage('/dashboard', { as: person('buyer') });
  await page.getByRole('table', { name: 'My Campaigns' }).getByRole('link', { name: ad.title }).click();
  await expect.poll(() => window.location.pathname).toBe(`/campaigns/${ad.publicId}`);
  await see(page.getByRole('heading', { level: 1, name: ad.title }));
  answer(
    getAdShowing,
    sample(adShowing, {
      share: 1,
      others: { ads: 0, share: 0 },
      requests: { total: 0, filtered: [] },
      lately: { chosen: 0, views: 0, clicks: 0, filtered: [] },
    }),
  );
  await page.getByRole('button', { name: 'Not showing?' }).click();
  await see(page.getByRole('dialog', { name: 'Why is my ad not showing?' }));
});

it('a campaign that waits for its approval says so, also with a start', async () => {
  const startDate = '2027-12-01T00:00:00.000Z';
  answer(getAd, makeAd({ startDate }));
  await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
  await see(page.getByText('Awaiting Approval'));
});

it('a campaign of somebody else is not found, and one that could not be loaded can be tried again', async () => {
  answer(getAd, refused(404, 'Ad not found'));
  await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
  await see(page.getByRole('heading', { name: 'Campaign Not Found' }));
  closeScreen();

  answer(getAd, broken);
  await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
  await see(saying('Could not load the campaign'));
  answerCampaign(ad);
  await page.getByRole('button', { name: 'Try again' }).click();
  await see(page.getByRole('heading', { level: 1, name: ad.title }));
});

it('the page of a rejected campaign lists similar ad zones', async () => {
  answer(getAd, makeAd({ status: 'rejected', rejectionReason: 'Not for our readers' }));
  answer(getSimilarZones, [
    {
      zonePublicId: uuid(12),
      websitePublicId: uuid(2),
      zoneName: 'Sidebar',
      websiteName: 'Rugby weekly',
      width: 300,
      height: 250,
      price: '12.00',
    },
  ]);
  await openPage(`/campaigns/${ad.publicId}`, { as: person('buyer') });
  const similar = page.getByRole('region', { name: 'Similar ad zones' });
  await see(similar.getByText('from $12.00'));
  await expect
    .element(similar.getByRole('link', { name: 'Rugby weekly' }))
    .toHaveAttribute('href', `/create-ad?website=${uuid(2)}&zone=${uuid(12)}&type=text`);
});
