import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Ad } from '#domain/ads/contract.ts';
import { pauseAd, resumeAd } from '#domain/ads/pause-contract.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { choose, itemsOf, press, saying, see, seeToast } from '#web/testing/look.ts';
import { makeAd, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerBuyerDashboard, answerCampaign, answerMyAds } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';
import { formatDate, formatDay } from '#web/ui/format/format.ts';

const started = later(new Date(), -3 * DAY_MS);
const byViews = makeAd({
  title: 'Espresso',
  status: 'active',
  pricingModel: 'per_impression',
  duration: null,
  impressions: 2000,
  totalImpressions: 750,
  startDate: started.toISOString(),
});
const byTheDay = makeAd({
  title: 'Espresso',
  status: 'active',
  duration: 30,
  startDate: started.toISOString(),
  endDate: later(started, 30 * DAY_MS).toISOString(),
});
const pausedUntil = (ad: Ad, until: string | null): Ad => ({
  ...ad,
  paused: 'advertiser',
  advertiserPause: { since: new Date().toISOString(), until },
});

const dialog = () => page.getByRole('dialog', { name: 'Pause “Espresso”?' });
const confirm = () => dialog().getByRole('button', { name: 'Pause' });
const row = () =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: 'Espresso' });
const openDashboard = () => openPage('/dashboard', { as: person('buyer') });

// Proves PAUS-200, PAUS-201
it('pauses a campaign by views until it is resumed, and says before that the rest waits', async () => {
  answerBuyerDashboard([byViews]);
  await openDashboard();
  await choose('Pause', row());
  const end = formatDate(later(started, 90 * DAY_MS).toISOString());
  await see(
    saying(
      `The 1,250 views that are left wait. The campaign still ends on ${end} at the latest, and what isn’t delivered by then is refunded.`,
      dialog(),
    ),
  );
  const pauses = answer(pauseAd, () => {
    answerMyAds([pausedUntil(byViews, null)]);
    return pausedUntil(byViews, null);
  });
  await press(confirm());
  await seeToast('Campaign paused');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(pauses).toMatchObject([{ params: { ref: { publicId: byViews.publicId } }, body: { until: null } }]);
  await see(row().getByText('You paused it.'));

  const resumes = answer(resumeAd, () => {
    answerMyAds([byViews]);
    return byViews;
  });
  expect(await itemsOf(row())).not.toContain('Pause');
  await choose('Resume', row());
  await seeToast('Campaign resumed');
  expect(resumes).toHaveLength(1);
  await see(row().getByText('Live'));
});

// Proves PAUS-200, PAUS-202
it('pauses a campaign by the day until a day before its end, and says before that its days go on', async () => {
  answerCampaign(byTheDay);
  await openPage(`/campaigns/${uuid(31)}`, { as: person('buyer') });
  await press(page.getByRole('button', { name: 'Pause' }));
  await see(
    saying(
      `Its days go on, because the place stays yours. The campaign ends on ${formatDate(byTheDay.endDate)} as before, and the paused days aren’t refunded.`,
      dialog(),
    ),
  );
  const pauses = answer(pauseAd, refused(409, 'This campaign isn’t running.'));
  await dialog()
    .getByLabelText(/^Until/)
    .fill(utcDay(later(started, 31 * DAY_MS)));
  await see(saying('Choose a time before its end.', dialog()));
  await confirm().click();
  expect(pauses).toHaveLength(0);

  const day = utcDay(later(started, 6 * DAY_MS));
  await dialog()
    .getByLabelText(/^Until/)
    .fill(day);
  await confirm().click();
  await see(saying('This campaign isn’t running.', dialog().getByRole('alert')));
  const until = `${day}T00:00:00.000Z`;
  const paused = pausedUntil(byTheDay, until);
  const again = answer(pauseAd, () => {
    answerCampaign(paused);
    return paused;
  });
  await confirm().click();
  await see(page.getByText(`You paused it until ${formatDay(day)}.`));
  expect(again).toMatchObject([{ body: { until } }]);
  await see(page.getByRole('button', { name: 'Resume' }));
});
