/** People who act for an account of others: from the invitation to the removal. */
import { expect, it } from 'vitest';
import { PASSWORD } from '../server/testing/server.ts';
import { keyboardOf } from './support/keyboard.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { addMember, barOf, linkTo } from './support/members.ts';
import { pathOf, toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

it('an owner invites somebody by keyboard at 375 px, changes the role, and withdraws the invitation', async () => {
  const { page, client: owner } = await suite.enter('both', { width: 375 });
  const email = `colleague-${owner.user.id}@example.test`;
  await page.goto('/settings?tab=members');
  await page.getByText('Only you so far.').waitFor();
  await page.getByText('Founder, always an owner').waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.write('Email address', email);
  await keyboard.choose('Role', 'Editor');
  await keyboard.enter('button', 'Invite');
  const row = page.getByRole('listitem').filter({ hasText: email });
  await row.getByText('Invited, works until').waitFor();
  expect(await page.getByLabel('Email address').inputValue()).toBe('');
  expect(await linkTo(suite.fixture.server, email)).not.toBe('');

  await keyboard.choose(`Role of ${email}`, 'Billing');
  await toastTitled(page, 'Role Changed').waitFor();
  expect((await owner.get('/api/account/members')).body[1].role).toBe('billing');
  await toastTitled(page, 'Role Changed').waitFor({ state: 'detached' });
  await keyboard.enter('button', `Withdraw: ${email}`);
  await page.getByRole('dialog', { name: 'Withdraw the invitation?' }).waitFor();
  await keyboard.enter('button', 'Withdraw');
  await row.waitFor({ state: 'detached' });
  await page.locator('[aria-label=Members]:focus').waitFor();
});

it('the invited person signs in, joins, acts for the account, goes back to themselves, and leaves', async () => {
  const owner = await suite.fixture.server.signIn('both', { firstName: 'Olga', lastName: 'Owner' });
  const person = await suite.fixture.server.signIn('both', { firstName: 'Pia', lastName: 'Person' });
  await makeLiveAd(owner, owner, { ad: { title: 'An ad of Olga' } });
  await owner.post('/api/account/members', { email: person.user.email, role: 'editor' });
  const { page } = await suite.fixture.enter({ width: 375 });
  await page.goto(await linkTo(suite.fixture.server, person.user.email));
  await page.getByText('Sign in or sign up with the address').waitFor();
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click();
  await page.getByLabel('Email').first().fill(person.user.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(`You’re signed in as ${person.user.email}`).waitFor();
  await keyboardOf(page).enter('button', 'Join');
  await page.getByText('You’re a member of Olga Owner').waitFor();
  await page.getByRole('button', { name: /^Switch to / }).click();
  await barOf(page).getByText('You act for Olga Owner as Editor').waitFor();

  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await page.getByText('An ad of Olga').first().waitFor();
  await page.goto('/billing');
  await page.getByText('Your role doesn’t let you use this page').waitFor();
  await page.getByRole('button', { name: 'Account', exact: false }).first().click();
  await page.getByRole('menuitem', { name: 'Switch account' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Billing' }).count()).toBe(0);
  await page.keyboard.press('Escape');

  await keyboardOf(page).enter('button', 'Back to yourself');
  await page.waitForURL('/');
  await barOf(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Account', exact: false }).first().click();
  await page.getByRole('menuitem', { name: 'Switch account' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Olga Owner' }).waitFor();
  await keyboardOf(page).enter('button', 'Act for it: Olga Owner');
  await barOf(page).waitFor();
  await page.goto('/accounts');
  await keyboardOf(page).enter('button', 'Leave Olga Owner');
  await page.getByRole('dialog', { name: 'Leave this account?' }).waitFor();
  await keyboardOf(page).enter('button', 'Leave');
  await page.getByText('You’re a member of no other account.').waitFor();
  expect(await barOf(page).count()).toBe(0);
});

it('a member who is removed while signed in comes back to their own account, and is told', async () => {
  const owner = await suite.client('both');
  const { page, client: person } = await suite.enter('both', { width: 375 });
  const id = await addMember(suite.fixture.server, owner, person, 'editor');
  await person.post('/api/account/switch', { account: owner.user.id });
  await page.goto('/ad-zones', { waitUntil: 'networkidle' });
  await barOf(page).waitFor();
  await owner.delete(`/api/account/members/${id}`);
  // A page that is open.
  await page.getByRole('button', { name: 'Open menu' }).click();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByText('You’re no longer a member of that account').waitFor();
  expect(pathOf(page)).toBe('/accounts?removed');
  expect(await barOf(page).count()).toBe(0);
  // A page that is opened anew.
  const again = await addMember(suite.fixture.server, owner, person, 'editor');
  await person.post('/api/account/switch', { account: owner.user.id });
  await owner.delete(`/api/account/members/${again}`);
  await page.goto('/dashboard');
  await page.getByText('You’re no longer a member of that account').waitFor();
});

it('a member of a suspended account reads why, and goes back to themselves', async () => {
  const owner = await suite.client('both');
  const { page, client: person } = await suite.enter('both', { width: 375 });
  await addMember(suite.fixture.server, owner, person, 'read');
  await person.post('/api/account/switch', { account: owner.user.id });
  await suite.fixture.server.ctx.db
    .updateTable('users')
    .set({ suspendedAt: new Date(), suspendedReason: 'Fraud' })
    .where('id', '=', owner.user.id)
    .execute();
  await page.goto('/');
  await page.getByText('Ann Bell is suspended').waitFor();
  await page.getByText('Fraud').waitFor();
  await keyboardOf(page).enter('button', 'Back to yourself');
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
});
