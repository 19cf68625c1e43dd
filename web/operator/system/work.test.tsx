/** The pages about the server's own work: Jobs and Mail. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt } from '#domain/operator/console/act-contract.ts';
import { listJobs, listMail, listTurnedOff } from '#domain/operator/console/system-contract.ts';
import { answer } from '#web/testing/answers.ts';
import { saying, see, seeToast } from '#web/testing/look.ts';
import { offered, openConsole } from '#web/testing/operator-console.ts';

const AT = '2026-11-30T10:00:00.000Z';
const job = {
  id: 91,
  name: 'send-message',
  attempts: 25,
  maxAttempts: 25,
  isRunning: false,
  runAt: AT,
  lastError: 'connect ECONNREFUSED',
  acts: [offered('/operator/jobs/91/retry', 'Retry'), offered('/operator/jobs/91/drop', 'Drop')],
};

it('lists the jobs, or those that failed, and retries one', async () => {
  const lists = answer(listJobs, [
    job,
    { ...job, id: 90, name: 'remove-expired', attempts: 1, isRunning: true, lastError: null, acts: [] },
  ]);
  await openConsole('/operator/jobs?failed=1');
  const choice = page.getByRole('group', { name: 'Which jobs' });
  await expect
    .element(choice.getByRole('button', { name: 'Failed' }))
    .toHaveAttribute('aria-pressed', 'true');
  await see(page.getByText('connect ECONNREFUSED'));
  await see(saying('Job 91, 25 of 25 tries, not tried again'));
  expect(lists[0]?.query).toEqual({ failed: '1' });
  await choice.getByRole('button', { name: 'All' }).click();
  await expect.poll(() => lists.at(-1)?.query).toEqual({});
  expect(window.location.search).toBe('');

  const calls = answer(actAt('/api/operator/jobs/91/retry'), { said: 'Job 91 runs again now.', next: null });
  await page.getByRole('button', { name: 'Retry: send-message, job 91' }).click();
  await page.getByLabelText('Reason').fill('The relay is back');
  answer(listJobs, []);
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await seeToast('Job 91 runs again now.');
  expect(calls[0]?.body).toEqual({ reason: 'The relay is back' });
  await see(page.getByText('No job is queued'));
});

it('lists unsent mail without its text, or all mail to an address, and sends one again', async () => {
  const again = offered('/operator/mail/3/resend', 'Send again');
  const mail = {
    id: 3,
    subject: 'Your code',
    recipient: 'ann@site.example',
    createdAt: AT,
    sentAt: null,
    state: '3 tries. connect ECONNREFUSED',
    acts: [again],
  };
  answer(listTurnedOff, [{ address: 'gone@site.example', hardBounces: 3, lastBounceAt: AT }]);
  const lists = answer(listMail, [mail]);
  await openConsole('/operator/mail');
  await see(page.getByText('Your code'));
  await see(saying('ann@site.example, Nov 30, 2026, 10:00 AM UTC, 3 tries. connect ECONNREFUSED'));
  await see(saying('3 hard bounces, the last one'));
  const calls = answer(actAt(again.path), { said: 'Mail 3 is queued again.', next: null });
  await page.getByRole('button', { name: 'Send again: Your code' }).click();
  await page.getByLabelText('Reason').fill('Ann asked for it');
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await seeToast('Mail 3 is queued again.');
  expect(calls[0]?.body).toEqual({ reason: 'Ann asked for it' });

  answer(listTurnedOff, []);
  answer(listMail, []);
  await page.getByLabelText('All mail to this address').fill('Ann@site.example');
  await see(page.getByText('There is no mail to this address'));
  expect(window.location.search).toBe('?to=Ann%40site.example');
  expect(lists[0]?.query).toEqual({});
});
