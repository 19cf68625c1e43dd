/** Every dialog, menu and toast that opens over a screen, and how to open it. */
import { listSessions, openSession, updateSettings } from '#domain/accounts/contract.ts';
import { listMembers, member } from '#domain/accounts/members-contract.ts';
import { ad, getAd, getAdDetails, type Ad } from '#domain/ads/contract.ts';
import type { AdType } from '#domain/ads/types.ts';
import { getLandings } from '#domain/delivery/landings-contract.ts';
import { watchZone, zoneWatch } from '#domain/delivery/zone-watch-contract.ts';
import { getVerification, listMyWebsites, verification, website } from '#domain/inventory/contract.ts';
import { PROOF_WAYS } from '#domain/inventory/ownership.ts';
import {
  createPaymentIntent,
  findSavedCard,
  paymentsConfig,
  sandboxConfirm,
} from '#domain/payments/contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { uuid } from '#web/testing/market.ts';
import { answerMyAds } from '#web/testing/screens.ts';
import { press, pressAt, said, seen, write } from './hand.ts';
import { filled, type Filling } from '#web/testing/sample.ts';
import { both, buyer, newcomer, seller, type Screen } from './states.ts';

export type Layer = Screen & { open: () => Promise<void>; isNarrow?: true };

/** One website, which is not folded. */
const zones = {
  path: '/ad-zones',
  as: seller,
  own: (filling: Filling) => {
    answer(listMyWebsites, [filled(website, filling)]);
    answer(watchZone, filled(zoneWatch, filling, { from: '1' }));
  },
};
const sales = { path: '/dashboard', as: seller };
const purchases = { path: '/dashboard', as: buyer };
const notifications = { path: '/settings?tab=notifications', as: buyer };
/** The only ad of the buyer. */
const ownAd = (members: Partial<Ad>) => (filling: Filling) => {
  const one = filled(ad, filling, { publicId: uuid(1), ...members });
  answerMyAds([one]);
  answer(getAd, one);
  answer(getAdDetails, filled(getAdDetails.reply, filling, { publicId: uuid(1), ...members }));
};
const edit = (adType: AdType) => ({
  path: `/dashboard?editAd=${uuid(1)}`,
  as: buyer,
  own: ownAd({ status: 'rejected', adType, adZonePublicId: uuid(1) }),
});
const liveAd = {
  ...purchases,
  own: ownAd({ status: 'active', paused: null, advertiserPause: null, duration: 7 }),
};
const review = async (): Promise<void> => await pressAt('[data-testid=pending-approvals] button');

/** An item of the menu of the first ad zone. */
const inMenuOfZone = async (item: string): Promise<void> => {
  await press(/^More for/);
  await press(item, 'menuitem');
};

/** An item of the menu of the only campaign. */
const inMenuOfCampaign = async (item: string): Promise<void> => {
  await press(/^More for/);
  await press(item, 'menuitem');
};

export const LAYERS: readonly Layer[] = [
  { name: 'menu of the account', path: '/', as: buyer, open: async () => await press(/^Account/) },
  {
    name: 'menu of the phone',
    path: '/',
    as: buyer,
    isNarrow: true,
    open: async () => await press('Open menu'),
  },
  { name: 'role', path: '/', as: newcomer, open: async () => await seen('[role=dialog]') },
  { name: 'review of an ad', ...sales, open: async () => await review() },
  {
    name: 'rejection of an ad, with its error',
    ...sales,
    open: async () => {
      await review();
      await press('Reject Ad');
      await said('Reason');
      await press('Reject Ad');
      await said('Please provide a reason for rejection');
    },
  },
  {
    name: 'edit of a text ad, with an error',
    ...edit('text'),
    open: async () => {
      await write('Title', '');
      await press('Update & Resubmit');
      await said('Title is required');
    },
  },
  { name: 'edit of an image ad', ...edit('image'), open: async () => await seen('[role=dialog] input') },
  {
    name: 'media library over the edit',
    ...edit('image'),
    open: async () => {
      await press('Choose from Media Library');
      await press(/filename/);
    },
  },
  {
    name: 'media library, upload',
    ...edit('image'),
    open: async () => {
      await press('Choose from Media Library');
      await press('Upload New', 'tab');
    },
  },
  {
    name: 'new website, with errors',
    ...zones,
    open: async () => {
      await press('Add Website');
      await seen('[role=dialog]');
      await press('Add Website');
      await seen('[aria-invalid]');
    },
  },
  {
    name: 'new ad zone, with errors',
    ...zones,
    open: async () => {
      await press('Create Ad Zone');
      await seen('[role=dialog]');
      await press('Create Ad Zone');
      await said('Please select a website first');
    },
  },
  {
    name: 'settings of an ad zone',
    ...zones,
    open: async () => {
      await press(/Settings$/);
      await said('Rename');
    },
  },
  {
    name: 'edit of a website, with errors',
    ...zones,
    open: async () => {
      await press(/^Manage /);
      await press('Edit website', 'menuitem');
      await write('Website name', '');
      await press('Save Website');
      await seen('[aria-invalid]');
    },
  },
  {
    name: 'page, badge and media kit of a website',
    ...zones,
    open: async () => {
      await press(/^Manage /);
      await press('Share website', 'menuitem');
    },
  },
  {
    name: 'code of an ad zone',
    ...zones,
    open: async () => {
      await press(/^Code for/);
      await seen('[role=dialog] code');
    },
  },
  // These two have every kind of part of the other tabs.
  ...['Hugo', 'Other ways'].map((tab) => ({
    name: `code of an ad zone, ${tab}`,
    ...zones,
    open: async () => {
      await press(/^Code for/);
      await press(tab, 'tab');
      await seen('[role=dialog] code');
    },
  })),
  { name: 'menu of an ad zone', ...zones, open: async () => await press(/^More for/) },
  {
    name: 'ownership of a website',
    ...zones,
    own: (filling) => {
      zones.own(filling);
      // One proof for each way.
      answer(getVerification, filled(verification, { ...filling, items: PROOF_WAYS.length }));
    },
    open: async () => {
      await press(/^(?:Verify|Verification)/);
      await said('Meta tag');
    },
  },
  { name: 'contents of an ad zone', ...zones, open: async () => await inMenuOfZone('What’s showing?') },
  { name: 'test of an ad zone', ...zones, open: async () => await inMenuOfZone('Test my zone') },
  { name: 'deletion of an ad zone', ...zones, open: async () => await inMenuOfZone('Delete') },
  {
    name: 'contents of all ad zones',
    ...sales,
    open: async () => await press('Why is an ad not showing?'),
  },
  {
    name: 'menu of a campaign',
    ...liveAd,
    open: async () => await press(/^More for/),
  },
  {
    name: 'pause of a campaign',
    ...liveAd,
    open: async () => {
      await inMenuOfCampaign('Pause');
      await seen('[role=dialog] input');
    },
  },
  {
    name: 'cancellation of a campaign',
    ...liveAd,
    open: async () => {
      await inMenuOfCampaign('Cancel campaign');
      await seen('[data-testid=refund-amount]');
    },
  },
  {
    name: 'landings of a campaign, with the question about the key',
    ...liveAd,
    path: `/campaigns/${uuid(1)}`,
    own: (filling) => {
      liveAd.own(filling);
      answer(getLandings, filled(getLandings.reply, filling, { enabled: true }));
    },
    open: async () => {
      await press('Landings');
      await press('Remove the key');
      await said('Remove the key?');
    },
  },
  {
    name: 'links to the report of a plan',
    path: `/plans/${uuid(1)}`,
    as: buyer,
    open: async () => {
      await press('Share report');
      await said('Who is it for?');
    },
  },
  {
    name: 'reasons why an ad is not showing',
    ...liveAd,
    open: async () => await inMenuOfCampaign('Not showing?'),
  },
  {
    name: 'deletion of the account',
    path: '/settings?tab=privacy',
    as: seller,
    open: async () => await press('Delete Account'),
  },
  {
    name: 'withdrawal of an invitation',
    path: '/settings?tab=members',
    as: both,
    own: (filling) =>
      answer(listMembers, [
        filled(member, filling, { id: 1, isYou: false, invitedUntil: '2030-01-01T00:00:00.000Z' }),
      ]),
    open: async () => await press(/^Withdraw/),
  },
  {
    name: 'end of all other sessions',
    path: '/settings?tab=security',
    as: buyer,
    own: (filling) =>
      answer(
        listSessions,
        [true, false].map((isCurrent, at) => filled(openSession, filling, { id: uuid(at), isCurrent })),
      ),
    open: async () => await press('Sign out everywhere else'),
  },
  {
    name: 'challenge of a card',
    path: `/checkout/${uuid(1)}`,
    as: buyer,
    own: (filling) => {
      ownAd({ status: 'approved' })(filling);
      answer(paymentsConfig, filled(paymentsConfig.reply, filling, { provider: 'sandbox' }));
      answer(createPaymentIntent, { clientSecret: 'pi_1_secret_1' });
      answer(findSavedCard, { card: null });
      answer(sandboxConfirm, { paymentIntentId: 'pi_1', status: 'requires_action' });
    },
    open: async () => {
      await write('Card number', '4000 0000 0000 3220');
      await write('Expiry', '12 / 40');
      await write('CVC', '123');
      await write('Name on card', 'Abe Ads');
      await press(/^Pay/);
      await said('Confirm your payment');
    },
  },
  {
    name: 'toast',
    ...notifications,
    own: (filling) => answer(updateSettings, filled(updateSettings.reply, filling)),
    open: async () => {
      await press('Marketing emails', 'switch');
      await said('Settings Updated');
    },
  },
  {
    name: 'toast of a failure',
    ...notifications,
    own: () => answer(updateSettings, refused(422, 'No')),
    open: async () => {
      await press('Marketing emails', 'switch');
      await said('Update Failed');
    },
  },
];
