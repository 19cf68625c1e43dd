/** The case files of the console. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt, type OfferedAct, offeredAct } from '#domain/operator/console/act-contract.ts';
import { CONSEQUENCE } from '#domain/operator/limits.ts';
import {
  type CaseEvent,
  getAdFile,
  getPersonFile,
  getWebsiteFile,
  getZoneFile,
} from '#domain/operator/console/cases-contract.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { see, wordsOf } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const operator = person('both', { isOperator: true });

async function openCase(path: string): Promise<void> {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  await openPage(path, { as: operator });
}

const act = (members: Partial<OfferedAct>) =>
  sample(offeredAct, { reason: 'required', reasons: [], fields: [], hidden: {}, ...members });

const event = (members: Partial<CaseEvent>): CaseEvent => ({
  key: 'begin',
  at: '2026-11-01T10:00:00.000Z',
  kind: 'begin',
  text: 'Signed up',
  by: null,
  detail: null,
  sum: null,
  link: null,
  ...members,
});

const refund = act({
  path: '/api/operator/ads/7/refund',
  title: 'Refund the advertiser',
  button: 'Refund',
  confirm: 'Refund {amount} to Ada',
  consequence: 'Refunds the undelivered part of the campaign, or less.',
  isHarmful: true,
  reasons: ['Goodwill, as agreed.'],
  fields: [
    {
      name: 'amount',
      label: 'Amount',
      kind: 'amount',
      value: '45.00',
      isRequired: false,
      max: 12,
      hint: null,
      choices: [],
    },
  ],
  hidden: { ref: '00000000-0000-4000-8000-000000000001' },
});

const ad = () =>
  sample(getAdFile.reply, {
    id: 7,
    name: 'Autumn <b>sale</b>',
    status: 'active',
    spend: '50.00',
    left: '45.00',
    creatives: [
      {
        adType: 'text',
        title: 'Autumn sale',
        description: 'Everything must go.',
        targetUrl: 'https://shop.example/',
        image: null,
        video: null,
      },
    ],
    timeline: [
      event({
        key: 'refund-1',
        kind: 'refund',
        text: 'Refunded',
        detail: 'Goodwill',
        sum: { amount: '1.50', currency: 'USD' },
      }),
      event({
        key: 'act-1',
        kind: 'act',
        text: 'Refunded the ad',
        by: 'pat@site.example',
        detail: '1.50 USD. Goodwill',
      }),
      event({ text: 'Submitted' }),
    ],
    acts: [refund],
  });

it('a refund is filled in with what is left, and the amount is in the timeline', async () => {
  answer(getAdFile, ad());
  await openCase('/operator/ads/7');
  await see(page.getByRole('heading', { name: 'Autumn <b>sale</b>' }));
  await see(page.getByRole('region', { name: 'Figures' }).getByText('$45.00'));
  const timeline = page.getByRole('region', { name: 'Timeline' });
  expect(wordsOf(timeline)).toContain('−$1.50');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Refund' }).click();
  const sheet = page.getByRole('dialog', { name: 'Refund the advertiser' });
  await see(sheet.getByRole('button', { name: 'Refund $45.00 to Ada' }));
  await sheet.getByRole('textbox', { name: /^Amount/ }).fill('1,50');
  await sheet.getByRole('button', { name: 'Goodwill, as agreed.' }).click();
  answer(actAt(refund.path), refused(409, 'Only 1.00 USD is left to refund.'));
  await sheet.getByRole('button', { name: 'Refund $1.50 to Ada' }).click();
  await see(sheet.getByText('Only 1.00 USD is left to refund.'));
  await expect.element(sheet.getByRole('textbox', { name: /^Amount/ })).toHaveValue('1,50');
  const calls = answer(actAt(refund.path), { said: 'Refunding $1.50 for ad 7.', next: null });
  answer(getAdFile, { ...ad(), left: '43.50' });
  await sheet.getByRole('button', { name: 'Refund $1.50 to Ada' }).click();
  await see(page.getByText('Refunding $1.50 for ad 7.').first());
  await see(page.getByRole('region', { name: 'Figures' }).getByText('$43.50'));
  expect(calls[0]?.body).toEqual({
    amount: '1.50',
    reason: 'Goodwill, as agreed.',
    ref: '00000000-0000-4000-8000-000000000001',
    [CONSEQUENCE]: refund.consequence,
  });
});

it('a suspended website says that alone, with the reason, and leads to its own pages', async () => {
  answer(
    getWebsiteFile,
    sample(getWebsiteFile.reply, {
      id: 3,
      name: 'The Daily Slot',
      status: 'active',
      url: 'https://daily.example/',
      shownUrl: 'https://daily.example/',
      publicPage: '/sites/daily.example',
      owner: { id: 5, email: 'bo@daily.example' },
      suspension: { since: '2026-11-02T10:00:00.000Z', reason: 'It copies another one.' },
      zones: [{ id: 9, name: 'Below the recipe', status: 'paused', isSuspended: false }],
    }),
  );
  await openCase('/operator/websites/3');
  const state = page.getByRole('list', { name: 'State' });
  await see(state.getByText('Suspended'));
  expect(wordsOf(state)).toBe('Suspended');
  await see(page.getByText('It copies another one.'));
  const site = page.getByRole('link', { name: 'https://daily.example/' });
  await expect.element(site).toHaveAttribute('rel', 'noreferrer');
  await expect
    .element(page.getByRole('link', { name: 'bo@daily.example' }))
    .toHaveAttribute('href', '/operator/people/5');
  await page.getByRole('tab', { name: 'Ads' }).click();
  await expect
    .element(page.getByRole('link', { name: 'Below the recipe' }))
    .toHaveAttribute('href', '/operator/zones/9');
  await see(page.getByText('No ad was submitted here.'));
});

it('the file of a person has websites, money, sessions and mail', async () => {
  answer(
    getPersonFile,
    sample(getPersonFile.reply, {
      id: 5,
      name: 'bo@daily.example',
      fullName: 'Bo Åkesson',
      status: 'verified',
      role: 'seller',
      commission: { percent: 12.5, isOwn: true },
      cancels: { counted: 2, allowed: 2, nextAt: '2026-11-03T10:00:00.000Z' },
      holds: [
        {
          id: 1,
          adPublicId: null,
          reason: 'payout_change',
          amount: '25.50',
          since: '2026-11-01T10:00:00.000Z',
          until: null,
        },
      ],
      onHold: '25.50',
      signIns: [{ device: 'Firefox on Linux', startedAt: null, lastUsedAt: null }],
      mails: [{ subject: 'Welcome', createdAt: '2026-11-01T10:00:00.000Z', state: 'sent' }],
    }),
  );
  await openCase('/operator/people/5');
  await see(page.getByText('E-mail verified'));
  expect(wordsOf(page.getByRole('region', { name: 'Figures' }))).toContain('12.5%');
  await page.getByRole('tab', { name: 'Money' }).click();
  await see(page.getByText('Payout change'));
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await see(page.getByText('Firefox on Linux'));
  await page.getByRole('tab', { name: 'Mail' }).click();
  await see(page.getByText('Welcome'));
});

it('a file that can’t be loaded says so, and can be loaded again', async () => {
  answer(getZoneFile, broken);
  await openCase('/operator/zones/4');
  await see(page.getByText('Could not load the ad zone'));
  answer(getZoneFile, sample(getZoneFile.reply, { id: 4, name: 'Sidebar', status: 'paused' }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await see(page.getByRole('heading', { name: 'Sidebar' }));
});

it('a file of something that doesn’t exist is no page', async () => {
  answer(getAdFile, refused(404, 'There is no ad with this number.'));
  await openCase('/operator/ads/8');
  await see(page.getByRole('heading', { name: /not found/i }));
});
