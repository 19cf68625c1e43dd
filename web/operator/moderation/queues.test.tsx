/** The queues of moderation: reports, answers, new websites, ownership claims and withdrawals. */
import { expect, it } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { actAt, type OfferedAct, offeredAct } from '#domain/operator/console/act-contract.ts';
import { CONSEQUENCE } from '#domain/operator/limits.ts';
import {
  getAppeal,
  listAppeals,
  listNewWebsites,
  listOperatorWithdrawals,
  listOwnershipClaims,
} from '#domain/operator/console/queues-contract.ts';
import { listReportedAds } from '#domain/operator/console/reports-contract.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const operator = person('both', { isOperator: true });
const act = (button: string, path: string, members: Partial<OfferedAct> = {}) =>
  sample(offeredAct, {
    button,
    path,
    title: button,
    confirm: button,
    consequence: null,
    reason: 'required',
    ...members,
  });

const expectText = async (locator: Locator, words: RegExp) =>
  await expect.poll(() => locator.query()?.textContent ?? '').toMatch(words);

async function open(path: string) {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  await openPage(path, { as: operator });
}

it('a reported ad is judged in its row, and a refusal keeps what was typed', async () => {
  const dismiss = act('Dismiss the reports', '/api/operator/ads/7/dismiss-reports');
  answer(listReportedAds, [
    sample(listReportedAds.reply.element, {
      adId: 7,
      title: 'Cheap watches',
      description: 'All brands',
      targetUrl: 'https://watches.example/',
      reports: 2,
      reasons: ['misleading', 'other'],
      picture: { kind: 'image', src: null },
      acts: [dismiss],
    }),
  ]);
  await open('/operator/reports');
  const row = page.getByRole('listitem').filter({ hasText: 'Cheap watches' });
  await expectText(row, /Leads to https:\/\/watches\.example\//);
  await expectText(row, /2 reports since .*: It is misleading or a scam; Something else/);
  await row.getByRole('button', { name: 'Dismiss the reports: Cheap watches' }).click();
  const sheet = page.getByRole('dialog', { name: 'Dismiss the reports' });
  answer(actAt(dismiss.path), refused(409, 'This ad has no open reports.'));
  await sheet.getByLabelText('Reason').fill('The watches are real');
  await sheet.getByRole('button', { name: 'Dismiss the reports' }).click();
  await see(sheet.getByText('This ad has no open reports.'));
  await expect.element(sheet.getByLabelText('Reason')).toHaveValue('The watches are real');
});

it('an answer is read and decided, and leads back to the queue', async () => {
  const decide = act('Decide', '/api/operator/appeals/5', {
    title: 'Decide about the answer',
    consequence: 'A reversed suspension ends now.',
    fields: [
      {
        name: 'outcome',
        label: 'Does the decision stand?',
        kind: 'choice',
        value: '',
        isRequired: true,
        max: null,
        hint: null,
        choices: [
          { value: 'upheld', label: 'It stands' },
          { value: 'reversed', label: 'It is reversed' },
        ],
      },
    ],
  });
  const shown = {
    decision: 'Suspended the website “Alpine”',
    reason: 'Unclear owner',
    answer: 'It is mine.',
  };
  answer(
    getAppeal,
    sample(getAppeal.reply, {
      ...shown,
      id: 5,
      about: { label: 'Open the website', path: '/operator/websites/1' },
      acts: [decide],
    }),
  );
  await open('/operator/appeals/5');
  for (const text of Object.values(shown)) await see(page.getByText(text));
  await expect
    .element(page.getByRole('link', { name: 'Open the website' }))
    .toHaveAttribute('href', '/operator/websites/1');
  answer(listAppeals, []);
  const calls = answer(actAt(decide.path), { said: 'The decision is reversed.', next: '/operator/appeals' });
  await page.getByRole('button', { name: 'Decide' }).click();
  const sheet = page.getByRole('dialog', { name: 'Decide about the answer' });
  await sheet.getByLabelText('Does the decision stand?').selectOptions('It is reversed');
  await sheet.getByLabelText('Reason').fill('You are right');
  await sheet.getByRole('button', { name: 'Decide' }).click();
  await see(page.getByText('No answers wait for you'));
  expect(calls[0]?.body).toEqual({
    outcome: 'reversed',
    reason: 'You are right',
    [CONSEQUENCE]: 'A reversed suspension ends now.',
  });
});

it('an answer that was decided says how, and is not decided again', async () => {
  answer(
    getAppeal,
    sample(getAppeal.reply, { id: 5, outcome: 'upheld', outcomeReason: 'We read it again', acts: [] }),
  );
  await open('/operator/appeals/5');
  await see(page.getByText('Upheld'));
  await see(page.getByText('We read it again'));
  await expect.element(page.getByRole('button', { name: 'Decide' })).not.toBeInTheDocument();
});

it('a new website has its address, its publisher and what was asked', async () => {
  answer(listNewWebsites, [
    sample(listNewWebsites.reply.element, {
      name: 'Alpine',
      url: 'https://alpine.example/',
      category: 'Travel',
      owner: { id: 4, email: 'pat@alpine.example' },
      question: 'Who writes it?',
      acts: ['Show', 'Ask', 'Hide'].map((button) =>
        act(button, `/api/operator/new-websites/1/${button.toLowerCase()}`),
      ),
    }),
  ]);
  await open('/operator/new-websites');
  const row = page.getByRole('listitem').filter({ hasText: 'Who writes it?' });
  await expectText(row, /Travel, by pat@alpine\.example/);
  await expect
    .element(row.getByRole('link', { name: 'https://alpine.example/' }))
    .toHaveAttribute('rel', 'noopener noreferrer nofollow');
  for (const name of ['Show: Alpine', 'Ask: Alpine', 'Hide: Alpine'])
    await see(row.getByRole('button', { name }));
});

it('an ownership claim shows both sides', async () => {
  const side = (email: string, verifiedAt: string | null) => ({
    id: 1,
    name: `Site of ${email}`,
    owner: { id: 2, email },
    verifiedAt,
  });
  answer(listOwnershipClaims, [
    {
      id: 1,
      url: 'https://alpine.example',
      openedAt: '2026-11-28T10:00:00.000Z',
      holder: side('pat@site.example', '2026-11-01T10:00:00.000Z'),
      claimant: side('bo@site.example', null),
      acts: [act('Decide for the other account', '/api/operator/websites/1/decide-ownership')],
    },
  ]);
  await open('/operator/claims');
  await expectText(
    page.getByRole('listitem').filter({ hasText: 'https://alpine.example' }),
    /Verified accountpat@site.example, website .*, verified since .*Other accountbo@site.example/,
  );
});

it('withdrawals are the open ones, or all of them with why one stays', async () => {
  const calls = answer(listOperatorWithdrawals, ({ query: { all } }) =>
    all === undefined
      ? []
      : [
          sample(listOperatorWithdrawals.reply.element, {
            id: 9,
            views: 200,
            clicks: 1,
            zone: { id: 1, name: 'Header' },
            website: { id: 2, name: 'Alpine' },
            signals: ['One network'],
            isFinal: true,
          }),
        ],
  );
  await open('/operator/withdrawals');
  await see(page.getByText('There is no withdrawal that you can overrule'));
  await page.getByRole('button', { name: 'All' }).click();
  await see(page.getByText('Withdrawal 9: 200 views, 1 click'));
  await see(page.getByText('The month of these hours is finished.'));
  expect(calls.map(({ query }) => query.all)).toEqual([undefined, '1']);
  expect(window.location.search).toBe('?all=1');
});
