import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { actAt } from '#domain/operator/console/act-contract.ts';
import { listOperators } from '#domain/operator/console/operators-contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { offered, openConsole } from '#web/testing/operator-console.ts';

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
