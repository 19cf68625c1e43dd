import { describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { approveAd, getAdDetails, listPendingAds, rejectAd, type Submission } from '#domain/ads/contract.ts';
import {
  getActiveZones,
  getBreakdown,
  getEarnings,
  getSeries,
  listTransactions,
} from '#domain/analytics/contract.ts';
import { answer, refused, slow, type Trouble } from '#web/testing/answers.ts';
import { saying, see, seeErrorToast, seeToast } from '#web/testing/look.ts';
import { makeAd, makeSubmission, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerAdZones, answerSellerDashboard, noSeries } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const pending = () => page.getByRole('region', { name: 'Pending Ad Approvals' });
const entry = (title: string) => pending().getByRole('button', { name: new RegExp(title) });
const review = () => page.getByRole('dialog', { name: 'Review Ad Submission' });
const rejection = () => page.getByRole('dialog', { name: 'Reject Ad' });

const openDashboard = () => openPage('/dashboard', { as: person('seller') });

/** Opens the dashboard of a publisher for whom these ads wait, and the review of the first one. */
async function openReview(...ads: Submission[]): Promise<void> {
  answerSellerDashboard(ads);
  answer(getAdDetails, ({ params: { ref } }) => ads.find(({ id }) => 'id' in ref && ref.id === id)!);
  await openDashboard();
  await entry(ads[0]!.title).click();
  await see(saying(ads[0]!.targetUrl, review()));
}

/** The values of the review dialog by their labels. */
const factsOf = () =>
  Object.fromEntries(
    [...review().element().querySelectorAll('dt')].map((name) => [
      name.textContent,
      (name.nextElementSibling as HTMLElement).innerText,
    ]),
  );

describe('the seller dashboard', () => {
  // Proves DASH-S-05, DASH-S-06, DASH-S-07, TXN-07
  it('shows the server’s figures on cards that lead to their details', async () => {
    await page.viewport(1280, 420);
    answerSellerDashboard(
      ['First', 'Second', 'Third'].map((title, at) => makeSubmission({ id: 31 + at, title })),
    );
    answer(getEarnings, {
      totalEarnings: '28.33',
      delivered: '0.00',
      notDelivered: '28.33',
      thisMonth: '8.30',
    });
    answer(getActiveZones, { count: 2 });
    answer(getSeries, noSeries);
    answer(getBreakdown, []);
    answer(listTransactions, []);
    answerAdZones();
    await openDashboard();
    const card = (label: string) =>
      page
        .getByRole('region', { name: 'Earnings and ad zones' })
        .getByRole('button', { name: new RegExp(`^${label}`) });
    await see(card('Total Earnings').getByText('$28.33', { exact: true }));
    await see(card('Total Earnings').getByText('$8.30 this month', { exact: true }));
    await see(card('Active AdZones').getByText('2', { exact: true }));
    await see(card('Pending Approvals').getByText('3', { exact: true }));

    await card('Pending Approvals').click();
    const top = () => pending().element().getBoundingClientRect().top;
    await expect.poll(() => top() >= 0 && top() < window.innerHeight / 2).toBe(true);
    expect(window.location.pathname).toBe('/dashboard');
    await card('Total Earnings').click();
    await expect.poll(() => window.location.pathname).toBe('/transactions');
    window.history.back();
    await card('Active AdZones').click();
    await expect.poll(() => window.location.pathname).toBe('/ad-zones');
  });

  it('leads to the results of the ad zones', async () => {
    answerSellerDashboard();
    await openDashboard();
    await expect
      .element(page.getByRole('link', { name: 'Results by ad zone' }))
      .toHaveAttribute('href', '/results');
  });

  // Proves DASH-S-37, API-07, CRE-16
  it('shows a new ad within ten seconds while it is open', async () => {
    answerSellerDashboard();
    const ads: Submission[] = [];
    const calls = [
      answer(listPendingAds, () => ads),
      answer(getActiveZones, { count: 1 }),
      answer(getEarnings, {
        totalEarnings: '1.00',
        delivered: '1.00',
        notDelivered: '0.00',
        thisMonth: '1.00',
      }),
      answer(getSeries, noSeries),
      answer(getBreakdown, []),
    ];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    await openDashboard();
    await see(page.getByText('No ads waiting for your approval'));
    await expect.poll(() => calls.every(({ length }) => length > 0)).toBe(true);
    ads.push(makeSubmission({ title: 'Just in' }));
    const before = calls.map(({ length }) => length);
    vi.advanceTimersByTime(9400);
    expect(calls.map(({ length }) => length)).toEqual(before);
    vi.advanceTimersByTime(700);
    await see(entry('Just in'));
    await expect
      .poll(() => calls.map(({ length }, at) => length > before[at]!))
      .toEqual(calls.map(() => true));
  });
});

describe('the review', () => {
  // Proves DASH-S-11, DASH-S-33, ERR-49
  it('lists each pending ad with its type, text, advertiser and budget, until it is approved', async () => {
    const ad = makeSubmission({ title: 'Seen in the list', description: 'With these words', version: 3 });
    answerSellerDashboard([ad]);
    answer(getAdDetails, ad);
    await openDashboard();
    await see(page.getByRole('heading', { name: 'Pending Ad Approvals' }));
    await see(entry(ad.title));
    const { innerText } = entry('Seen in the list').element() as HTMLElement;
    for (const part of ['Text', 'pending', 'With these words', 'Advertiser #7', 'Budget $100.00'])
      expect(innerText).toContain(part);
    await entry(ad.title).click();
    const calls = answer(approveAd, makeAd({ status: 'approved' }));
    answer(listPendingAds, []);
    await review().getByRole('button', { name: 'Approve Ad' }).click();
    await seeToast('Ad approved successfully');
    await expect.element(entry(ad.title)).not.toBeInTheDocument();
    expect(calls).toEqual([
      { params: { ref: { id: ad.id } }, query: {}, body: { version: 3, trust: false } },
    ]);
  });

  const imageUrl = `/ad-images/${'i'.repeat(22)}`;
  const videoUrl = `/ad-images/${'v'.repeat(22)}`;

  // Proves DASH-S-18, DASH-S-19, DASH-S-27
  it.each<[ad: Partial<Submission>, model: string, amountName: string, amount: string]>([
    [{ adType: 'text', duration: 3 }, 'Per day', 'Duration', '3 days'],
    [
      { adType: 'image', imageUrl, pricingModel: 'per_impression', impressions: 5000, duration: null },
      'Per impression',
      'Target impressions',
      '5,000 impressions',
    ],
    [
      { adType: 'video', videoUrl, pricingModel: 'per_click', clicks: 40, duration: null },
      'Per click',
      'Target clicks',
      '40 clicks',
    ],
  ])(
    'shows all details and a preview for each ad type and pricing model: %#',
    async (members, model, amountName, amount) => {
      const ad = makeSubmission({
        title: `An ad of ${members.adType}`,
        totalAmount: '12.50',
        createdAt: '2026-10-05T12:00:00.000Z',
        ...members,
      });
      await openReview(ad);
      const facts = factsOf();
      expect(facts).toMatchObject({
        Title: ad.title,
        Description: ad.description,
        'Pricing model': model,
        [amountName]: amount,
        'Total budget': '$12.50',
        'Advertiser ID': '7',
        Website: 'Gazette',
        'Ad zone': 'Sidebar',
        'Zone description': 'rectangle, 300x250',
      });
      expect(facts['Ad type']?.toLowerCase()).toBe(members.adType);
      expect(facts['Submitted']).toContain('2026');
      const link = review().getByRole('link', { name: new RegExp(`^${ad.targetUrl}`) });
      await expect.element(link).toHaveAttribute('target', '_blank');
      await expect.element(link).toHaveAttribute('href', ad.targetUrl);
      const preview = () => review().element().querySelector(`[data-preview=${members.adType}]`)?.shadowRoot;
      const parts = () => ({
        images: preview()?.querySelectorAll('img').length,
        videos: preview()?.querySelectorAll('video').length,
        texts: preview()?.textContent.includes(ad.title),
      });
      await expect.poll(parts).toEqual({
        images: members.adType === 'image' ? 1 : 0,
        videos: members.adType === 'video' ? 1 : 0,
        texts: members.adType === 'text',
      });
    },
  );

  it('of a second creative shows the first one, which runs already', async () => {
    const { publicId, title, description, targetUrl, imageUrl, videoUrl } = makeAd();
    await openReview(
      makeSubmission({
        id: 32,
        publicId: uuid(32),
        title: 'One week of coffee, free',
        variantOf: { publicId, title, description, targetUrl, imageUrl, videoUrl },
      }),
    );
    await see(review().getByText('First creative, which runs already'));
    const previews = [...review().element().querySelectorAll('[data-preview=text]')];
    expect(previews.map(({ shadowRoot }) => shadowRoot?.textContent)).toEqual([
      expect.stringContaining('One week of coffee, free'),
      expect.stringContaining(title),
    ]);
  });

  // Proves DASH-S-32, DASH-S-34, VAL-31, ERR-50
  it('rejects an ad only with a reason, and Cancel sends nothing', async () => {
    const ad = makeSubmission({ title: 'Too loud' });
    await openReview(ad);
    const calls = answer(rejectAd, makeAd({ status: 'rejected' }));
    await review().getByRole('button', { name: 'Reject Ad' }).click();
    const reason = rejection().getByLabelText('Reason for rejection');
    await expect.element(reason).toBeRequired();
    expect(reason.element().tagName).toBe('TEXTAREA');
    for (const words of ['', '   ']) {
      await reason.fill(words);
      await rejection().getByRole('button', { name: 'Reject Ad' }).click();
      await see(rejection().getByText('Please provide a reason for rejection', { exact: true }));
    }
    await rejection().getByRole('button', { name: 'Cancel' }).click();
    await expect.element(rejection()).not.toBeInTheDocument();
    expect(calls).toEqual([]);

    await review().getByRole('button', { name: 'Reject Ad' }).click();
    await reason.fill('  Too loud for us.  ');
    answer(listPendingAds, []);
    await rejection().getByRole('button', { name: 'Reject Ad' }).click();
    await seeToast('Ad rejected successfully. The advertiser has been notified.');
    await expect.element(entry(ad.title)).not.toBeInTheDocument();
    expect(calls).toEqual([
      {
        params: { ref: { id: ad.id } },
        query: {},
        body: { rejectionReason: 'Too loud for us.', version: ad.version },
      },
    ]);
  });

  const silent = refused(500, '');
  const m1 = refused(400, 'M1');

  // Proves ERR-43, ERR-44, ERR-56
  it('that fails shows the server’s error message or a fallback', async () => {
    const ad = makeSubmission({ title: 'Hard to decide' });
    answerSellerDashboard([ad]);
    await openDashboard();
    const each = (fallback: string): [trouble: Trouble, text: string][] => [
      [silent, fallback],
      [m1, 'M1'],
    ];
    for (const [trouble, text] of each('Failed to load ad details')) {
      answer(getAdDetails, trouble);
      await entry(ad.title).click();
      await seeErrorToast(text);
      await expect.element(review()).not.toBeInTheDocument();
    }
    answer(getAdDetails, ad);
    await entry(ad.title).click();
    for (const [trouble, text] of each('Failed to approve ad')) {
      answer(approveAd, trouble);
      await review().getByRole('button', { name: 'Approve Ad' }).click();
      await seeErrorToast(text);
    }
    await review().getByRole('button', { name: 'Reject Ad' }).click();
    const reason = rejection().getByLabelText('Reason for rejection');
    await reason.fill('Not for us.');
    for (const [trouble, text] of each('Failed to reject ad')) {
      answer(rejectAd, trouble);
      await rejection().getByRole('button', { name: 'Reject Ad' }).click();
      await seeErrorToast(text);
    }
    await expect.element(reason).toHaveValue('Not for us.');
  });

  // Proves STATE-23, ERR-43
  it('sends no second decision, and says so when the ad was decided in the meantime', async () => {
    const ad = makeSubmission({ title: 'Decided elsewhere' });
    await openReview(ad);
    const { answer: held, release } = slow(makeAd());
    const calls = answer(approveAd, held);
    const button = review().getByRole('button', { name: 'Approve Ad' });
    await button.dblClick();
    await expect.element(button).toBeDisabled();
    await expect.element(review().getByRole('button', { name: 'Reject Ad' })).toBeDisabled();
    expect(calls).toHaveLength(1);
    release();
    await seeToast('Ad approved successfully');
    expect(calls).toHaveLength(1);

    answer(approveAd, refused(409, 'This ad is already approved.'));
    await entry(ad.title).click();
    answer(getAdDetails, { ...ad, status: 'approved' });
    await button.click();
    await seeErrorToast('This ad is already approved.');
    await see(saying('Its status is now approved.', review()));
  });

  // Proves ROLE-12, DASH-S-33
  it('is refused to a publisher who no longer sells, and keeps the ad and the reason', async () => {
    await openReview(makeSubmission());
    const noSeller = refused(403, 'You need the Ad Seller role to do this.');
    const calls = [answer(approveAd, noSeller), answer(rejectAd, noSeller)];
    await review().getByRole('button', { name: 'Approve Ad' }).click();
    await seeErrorToast('You need the Ad Seller role to do this.');
    await review().getByRole('button', { name: 'Reject Ad' }).click();
    const reason = rejection().getByLabelText('Reason for rejection');
    await reason.fill('Too loud');
    await rejection().getByRole('button', { name: 'Reject Ad' }).click();
    // The first toast is still open.
    await expect.poll(() => document.querySelectorAll('[data-variant=destructive]').length).toBe(2);
    await expect.element(reason).toHaveValue('Too loud');
    expect(calls.map(({ length }) => length)).toEqual([1, 1]);
  });

  // Proves DOOR-03
  it('shows the new version of an ad that was resubmitted meanwhile, before it can be decided', async () => {
    const ad = makeSubmission({ title: 'Harmless at first', version: 1 });
    await openReview(ad);
    const changed = refused(
      409,
      'The advertiser has changed this ad since you opened it. Review the new version first.',
    );
    const resubmit = (title: string, version: number) => {
      const current = { ...ad, title, version };
      answer(getAdDetails, current);
      answer(listPendingAds, [current]);
    };
    const approvals = answer(approveAd, changed);
    resubmit('Something else', 2);
    await review().getByRole('button', { name: 'Approve Ad' }).click();
    await see(review().getByText('The advertiser has changed this ad', { exact: true }));
    await see(review().getByText('Something else').first());

    const rejections = answer(rejectAd, changed);
    await review().getByRole('button', { name: 'Reject Ad' }).click();
    resubmit('Something else again', 3);
    await rejection().getByLabelText('Reason for rejection').fill('About the version before');
    await rejection().getByRole('button', { name: 'Reject Ad' }).click();
    await expect.element(rejection()).not.toBeInTheDocument();
    await see(review().getByText('Something else again').first());

    const last = answer(approveAd, makeAd({ status: 'approved' }));
    await review().getByRole('button', { name: 'Approve Ad' }).click();
    await expect.element(review()).not.toBeInTheDocument();
    const versions = [approvals, rejections, last].map((calls) => calls.map(({ body }) => body.version));
    expect(versions).toEqual([[1], [2], [3]]);
  });

  it('that was decided in another tab offers only to close, also while a reason is typed', async () => {
    const ad = makeSubmission();
    await openReview(ad);
    await review().getByRole('button', { name: 'Reject Ad' }).click();
    await rejection().getByLabelText('Reason for rejection').fill('Too loud');
    answer(getAdDetails, { ...ad, status: 'approved' });
    answer(listPendingAds, []);
    // The page loads its data again when the user returns to the tab.
    window.dispatchEvent(new Event('visibilitychange'));
    await expect.element(rejection()).not.toBeInTheDocument();
    await see(saying('Its status is now approved.', review()));
    expect(
      review()
        .getByRole('button', { name: /Approve|Reject/ })
        .elements(),
    ).toEqual([]);
    await review().getByRole('button', { name: 'Close' }).last().click();
    await expect.element(review()).not.toBeInTheDocument();
  });

  // Proves STATE-23
  it('sends a rejection only once after a double click', async () => {
    const ad = makeSubmission();
    await openReview(ad);
    await review().getByRole('button', { name: 'Reject Ad' }).click();
    await rejection().getByLabelText('Reason for rejection').fill('Too loud');
    const { answer: held, release } = slow(makeAd({ status: 'rejected' }));
    const calls = answer(rejectAd, held);
    const button = rejection().getByRole('button', { name: 'Reject Ad' });
    await button.dblClick();
    await expect.element(button).toBeDisabled();
    answer(listPendingAds, []);
    release();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    expect(calls).toHaveLength(1);
  });
});
