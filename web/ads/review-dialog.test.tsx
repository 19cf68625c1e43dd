import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { blockAdvertiser, listBlocked, unblockAdvertiser } from '#domain/ads/block-contract.ts';
import {
  approveAd,
  confirmTarget,
  getAdDetails,
  getAvailability,
  refuseTarget,
  type Submission,
} from '#domain/ads/contract.ts';
import { listTrusted, removeTrusted } from '#domain/ads/trust-contract.ts';
import { answer } from '#web/testing/answers.ts';
import { press, saying, see, seeToast } from '#web/testing/look.ts';
import { makeAd, makeSubmission, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { render } from '#web/testing/screen.tsx';
import { BlockedAdvertisers } from './blocked-advertisers.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { TrustedAdvertisers } from './trusted-advertisers.tsx';

const dialog = () => page.getByRole('dialog', { name: 'Review Ad Submission' });
const button = (name: string) => dialog().getByRole('button', { name });

/** Opens the review of this ad. Returns how often it closed itself. */
function openReview(members: Partial<Submission> = {}): { closed: number } {
  const state = { closed: 0 };
  answer(getAdDetails, makeSubmission(members));
  render(<ReviewDialog adId={31} onClose={() => state.closed++} />, { as: person('seller') });
  return state;
}

const SINCE = '2026-11-20T12:00:00.000Z';
const check = { checkedAt: SINCE, finalHost: null, problem: null, isContentChanged: false };

describe('the target in the review', () => {
  // Proves DEST-01
  it('is a look-alike host in Punycode, and says that it was not reached', async () => {
    openReview({
      targetUrl: 'https://xn--80ak6aa92e.com/login',
      displayTarget: 'https://xn--80ak6aa92e.com/login',
      targetCheck: { ...check, state: 'not_reached', problem: 'We couldn’t find this host name in the DNS.' },
    });
    await see(dialog().getByRole('link', { name: /^https:\/\/xn--80ak6aa92e\.com\/login/ }));
    await see(saying('Not reached: we couldn’t open this address', dialog()));
    await see(saying('Open it yourself before you decide.', dialog()));
  });

  const changed = {
    status: 'active',
    targetPause: { reason: 'changed', since: SINCE, from: 'coffee.example', to: 'elsewhere.example' },
  } as const;

  // Proves DEST-05
  it('has changed: the publisher accepts it by keyboard', async () => {
    const review = openReview(changed);
    await see(saying('It now leads to elsewhere.example. Look at the page before you decide.', dialog()));
    const calls = answer(confirmTarget, makeAd({ status: 'active' }));
    await press(button('Accept and show the ad'));
    await seeToast('Target accepted. The ad is shown again.');
    await expect.poll(() => review.closed).toBe(1);
    expect(calls).toMatchObject([{ params: { ref: { id: 31 } }, body: { host: 'elsewhere.example' } }]);
  });

  // Proves DEST-05
  it('has changed: the publisher ends the campaign', async () => {
    const review = openReview(changed);
    const calls = answer(refuseTarget, makeAd({ status: 'completed', endedReason: 'target_refused' }));
    await button('End the campaign').click();
    await expect.poll(() => review.closed).toBe(1);
    expect(calls).toMatchObject([{ params: { ref: { id: 31 } } }]);
  });

  // Proves DEST-05
  it('is not public: the publisher can only end the campaign', async () => {
    const review = openReview({
      status: 'active',
      targetPause: { reason: 'not_public', since: SINCE, from: 'router.example', to: 'router.example' },
    });
    await see(saying('the target isn’t public', dialog()));
    expect(
      dialog()
        .getByRole('button', { name: /^Accept/ })
        .elements(),
    ).toEqual([]);
    const calls = answer(refuseTarget, makeAd({ status: 'completed', endedReason: 'target_refused' }));
    await press(button('End the campaign'));
    await expect.poll(() => review.closed).toBe(1);
    expect(calls).toHaveLength(1);
  });
});

describe('the limits in the review', () => {
  it('are those of the ad, before the approval, with the views that they leave', async () => {
    const limited = { likely: 7, of: 130 };
    answer(getAvailability, sample(getAvailability.reply, { isLimited: true, limited }));
    openReview({
      targeting: {
        countries: ['DE'],
        hours: [{ from: 8, to: 20 }],
        timezone: 'UTC',
        paths: ['/sport/*', '/news'],
      },
    });
    for (const words of [
      'Countries: Germany',
      'Hours: 8:00 to 20:00 (time in UTC)',
      'Pages: /sport/*, /news',
    ])
      await see(saying(words, dialog()));
    await see(saying('Within the limits: about 7 of 130 views a day', dialog()));
    await see(saying('Few views: a price per view fits better.', dialog()));
  });

  it('are absent from an ad that is shown to everybody, which says so', async () => {
    openReview();
    await see(dialog().getByText('Everybody', { exact: true }));
  });

  it('name the views that each day needs', async () => {
    openReview({ minDayViews: 10 });
    await see(dialog().getByText('10 counted views'));
  });
});

describe('an advertiser', () => {
  it('is trusted in the review', async () => {
    openReview({ version: 2 });
    const calls = answer(approveAd, makeAd({ status: 'approved' }));
    await button('Approve and trust').click();
    expect(await seeToast('Ad approved successfully')).toContain(
      'Later ads for this target are approved at once.',
    );
    expect(calls).toMatchObject([{ body: { version: 2, trust: true } }]);
  });

  it('whom the publisher trusts is listed with the target until that ends', async () => {
    const trusted = [
      {
        id: 51,
        advertiser: { name: 'Bea Bright', businessName: null },
        host: 'coffee.example',
        websitePublicId: uuid(1),
        websiteName: 'Gazette',
        since: SINCE,
      },
    ];
    answer(listTrusted, trusted);
    const calls = answer(removeTrusted, () => {
      trusted.pop();
      return { success: true as const };
    });
    render(<TrustedAdvertisers />, { as: person('seller') });
    await page.getByRole('button', { name: 'Stop trusting Bea Bright for coffee.example' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop trusting' }).click();
    await see(saying('You trust no advertiser yet.'));
    expect(calls).toMatchObject([{ params: { id: 51 } }]);
  });

  it('is blocked in the review by keyboard, after a question', async () => {
    const review = openReview();
    await press(button('Block advertiser'));
    const question = page.getByRole('dialog', { name: 'Block Bea Bright?' });
    await see(saying('paid campaigns run on', question));
    const calls = answer(blockAdvertiser, { success: true, rejected: 1 });
    await press(question.getByRole('button', { name: 'Block advertiser' }));
    await seeToast('Advertiser blocked. Your settings list whom you block.');
    await expect.poll(() => review.closed).toBe(1);
    expect(calls).toMatchObject([{ body: { ad: { id: 31 } } }]);
  });

  it('whom the publisher blocks is listed until they unblock them by keyboard', async () => {
    const blocked = [{ id: 52, advertiser: { name: 'Bea Bright', businessName: null }, since: SINCE }];
    answer(listBlocked, blocked);
    const calls = answer(unblockAdvertiser, () => {
      blocked.pop();
      return { success: true as const };
    });
    render(<BlockedAdvertisers />, { as: person('seller') });
    await press(page.getByRole('button', { name: 'Unblock Bea Bright' }));
    await see(saying('You block no advertiser.'));
    expect(calls).toMatchObject([{ params: { id: 52 } }]);
  });
});
