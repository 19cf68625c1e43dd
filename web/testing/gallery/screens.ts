/** The screens of the gallery: those of visitors, and those of publishers and advertisers. */
import { openResetLink } from '#domain/accounts/contract.ts';
import { beginPasskeySignIn } from '#domain/accounts/passkeys-contract.ts';
import { ad, getAd } from '#domain/ads/contract.ts';
import type { AdType } from '#domain/ads/types.ts';
import {
  getWebsite,
  listProducts,
  listZones,
  product,
  adZone,
  type Product,
} from '#domain/inventory/contract.ts';
import { listZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { listZoneYields } from '#domain/analytics/publisher-contract.ts';
import { watchZone, zoneWatch } from '#domain/delivery/zone-watch-contract.ts';
import { ZONE_TABS, type ZoneTab } from '#web/inventory/my-zones/zone-parts.ts';
import { createConsent, listConsents } from '#domain/payments/consent-contract.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { uuid } from '#web/testing/market.ts';
import { filled, type Filling } from '#web/testing/sample.ts';
import { CONSOLE_SCREENS } from './console-screens.ts';
import { both, buyer, member, moved, type Screen, seller, suspended, viewed } from './states.ts';

const ID = uuid(1);

/** The browser offers its passkeys while the visitor types. */
const noPasskeys = () => answer(beginPasskeySignIn, broken);

const DAYS = { pricingModel: 'per_day', duration: 7, impressions: null, clicks: null } as const;

/** An ad zone with this price, as the wizard reads it. */
const selling = (filling: Filling, option: Partial<Product>) => {
  answer(getWebsite, filled(getWebsite.reply, filling, { id: 1, publicId: ID }));
  answer(listZones, [filled(adZone, filling, { id: 1, publicId: ID, websiteId: 1, isActive: true })]);
  answer(listProducts, [filled(product, filling, { id: 1, adZoneId: 1, isActive: true, ...option })]);
};

/** The booking of an ad zone from its link. */
const booking = (name: string, option: Partial<Product>): Screen => ({
  name: `create an ad, ${name}`,
  path: `/create-ad?website=${ID}&zone=${ID}`,
  as: buyer,
  own: (filling: Filling) => selling(filling, { minQuantity: 1, maxQuantity: 8, step: 1, ...option }),
});

/** The last step of the wizard, for the only price of the only ad zone. */
const content = (adType: AdType): Screen => ({
  name: `create an ad, ${adType}`,
  path: `/create-ad?website=${ID}&zone=${ID}&type=${adType}&option=1&step=3`,
  as: buyer,
  own: (filling: Filling) => selling(filling, { adType, ...DAYS }),
});

/** No card is saved yet. */
function newConsent(filling: Filling): void {
  answer(
    getAd,
    filled(ad, filling, { publicId: ID, status: 'pending', pricingModel: 'per_click', clicks: 500 }),
  );
  answer(listConsents, []);
  answer(createConsent, filled(createConsent.reply, filling, { state: 'needs_card' }));
}

/** A tab of the page of an ad zone. */
const ownZone = (tab: ZoneTab) => ({
  path: `/ad-zones/${ID}?tab=${tab}`,
  as: seller,
  own: (filling: Filling) => {
    const names = { publicId: ID, websitePublicId: ID };
    answer(listZoneSales, [filled(listZoneSales.reply.element, filling, names)]);
    answer(getWebsite, filled(getWebsite.reply, filling, { id: 1, publicId: ID }));
    answer(listZones, [filled(adZone, filling, { id: 1, publicId: ID, websiteId: 1 })]);
    answer(listZoneYields, [filled(listZoneYields.reply.element, filling, { publicId: ID })]);
    answer(watchZone, filled(zoneWatch, filling, { from: '1' }));
  },
});

export const SCREENS: readonly Screen[] = [
  { name: 'landing page', path: '/', isStatic: true },
  { name: 'demo', path: '/demo', isStatic: true },
  { name: 'sign in', path: '/auth', isStatic: true, own: noPasskeys },
  { name: 'sign up', path: '/auth?tab=signup', isStatic: true, own: noPasskeys },
  { name: 'verification by a link', path: '/auth?verify=abc', isStatic: true },
  {
    name: 'reset by a link that is over',
    path: '/auth?reset=0123456789012345678901',
    isStatic: true,
    own: () => answer(openResetLink, refused(400, 'This link is no longer valid.')),
  },
  { name: 'invitation to an account', path: '/join?token=abc', isStatic: true },
  { name: 'home of a seller', path: '/', as: seller },
  { name: 'home of a buyer', path: '/', as: buyer },
  { name: 'dashboard of a seller', path: '/dashboard', as: seller },
  { name: 'dashboard of a buyer', path: '/dashboard', as: buyer },
  { name: 'marketplace', path: '/marketplace', as: both },
  { name: 'marketplace, table', path: '/marketplace?view=table', as: both },
  { name: 'create an ad, type', path: '/create-ad', as: buyer },
  { name: 'create an ad, without a place', path: '/create-ad?type=text&step=2', as: buyer },
  { name: 'create an ad, a site', path: `/create-ad?website=${ID}&type=text`, as: buyer },
  booking('days', DAYS),
  booking('views', { pricingModel: 'per_impression', duration: null, impressions: 1000, clicks: null }),
  content('text'),
  content('image'),
  content('video'),
  { name: 'ad zones', path: '/ad-zones', as: seller },
  ...ZONE_TABS.map((tab) => ({ name: `ad zone, ${tab}`, ...ownZone(tab) })),
  ...(['active', 'completed', 'pending', 'rejected'] as const).map((status) => ({
    name: `campaign, ${status}`,
    path: `/campaigns/${ID}`,
    as: buyer,
    own: (filling: Filling) => answer(getAd, filled(ad, filling, { publicId: ID, status, duration: 7 })),
  })),
  { name: 'earnings', path: '/earnings', as: seller },
  { name: 'results', path: '/results', as: both },
  { name: 'billing', path: '/billing', as: buyer },
  { name: 'transactions', path: '/transactions', as: buyer },
  { name: 'accounts', path: '/accounts', as: both },
  { name: 'checkout', path: `/checkout/${ID}`, as: buyer },
  {
    name: 'card for when an ad is approved',
    path: `/checkout/${ID}/on-approval`,
    as: buyer,
    own: newConsent,
  },
  {
    name: 'card for when the ads of a plan are approved',
    path: `/checkout/plans/${ID}/on-approval`,
    as: buyer,
    own: newConsent,
  },
  { name: 'plans', path: '/plans', as: buyer },
  { name: 'new plan', path: `/plans/new?zones=${ID}`, as: buyer },
  { name: 'plan', path: `/plans/${ID}`, as: buyer },
  { name: 'ledger', path: '/ledger/1', as: buyer },
  { name: 'looked at by an operator', path: '/nope', as: viewed, isStatic: true },
  { name: 'page of another role', path: '/billing', as: member, isStatic: true },
  { name: 'suspended account', path: '/', as: suspended },
  { name: 'suspended account of somebody else', path: '/', as: { ...suspended, ...member } },
  { name: 'nothing at this address', path: '/nope', as: both, isStatic: true },
  { name: 'settings, an address to confirm', path: '/settings', as: moved },
  ...['profile', 'business', 'notifications', 'billing', 'members', 'security', 'privacy'].map((tab) => ({
    name: `settings, ${tab}`,
    path: `/settings?tab=${tab}`,
    as: both,
  })),
  ...CONSOLE_SCREENS,
];
