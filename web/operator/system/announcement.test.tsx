import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt } from '#domain/operator/console/act-contract.ts';
import { getAnnouncement } from '#domain/operator/console/texts-contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { saying, see, seeToast } from '#web/testing/look.ts';
import { offered, openConsole } from '#web/testing/operator-console.ts';

const field = { isRequired: false, max: null, hint: null, choices: [], value: '' };
const announce = offered('/operator/announcement', 'Announce', {
  reason: 'optional',
  fields: [
    { ...field, name: 'text', label: 'Text', kind: 'text', isRequired: true, max: 300 },
    { ...field, name: 'until', label: 'Until, in UTC', kind: 'text' },
    { ...field, name: 'mail', label: 'Also by mail', kind: 'switch' },
  ],
});

it('announces a text until a time and by mail, and keeps what was typed after a refusal', async () => {
  answer(getAnnouncement, { present: null, acts: [announce] });
  await openConsole('/operator/announcement');
  await see(page.getByText('There is no announcement'));
  const message = 'Please choose a time in the future.';
  const calls = answer(actAt(announce.path), refused(400, message, { issues: [{ path: 'until', message }] }));
  await page.getByRole('button', { name: 'Announce' }).click();
  const sheet = page.getByRole('dialog', { name: 'Announce' });
  await sheet.getByLabelText('Text').fill('Payouts are late.');
  await sheet.getByLabelText(/^Until, in UTC/).fill('2020-01-01 18:00');
  await sheet.getByRole('switch', { name: 'Also by mail' }).click();
  await sheet.getByRole('button', { name: 'Announce' }).click();
  await see(sheet.getByText(message));
  await expect.element(sheet.getByLabelText('Text')).toHaveValue('Payouts are late.');
  await sheet.getByLabelText(/^Until, in UTC/).fill('2099-01-01 18:00');

  answer(actAt(announce.path), { said: 'Every page shows it within two seconds.', next: null });
  const end = offered('/operator/announcement/end', 'End it', { reason: 'optional', hidden: { end: 'yes' } });
  answer(getAnnouncement, {
    present: { text: 'Payouts are late.', until: '2099-01-01T18:00:00.000Z', mailed: 1, acts: [end] },
    acts: [{ ...announce, button: 'Announce something else' }],
  });
  await sheet.getByRole('button', { name: 'Announce' }).click();
  await seeToast('Every page shows it within two seconds.');
  await see(saying('Until Jan 1, 2099, 6:00 PM UTC. Mailed to 1 account so far.'));
  expect(calls[0]?.body).toEqual({
    text: 'Payouts are late.',
    until: '2020-01-01 18:00',
    mail: 'yes',
    reason: '',
  });

  const ends = answer(actAt(end.path), { said: 'No page shows it within two seconds.', next: null });
  await page.getByRole('button', { name: 'End it' }).click();
  answer(getAnnouncement, { present: null, acts: [announce] });
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
  await see(page.getByText('There is no announcement'));
  expect(ends[0]?.body).toEqual({ end: 'yes', reason: '' });
});
