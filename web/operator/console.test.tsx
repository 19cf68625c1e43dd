/** The frame of the console, and what an act does on every page. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { actAt, type OfferedAct, offeredAct } from '#domain/operator/console/act-contract.ts';
import { CONSEQUENCE } from '#domain/operator/limits.ts';
import { listOperatorRequests } from '#domain/operator/console/requests-contract.ts';
import {
  confirmConsole,
  getConsoleNotices,
  getConsoleSession,
} from '#domain/operator/console/session-contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const operator = person('both', { isOperator: true });
const session = sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true });
const act = (members: Partial<OfferedAct> = {}) =>
  sample(offeredAct, {
    path: '/api/operator/requests/3/decline',
    title: 'Decline the request',
    button: 'Decline',
    confirm: 'Decline the request',
    consequence: 'Nothing is refunded.',
    reason: 'required',
    reasons: ['Asked twice'],
    fields: [],
    hidden: {},
    ...members,
  });

/** The page of requests, on which one waits with this act. */
async function openRequests(offered: OfferedAct) {
  answer(getConsoleSession, session);
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: { '/operator/requests': 1 } });
  const [request] = sample(listOperatorRequests.reply).requests;
  answer(listOperatorRequests, {
    refundLimit: '500.00',
    requests: [
      {
        id: 3,
        words: 'Refund $612.00 for “Autumn”',
        reason: 'Goodwill',
        askedBy: 'pat@site.example',
        requestedAt: '2026-11-01T10:00:00.000Z',
        expiresAt: '2026-11-08T10:00:00.000Z',
        isOwn: false,
        ...request,
        acts: [offered],
      },
    ].map((each) => ({ ...each, id: 3, words: 'Refund $612.00 for “Autumn”' })),
  });
  await openPage('/operator/requests', { as: operator });
  await page.getByRole('button', { name: /^Decline: / }).click();
}
const sheet = () => page.getByRole('dialog', { name: 'Decline the request' });

it('an act says what it does, keeps what was typed after a refusal, and answers on the page', async () => {
  const calls = answer(
    actAt(act().path),
    refused(400, 'Please give a reason.', { issues: [{ path: 'reason', message: 'Please give a reason.' }] }),
  );
  await openRequests(act());
  await see(sheet().getByText('Nothing is refunded.'));
  await sheet().getByRole('button', { name: 'Asked twice' }).click();
  await sheet().getByLabelText('Reason').fill('Asked twice, see above');
  await sheet().getByRole('button', { name: 'Decline the request' }).click();
  await see(sheet().getByText('Please give a reason.'));
  await expect.element(sheet().getByLabelText('Reason')).toHaveValue('Asked twice, see above');
  answer(actAt(act().path), { said: 'Declined request 3.', next: null });
  await sheet().getByRole('button', { name: 'Decline the request' }).click();
  await see(page.getByText('Declined request 3.').first());
  await expect.element(sheet()).not.toBeInTheDocument();
  expect(calls[0]?.body).toEqual({ reason: 'Asked twice, see above', [CONSEQUENCE]: 'Nothing is refunded.' });
});

it('an act whose consequence has changed asks again with what is true now', async () => {
  answer(actAt(act().path), refused(409, 'This has changed', { [CONSEQUENCE]: '$5.00 goes back.' }));
  await openRequests(act());
  await sheet().getByLabelText('Reason').fill('Goodwill');
  await sheet().getByRole('button', { name: 'Decline the request' }).click();
  await see(sheet().getByText('$5.00 goes back.'));
  const calls = answer(actAt(act().path), { said: 'Declined request 3.', next: null });
  await sheet().getByRole('button', { name: 'Decline the request' }).click();
  await see(page.getByText('Declined request 3.').first());
  expect(calls[0]?.body).toMatchObject({ [CONSEQUENCE]: '$5.00 goes back.' });
});

it('an amount is read as people write it, and named by the button', async () => {
  const amount = {
    name: 'amount',
    label: 'Amount',
    kind: 'amount' as const,
    value: '3.00',
    isRequired: true,
    max: 12,
    hint: null,
    choices: [],
  };
  const calls = answer(actAt(act().path), { said: 'Refunded.', next: null });
  await openRequests(act({ fields: [amount], confirm: 'Refund {amount} to Ada', reason: 'none' }));
  // An empty amount is everything, so a required one is not sent empty.
  await sheet().getByLabelText('Amount').fill(' ');
  await sheet().getByRole('button', { name: 'Refund … to Ada' }).click();
  await see(sheet().getByText('Enter an amount.'));
  expect(calls).toEqual([]);
  await sheet().getByLabelText('Amount').fill('1,50');
  await sheet().getByRole('button', { name: 'Refund $1.50 to Ada' }).click();
  await see(page.getByText('Refunded.').first());
  expect(calls[0]?.body).toEqual({ amount: '1.50', [CONSEQUENCE]: 'Nothing is refunded.' });
});

it('a dangerous act asks for a code, and then goes on', async () => {
  answer(actAt(act().path), refused(403, 'Confirm that it’s you.', { code: REAUTHENTICATE }));
  await openRequests(act());
  await sheet().getByLabelText('Reason').fill('Goodwill');
  await sheet().getByRole('button', { name: 'Decline the request' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await expect.element(confirm.getByLabelText('Code')).toHaveFocus();
  // The sheet below doesn’t take the focus of the question for a wish to leave it.
  await expect.element(page.getByText('Discard what you typed?')).not.toBeInTheDocument();
  answer(confirmConsole, { success: true });
  answer(actAt(act().path), { said: 'Declined request 3.', next: null });
  await confirm.getByLabelText('Code').fill('123456');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await see(page.getByText('Declined request 3.').first());
});

it('opens only after a code or a passkey', async () => {
  answer(getConsoleSession, { ...session, isProven: false });
  await openPage('/operator', { as: operator });
  await see(page.getByRole('heading', { name: 'Confirm that it’s you' }));
});

it('a newer release is announced above every page, with a link to what is new', async () => {
  answer(getConsoleSession, session);
  answer(getConsoleNotices, {
    alarms: [],
    more: 0,
    outbound: null,
    update: { text: 'Openslot 9.1.0 is out, and this is 0.3.0.', url: 'https://openslot.example/9.1.0' },
    waiting: {},
  });
  answer(listOperatorRequests, { refundLimit: '500.00', requests: [] });
  await openPage('/operator/requests', { as: operator });
  await see(page.getByText('Openslot 9.1.0 is out, and this is 0.3.0.'));
  const link = page.getByRole('link', { name: 'What’s new' });
  await expect.element(link).toHaveAttribute('href', 'https://openslot.example/9.1.0');
});
