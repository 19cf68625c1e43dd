/** The console's first page: the checklist before the marketplace sells, what waits, and the figures. */
import { expect, it } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { Reply } from '#domain/endpoint.ts';
import { actAt, offeredAct } from '#domain/operator/console/act-contract.ts';
import { CONSEQUENCE } from '#domain/operator/limits.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import {
  getToday,
  launchStep,
  overviewReply,
  type WaitingThing,
  waitingThing,
} from '#domain/operator/console/today-contract.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const operator = person('both', { isOperator: true });
const takeDown = sample(offeredAct, {
  path: '/api/operator/ads/7/take-down',
  title: 'Take down the ad',
  button: 'Take down the ad',
  confirm: 'Take down the ad',
  consequence: 'You can’t undo this.',
  isHarmful: true,
  reason: 'required',
});
const thing = (title: string, members: Partial<WaitingThing> = {}) =>
  sample(waitingThing, {
    key: title,
    kind: 'Reported ad',
    title,
    text: '2 reports: It is misleading or a scam',
    path: '/operator/requests',
    picture: { kind: 'text', src: null },
    ...members,
  });
const overview = sample(overviewReply, {
  from: '2026-11-02',
  to: '2026-12-01',
  sales: '668.00',
  revenue: '61.46',
  previous: { ...sample(overviewReply).previous, sales: '334.00', revenue: '0.00' },
  days: [
    { day: '2026-11-30', sales: '668.00', revenue: '61.46' },
    { day: '2026-12-01', sales: '0.00', revenue: '0.00' },
  ],
});
const EMPTY: Reply<typeof getToday> = {
  launch: null,
  waiting: [],
  queues: [],
  yours: '40.76',
  yoursBefore: '28.76',
  overview,
  lastActs: [],
};

const expectText = async (locator: Locator, words: RegExp) =>
  await expect.poll(() => locator.query()?.textContent ?? '').toMatch(words);

async function open(today: Partial<Reply<typeof getToday>>, path = '/operator') {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  const calls = answer(getToday, { ...EMPTY, ...today });
  await openPage(path, { as: operator });
  return calls;
}

it('says what the operator earned, sold and may take out, each against the days before', async () => {
  const calls = await open({});
  await see(page.getByText('Nothing waits for you'));
  const figures = page.getByRole('region', { name: 'Figures' });
  await expectText(figures, /Earned\$61\.46\$0\.00 in the 2 days before/);
  await expectText(figures, /Sales\$668\.00\+100% on the 2 days before/);
  await expectText(figures, /Yours now\$40\.76What you may take out/);
  await page.getByRole('button', { name: '7 days' }).click();
  await expect.poll(() => calls.map(({ query }) => query.days)).toEqual([30, 7]);
  await page.getByRole('button', { name: 'All figures' }).click();
  await see(page.getByRole('cell', { name: 'Take rate' }));
  await expect
    .element(page.getByRole('link', { name: 'Download these figures as CSV' }))
    .toHaveAttribute('href', '/operator/overview.csv?days=2');
  await see(page.getByRole('slider', { name: 'Sales per day, 2 days' }));
});

it('says what is missing if the money does not cover what is owed', async () => {
  await open({ yours: '-12.00' });
  await expectText(page.getByRole('region', { name: 'Figures' }), /Missing now\$12\.00/);
});

it('begins with what is missing before the marketplace sells, with the acts of a step', async () => {
  const send = sample(offeredAct, {
    path: '/api/operator/launch/test-mail',
    title: 'Send a test mail to me',
    button: 'Send a test mail',
    confirm: 'Send a test mail',
    consequence: null,
    reason: 'none',
    hidden: { go: 'yes' },
  });
  await open({
    launch: [
      sample(launchStep, {
        name: 'Who sells',
        isDone: true,
        text: 'Slot Market, DE.',
        path: '/operator/settings',
      }),
      sample(launchStep, {
        name: 'Mail',
        text: 'No mailed code has come back yet.',
        path: '/operator/mail',
        acts: [send],
      }),
    ],
  });
  await see(page.getByRole('heading', { name: 'Before you sell: 1 of 2 done' }));
  await expectText(
    page.getByRole('listitem').filter({ hasText: 'Mail' }).first(),
    /^Mail: missingNo mailed code has come back yet\./,
  );
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Mail' }))
    .toHaveAttribute('href', '/operator/mail');
  const calls = answer(actAt(send.path), refused(409, 'There is no mail relay.'));
  await page.getByRole('button', { name: 'Send a test mail' }).click();
  const sheet = page.getByRole('dialog', { name: 'Send a test mail to me' });
  await sheet.getByRole('button', { name: 'Send a test mail' }).click();
  await see(sheet.getByText('There is no mail relay.'));
  expect(calls[0]?.body).toEqual({ go: 'yes' });
});

it('works the queue by keyboard: J and K move, an act takes the row away, and the next row has the focus', async () => {
  await open({
    waiting: [thing('Get rich'), thing('Cheap watches', { acts: [takeDown] }), thing('Diet pills')],
  });
  const row = (name: string) => page.getByRole('link', { name });
  await see(row('Get rich'));
  (row('Get rich').element() as HTMLElement).focus();
  await userEvent.keyboard('j');
  await expect.element(row('Cheap watches')).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}k');
  await expect.element(row('Cheap watches')).toHaveFocus();
  await userEvent.keyboard('{Tab}{Enter}');
  const sheet = page.getByRole('dialog', { name: 'Take down the ad' });
  // In the sheet they are letters.
  await sheet.getByLabelText('Reason').fill('');
  await userEvent.keyboard('jk');
  await expect.element(sheet.getByLabelText('Reason')).toHaveValue('jk');
  const calls = answer(actAt(takeDown.path), { said: 'The ad is taken down.', next: null });
  answer(getToday, { ...EMPTY, waiting: [thing('Get rich'), thing('Diet pills')] });
  await sheet.getByRole('button', { name: 'Take down the ad' }).click();
  await see(page.getByText('The ad is taken down.').first());
  expect(calls[0]?.body).toEqual({ reason: 'jk', [CONSEQUENCE]: 'You can’t undo this.' });
  await expect.element(row('Cheap watches')).not.toBeInTheDocument();
  await expect.element(row('Diet pills')).toHaveFocus();
});

it('offers to try again when the page can’t be loaded', async () => {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role: 'read', isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  answer(getToday, broken);
  await openPage('/operator', { as: operator });
  await see(page.getByRole('button', { name: 'Try again' }));
});
