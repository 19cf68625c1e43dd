/** The main jobs by keyboard only. The focused element is visible at each stop. */
import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { login } from '#domain/accounts/contract.ts';
import { approveAd, createAd, getAdDetails, listPendingAds, rejectAd } from '#domain/ads/contract.ts';
import {
  createProduct,
  createWebsite,
  createZone,
  type AdZone,
  type Website,
} from '#domain/inventory/contract.ts';
import { paymentSuccess, sandboxConfirm } from '#domain/payments/contract.ts';
import { answerCheckout } from '#web/testing/account.ts';
import { answer } from '#web/testing/answers.ts';
import { choose, enter, tabTo, write } from '#web/testing/keyboard.ts';
import { see } from '#web/testing/look.ts';
import {
  makeAd,
  makeOffered,
  makeProduct,
  makeSubmission,
  makeWebsite,
  makeZone,
  uuid,
} from '#web/testing/market.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import {
  answerAdZones,
  answerBuyerDashboard,
  answerSellerDashboard,
  answerWizard,
  answerMyAds,
} from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const button = (name: string | RegExp) => page.getByRole('button', { name });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const field = (label: string) => page.getByLabelText(label, { exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });
const seeHeading = (name: string | RegExp) => see(page.getByRole('heading', { name }).first());

afterEach(() => {
  vi.restoreAllMocks();
});

it('an advertiser can sign in, book an ad zone and pay for it by keyboard only', async () => {
  const user = person('buyer');
  answerNewAccount();
  answerBuyerDashboard();
  answerWizard({
    websites: [makeOffered({ name: 'The Quiet Page' })],
    zones: [makeZone({ name: 'Margin' })],
  });
  await openPage('/');
  await enter(link('Login'));
  await seeHeading('Welcome back');
  answer(login, { user });
  await write(field('Email'), user.email);
  await write(field('Password'), 'a long enough secret');
  await userEvent.keyboard('{Enter}');
  await seeHeading(/^Welcome back, /);
  await enter(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Marketplace' }));
  await seeHeading('Marketplace');
  await tabTo(page.getByRole('searchbox', { name: 'Search' }));
  await userEvent.keyboard('quiet');
  await expect.poll(() => window.location.search).toContain('search=quiet');
  await enter(link('Advertise Here'));
  // The website sells text ads only, so the first step is done.
  await seeHeading('Select Placement');
  await see(page.getByRole('heading', { name: /^Margin on / }));
  await enter(button('Continue'));
  await seeHeading('Create Content');

  // Submit the empty form: the first invalid field gets the focus.
  await enter(button('Submit for Approval'));
  await expect.element(field('Title')).toHaveFocus();
  await expect.element(field('Title')).toBeInvalid();
  await userEvent.keyboard('By hand');
  await write(field('Description'), 'No mouse.');
  await write(field('Target URL'), 'https://k.example');
  const orders = answer(createAd, ({ body: { title, description, targetUrl } }) =>
    makeAd({ title, description, targetUrl }),
  );
  answerMyAds([makeAd({ title: 'By hand' })]);
  await enter(button('Submit for Approval'));
  await seeHeading('Dashboard');
  expect(orders).toMatchObject([{ body: { title: 'By hand', description: 'No mouse.' } }]);

  const approved = makeAd({ title: 'By hand', status: 'approved' });
  answerMyAds([approved]);
  // The page loads its data again when the user returns to the tab.
  window.dispatchEvent(new Event('visibilitychange'));
  answerCheckout(approved);
  await enter(page.getByRole('link', { name: 'Pay Now' }));
  await seeHeading('Checkout');
  await write(field('Card number'), '4242 4242 4242 4242');
  await write(field('Expiry'), '12 / 40');
  await write(field('CVC'), '123');
  await write(field('Name on card'), 'Abe Keys');
  const live = makeAd({ title: 'By hand', status: 'active' });
  const cards = answer(sandboxConfirm, { paymentIntentId: 'pi_1', status: 'succeeded' });
  answer(paymentSuccess, { success: true, ad: live });
  answerMyAds([live]);
  await enter(button(/^Pay \$/));
  await expect
    .poll(() => window.location.pathname + window.location.search)
    .toBe('/dashboard?payment=success');
  await see(page.getByText('Live', { exact: true }).first());
  expect(cards).toMatchObject([{ body: { number: '4242 4242 4242 4242', expMonth: 12, cvc: '123' } }]);
});

it('a publisher can add a website, an ad zone and prices by keyboard only', async () => {
  const websites: Website[] = [];
  const zones: AdZone[] = [];
  answerNewAccount();
  answerAdZones({ websites, zones, products: [] });
  const sites = answer(createWebsite, ({ body: { name, url } }) => {
    const made = makeWebsite({ name, url });
    websites.push(made);
    return made;
  });
  const made = answer(createZone, ({ body: { name, zoneType } }) => {
    const zone = makeZone({ name, zoneType });
    zones.push(zone);
    return zone;
  });
  const prices = answer(createProduct, ({ body: { adType } }) => makeProduct({ price: '25.00', adType }));
  await openPage('/', { as: person('seller') });
  await seeHeading(/^Welcome back, /);
  await enter(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Ad Zones' }));
  await see(page.getByText('No websites found'));
  await enter(button('Add Your First Website'));
  await see(dialog('Add Your Website'));
  // The first field of the form has the focus.
  await userEvent.keyboard('https://k.example');
  const inDialog = (label: string) => page.getByRole('dialog').getByLabelText(label, { exact: false });
  await write(inDialog('Website name'), 'By Keys');
  await choose(inDialog('Category'), 'Tech');
  await enter(button('More details (optional)'));
  await write(inDialog('Monthly visitors'), '51000');
  await enter(page.getByRole('dialog').getByRole('button', { name: 'Add Website' }));

  await see(dialog('Create Ad Zone'));
  await write(inDialog('Ad zone name'), 'Sidebar');
  await choose(inDialog('Zone type'), 'Rect');
  await enter(dialog('Create Ad Zone').getByRole('button', { name: 'Create Ad Zone' }));
  await see(dialog('Set Pricing'));
  await write(inDialog('Price (USD)'), '25');
  await tabTo(button('Save Pricing'));
  // The page is loaded anew a second after the prices are saved, which would end this test.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await userEvent.keyboard('{Enter}');
  const saved = () => {
    vi.advanceTimersByTime(1);
    return document.body.innerText.includes('Pricing saved successfully');
  };
  await expect.poll(saved).toBe(true);
  expect(sites).toMatchObject([
    { body: { name: 'By Keys', url: 'https://k.example', category: 'Technology', monthlyVisitors: 51_000 } },
  ]);
  expect(made).toMatchObject([{ body: { name: 'Sidebar', zoneType: 'rectangle' } }]);
  expect(new Set(prices.map(({ body }) => body.price))).toEqual(new Set(['25']));
});

it('a publisher can copy the code, and reject and approve ads by keyboard only', async () => {
  answerNewAccount();
  answerAdZones({
    websites: [makeWebsite()],
    zones: [makeZone({ embedCode: '<ad-zone zone="1"></ad-zone>' })],
    products: [makeProduct()],
  });
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await openPage('/ad-zones', { as: person('seller') });
  await enter(button(/^Code for Sidebar/));
  await see(dialog('Embed code'));
  await enter(button(/^Copy code/));
  await see(page.getByText('Copied!', { exact: true }).first());
  expect(copied.mock.lastCall?.[0]).toContain('<ad-zone');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  const ads = ['To be refused', 'To be shown'].map((title, at) =>
    makeSubmission({ id: 31 + at, publicId: uuid(31 + at), title }),
  );
  answerSellerDashboard(ads);
  answer(getAdDetails, ({ params: { ref } }) => ads.find(({ id }) => 'id' in ref && ref.id === id)!);
  const rejected = answer(rejectAd, makeAd({ id: 31, status: 'rejected' }));
  const approved = answer(approveAd, makeAd({ id: 32, status: 'approved' }));
  await enter(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }));
  await enter(button(/To be refused/));
  await enter(button('Reject Ad'));
  await see(dialog('Reject Ad'));
  await userEvent.keyboard('Too loud.');
  answer(listPendingAds, ads.slice(1));
  await enter(dialog('Reject Ad').getByRole('button', { name: 'Reject Ad' }));
  await see(page.getByText('Ad rejected successfully. The advertiser has been notified.').first());
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await enter(button(/To be shown/));
  answer(listPendingAds, []);
  await enter(button('Approve Ad'));
  await see(page.getByText('Ad approved successfully').first());
  expect(rejected).toMatchObject([{ params: { ref: { id: 31 } }, body: { rejectionReason: 'Too loud.' } }]);
  expect(approved).toMatchObject([{ params: { ref: { id: 32 } } }]);
});
