import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt } from '#domain/operator/console/act-contract.ts';
import { listOperators } from '#domain/operator/console/operators-contract.ts';
import { getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { getCurrentUser } from '#domain/accounts/contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { saying, see, seeToast } from '#web/testing/look.ts';
import { offered, openConsole } from '#web/testing/operator-console.ts';
import { person } from '#web/testing/people.ts';

const AT = '2026-11-30T10:00:00.000Z';
const role = {
  name: 'role',
  label: 'Role',
  kind: 'choice' as const,
  value: '',
  isRequired: true,
  max: null,
  hint: null,
  choices: [{ value: 'support', label: 'Support' }],
};
const email = { ...role, name: 'email', label: 'Email address', kind: 'email' as const, choices: [] };
const invite = offered('/operator/operators/invite', 'Invite an operator', {
  confirm: 'Send the invitation',
  fields: [email, role],
});
const remove = offered('/operator/operators/remove', 'Remove the operator', {
  hidden: { email: 'ann@site.example' },
});
const revoke = offered('/operator/operators/invitations/3/revoke', 'Revoke the invitation');
const pat = { id: 1, email: 'pat@site.example', role: 'owner' as const, addedAt: AT };

it('lists operators and invitations, and invites somebody with a role', async () => {
  answer(listOperators, {
    operators: [{ ...pat, isLastOwner: true, acts: [] }],
    invitations: [{ id: 3, email: 'jo@site.example', role: 'money', expiresAt: AT, acts: [revoke] }],
    acts: [invite],
  });
  await openConsole('/operator/operators', { id: 1 });
  await see(page.getByRole('link', { name: 'pat@site.example' }));
  await see(page.getByText('You', { exact: true }));
  await see(saying('The last owner stays one.'));
  await see(page.getByRole('button', { name: 'Revoke the invitation: jo@site.example' }));
  const calls = answer(actAt(invite.path), refused(409, 'kim@site.example is an operator already.'));
  await page.getByRole('button', { name: 'Invite an operator' }).click();
  const sheet = page.getByRole('dialog', { name: 'Invite an operator' });
  await sheet.getByLabelText('Email address').fill('kim@site.example');
  await sheet.getByLabelText('Role').selectOptions('Support');
  await sheet.getByLabelText('Reason').fill('Joins the team');
  await sheet.getByRole('button', { name: 'Send the invitation' }).click();
  await see(sheet.getByText('kim@site.example is an operator already.'));
  await expect.element(sheet.getByLabelText('Email address')).toHaveValue('kim@site.example');
  expect(calls[0]?.body).toEqual({ email: 'kim@site.example', role: 'support', reason: 'Joins the team' });
});

  await openConsole('/operator/operators', { id: 1 });
  const calls = answer(actAt(remove.path), { said: 'ann@site.example is no operator any more.', next: '/' });
  await page.getByRole('button', { name: 'Remove the operator: ann@site.example' }).click();
  await page.getByLabelText('Reason').fill('I leave');
  answer(getConsoleSession, refused(404, 'Not found'));
  answer(getCurrentUser, person('both'));
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the operator' }).click();
  await seeToast('ann@site.example is no operator any more.');
  await expect.poll(() => window.location.pathname).toBe('/');
  expect(calls[0]?.body).toEqual({ email: 'ann@site.example', reason: 'I leave' });
