import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { approveAd, getAdDetails } from '#domain/ads/contract.ts';
import { listWaiting, type WaitingStep } from '#domain/ads/waiting-contract.ts';
import { getGettingStarted } from '#domain/analytics/getting-started-contract.ts';
import { answer } from '#web/testing/answers.ts';
import { see, wordsOf } from '#web/testing/look.ts';
import { makeAd, makeSubmission, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerBuyerDashboard, answerSellerDashboard } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const waiting = () => page.getByRole('region', { name: 'Waiting for you' });
const step = (id: number, kind: WaitingStep['kind'], title: string): WaitingStep => ({
  id,
  kind,
  title,
  publicId: uuid(id),
  websiteName: 'Gazette',
  amount: null,
});

/** Home and the dashboard of somebody who buys and sells, with these steps. */
function answerHome(steps: () => WaitingStep[]) {
  answerSellerDashboard();
  answerBuyerDashboard();
  answer(getGettingStarted, sample(getGettingStarted.reply));
  return answer(listWaiting, ({ query: { limit = 3 } }) => ({
    steps: steps().slice(0, limit),
    more: Math.max(0, steps().length - limit),
  }));
}
const open = (path: string) => openPage(path, { as: person('both') });

it('is absent from Home without a step, and from the dashboard, which begins with its figures', async () => {
  answerHome(() => []);
  await open('/');
  await see(page.getByText('No recent activity'));
  expect(waiting().elements()).toEqual([]);
  closeScreen();
  answerHome(() => [step(31, 'pay', 'Ready to run')]);
  await open('/dashboard');
  await see(page.getByRole('button', { name: /^Total Earnings/ }));
  expect(waiting().elements()).toEqual([]);
});

it('stands first on Home, with its button in the first screenful, and reviews an ad in place', async () => {
  let steps = [
    step(31, 'pay', 'Ready to run'),
    step(32, 'review', 'Please look'),
    step(12, 'price', 'Footer'),
    step(11, 'tag', 'Margin'),
  ];
  const calls = answerHome(() => steps);
  await page.viewport(375, 800);
  await open('/');
  const payNow = waiting().getByRole('link', { name: 'Pay Now' });
  await see(payNow);
  for (const width of [375, 1280]) {
    await page.viewport(width, 800);
    expect(payNow.element().getBoundingClientRect().bottom).toBeLessThan(800);
  }
  await expect.element(payNow).toHaveAttribute('href', `/checkout/${uuid(31)}`);
  const items = () => waiting().getByRole('listitem');
  const lines = () =>
    items()
      .elements()
      .map((item) => (item as HTMLElement).innerText.split('\n')[0]);
  expect(lines()).toEqual(['Ready to run', 'Please look', 'Footer']);
  await waiting().getByRole('button', { name: 'Show 1 more' }).click();
  await expect.poll(lines).toEqual(['Ready to run', 'Please look', 'Footer', 'Margin']);
  expect(calls.at(-1)?.query.limit).toBe(100);

  // The review names the advertiser. Its line disappears with the decision.
  answer(
    getAdDetails,
    makeSubmission({ id: 32, title: 'Please look', targetUrl: 'https://www.shop.example/x' }),
  );
  const approvals = answer(approveAd, () => {
    steps = steps.filter(({ kind }) => kind !== 'review');
    return makeAd({ id: 32, status: 'approved' });
  });
  await waiting().getByRole('button', { name: 'Review' }).click();
  const review = page.getByRole('dialog', { name: 'Review Ad Submission' });
  await see(review.getByText('shop.example · first ad · 0 ads rejected', { exact: false }));
  expect(wordsOf(review)).toContain('Bea Bright');
  expect(wordsOf(review)).not.toContain('@');
  await review.getByRole('button', { name: 'Approve Ad' }).click();
  await expect.poll(lines).toEqual(['Ready to run', 'Footer', 'Margin']);
  expect(approvals).toHaveLength(1);
});
