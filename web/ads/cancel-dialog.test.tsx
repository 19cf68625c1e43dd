import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Ad } from '#domain/ads/contract.ts';
import { cancelAd, getRefundQuote, type RefundQuote } from '#domain/payments/refund-contract.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { choose, itemsOf, press, saying, see, seeToast } from '#web/testing/look.ts';
import { makeAd, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerBuyerDashboard, answerCampaign, answerMyAds } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const running = makeAd({
  title: 'Espresso',
  status: 'active',
  pricingModel: 'per_impression',
  duration: null,
  impressions: 1000,
  startDate: '2026-11-20T00:00:00.000Z',
});
const canceled = (members: Partial<Ad>): Ad => ({
  ...running,
  status: 'completed',
  endedReason: 'canceled',
  ...members,
});

const quote = (members: Partial<RefundQuote> = {}): RefundQuote =>
  sample(getRefundQuote.reply, {
    delivered: 250,
    bought: 1000,
    refundAmount: '75.00',
    cancelFee: '0.00',
    sentence: 'You can cancel at any time.',
    ...members,
  });

const row = () =>
  page.getByRole('table', { name: 'My Campaigns' }).getByRole('row').filter({ hasText: 'Espresso' });
const dialog = () => page.getByRole('dialog', { name: 'Cancel this campaign?' });
const openCancel = () => choose('Cancel campaign', row());
const confirm = () => dialog().getByRole('button', { name: 'Cancel campaign' });
const openDashboard = () => openPage('/dashboard', { as: person('buyer') });

// Proves REFU-05
it('shows the exact refund, cancels by keyboard, and then why the campaign ended', async () => {
  answerBuyerDashboard([running]);
  answer(getRefundQuote, quote());
  await openDashboard();
  await openCancel();
  await see(saying('250 of 1,000 impressions', dialog()));
  await expect.element(dialog().getByTestId('refund-amount')).toHaveTextContent('$75.00');
  await see(dialog().getByRole('button', { name: 'Keep it running' }));
  const calls = answer(cancelAd, () => {
    const ended = canceled({ refund: { amount: '75.00', status: 'owed' } });
    answerMyAds([ended]);
    return ended;
  });
  await press(confirm());
  expect(await seeToast('Campaign canceled')).toContain('$75.00 goes back to your card.');
  await expect.element(dialog()).not.toBeInTheDocument();
  expect(calls).toEqual([
    { params: { ref: { publicId: running.publicId } }, query: {}, body: { refundAmount: '75.00' } },
  ]);
  await see(row().getByText('You canceled this campaign.'));
  await see(row().getByText('We’re sending $75.00 back to your card.'));
  expect(await itemsOf(row())).not.toContain('Cancel campaign');
});

describe('a campaign that has ended', () => {
  // Proves REFU-05
  it.each<[status: NonNullable<Ad['refund']>['status'], words: string]>([
    ['owed', 'We’re sending $75.00 back to your card.'],
    ['sent', '$75.00 is on its way to your card.'],
    ['done', '$75.00 was refunded to your card.'],
  ])('says the state of its refund: %s', async (status, words) => {
    answerBuyerDashboard([
      canceled({ refund: { amount: '75.00', status } }),
      makeAd({ id: 32, title: 'Tea' }),
    ]);
    await openDashboard();
    await see(page.getByRole('row').filter({ hasText: 'Tea' }));
    await see(row().getByText(words));
    await see(row().getByText('You canceled this campaign.'));
  });
});

// Proves REFU-05
it('says why a campaign is paused', async () => {
  answerBuyerDashboard([{ ...running, paused: 'tag_silent' }]);
  await openDashboard();
  await see(saying('Its page requests no ads.', row()));
  expect(await itemsOf(row())).toContain('Cancel campaign');
});

// Proves REFU-05
it('loads the amount again on demand, follows the delivery, and says when the campaign is over', async () => {
  answerBuyerDashboard([running]);
  answer(getRefundQuote, broken);
  await openDashboard();
  await openCancel();
  await see(saying('Could not load the amount', dialog()));
  await expect.element(confirm()).toBeDisabled();
  answer(getRefundQuote, quote({ delivered: 0, refundAmount: '100.00' }));
  await dialog().getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog().getByTestId('refund-amount')).toHaveTextContent('$100.00');

  answer(cancelAd, refused(409, 'More of the campaign has been delivered. The refund is now $50.00.'));
  answer(getRefundQuote, quote({ delivered: 500, refundAmount: '50.00' }));
  await confirm().click();
  await see(saying('More of the campaign has been delivered', dialog().getByRole('alert')));
  await expect.element(dialog().getByTestId('refund-amount')).toHaveTextContent('$50.00');
  await dialog().getByRole('button', { name: 'Keep it running' }).click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await see(row().getByText('Live'));

  answer(getRefundQuote, refused(409, 'This campaign isn’t running, so it can’t be canceled.'));
  await openCancel();
  await see(saying('This campaign isn’t running', dialog()));
  expect(confirm().elements()).toEqual([]);
});

// Proves OWNS-84
it('names the card fee that is kept, and that a cancel of everything that was delivered refunds nothing', async () => {
  answerBuyerDashboard([running]);
  answer(getRefundQuote, quote({ delivered: 0, refundAmount: '96.80', cancelFee: '3.20' }));
  await openDashboard();
  await openCancel();
  await see(dialog().getByText('Card fee, not refunded'));
  await see(dialog().getByText('$3.20'));
  await dialog().getByRole('button', { name: 'Keep it running' }).click();
  answer(getRefundQuote, quote({ refundAmount: '0.00', cancelFee: '3.20' }));
  await openCancel();
  await see(saying('The card fee takes up what is left, so there’s no refund.', dialog()));
});

it('says that a large cancel waits for the marketplace, in the list and on the page of the campaign', async () => {
  const sentence = 'The marketplace checks this cancel before it refunds you.';
  const waiting: Ad = { ...running, paused: 'cancel' };
  answerBuyerDashboard([running]);
  answer(getRefundQuote, quote({ sentence }));
  await openDashboard();
  await openCancel();
  await see(dialog().getByText(sentence));
  answer(cancelAd, () => {
    answerMyAds([waiting]);
    return { status: 'waiting' as const, message: 'The marketplace checks your cancel.' };
  });
  await confirm().click();
  expect(await seeToast('Your cancel waits')).toContain('The marketplace checks your cancel.');
  await see(row().getByText('Waiting for the marketplace'));
  await see(saying('The ad isn’t shown meanwhile.', row()));
  expect(await itemsOf(row())).not.toContain('Cancel campaign');
});

it('the page of a campaign says that its cancel waits for the marketplace', async () => {
  answerCampaign({ ...running, paused: 'cancel' });
  await openPage(`/campaigns/${uuid(31)}`, { as: person('buyer') });
  await see(page.getByText('Waiting for the marketplace'));
});
