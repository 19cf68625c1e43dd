/** People who act for an account of others: from the invitation to the removal, and what each role sees. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { MEMBER_ROLE_NAMES, MEMBER_ROLES, type MemberRole } from '../domain/accounts/members.ts';
import type { Client } from '../server/testing/client.ts';
import { mailTo } from '../server/testing/mail.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { keyboardOf } from './support/keyboard.ts';
import { afterPendingRequests, pathOf, toastTitled } from './support/people.ts';
import { walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

async function linkTo(email: string): Promise<string> {
  const mail = (await mailTo(suite.fixture.server.ctx, email)).findLast(
    ({ kind }) => kind === 'member-invitation',
  );
  return /\/join\?token=[\w-]{22}/.exec(mail?.text ?? '')?.[0] ?? '';
}

/** Makes the person a member of the owner's account without a browser. Returns the member's id. */
async function addMember(owner: Client, person: Client, role: MemberRole): Promise<number> {
  const { body } = await owner.post('/api/account/members', { email: person.user.email, role });
  const token = (await linkTo(person.user.email)).split('=')[1];
  expect((await person.post('/api/account/join', { token })).status).toBe(200);
  return body.id as number;
}

const barOf = (page: Page) => page.getByRole('region', { name: 'For whom you act' });

// Proves RES-81
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
  expect(await linkTo(email)).not.toBe('');

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

// Proves RES-82, RES-83
it('the invited person signs in, joins, acts for the account, goes back to themselves, and leaves', async () => {
  const owner = await suite.fixture.server.signIn('both', { firstName: 'Olga', lastName: 'Owner' });
  const person = await suite.fixture.server.signIn('both', { firstName: 'Pia', lastName: 'Person' });
  await makeLiveAd(owner, owner, { ad: { title: 'An ad of Olga' } });
  await owner.post('/api/account/members', { email: person.user.email, role: 'editor' });
  const { page } = await suite.fixture.enter({ width: 375 });
  await page.goto(await linkTo(person.user.email));
  await page.getByText('Sign in or sign up with the address').waitFor();
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click();
  await page.getByLabel('Email').first().fill(person.user.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(`You’re signed in as ${person.user.email}`).waitFor();
  await keyboardOf(page).enter('button', 'Join');
  await page.getByText('You’re a member of Olga Owner').waitFor();
  await page.getByRole('button', { name: 'Act for it now' }).click();
  await barOf(page).getByText('You act for Olga Owner as Editor').waitFor();

  await page.goto('/dashboard');
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

// Proves RES-83
it('a member who is removed while signed in comes back to their own account, and is told', async () => {
  const owner = await suite.client('both');
  const { page, client: person } = await suite.enter('both', { width: 375 });
  const id = await addMember(owner, person, 'editor');
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
  const again = await addMember(owner, person, 'editor');
  await person.post('/api/account/switch', { account: owner.user.id });
  await owner.delete(`/api/account/members/${again}`);
  await page.goto('/dashboard');
  await page.getByText('You’re no longer a member of that account').waitFor();
});

// Proves RES-83
it('a member of a suspended account reads why, and goes back to themselves', async () => {
  const owner = await suite.client('both');
  const { page, client: person } = await suite.enter('both', { width: 375 });
  await addMember(owner, person, 'read');
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

/** The pages that each role can use, besides those that all can. The pages of other roles ask for nothing. */
const PAGES: Record<MemberRole, readonly string[]> = {
  owner: ['/dashboard', '/ad-zones', '/plans', '/billing', '/earnings', '/settings?tab=members'],
  editor: ['/dashboard', '/ad-zones', '/marketplace', '/plans', '/create-ad', '/plans/new'],
  billing: ['/billing', '/earnings', '/settings'],
  read: ['/dashboard', '/ad-zones', '/marketplace', '/plans'],
};
const EVERYBODY = ['/transactions', '/accounts', '/'];

// Proves RES-84
it('no role gets a refusal on a page of theirs', async () => {
  const owner = await suite.client('both');
  const { ad } = await makeLiveAd(owner, owner);
  const { page, client: person } = await suite.enter('both', { width: 1280 });
  const id = await addMember(owner, person, 'owner');
  await person.post('/api/account/switch', { account: owner.user.id });
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${pathOf(page)}: ${new URL(response.url()).pathname}`);
  });
  for (const role of MEMBER_ROLES) {
    await owner.patch(`/api/account/members/${id}`, { role });
    const campaign = role === 'billing' ? [] : [`/campaigns/${ad.publicId}`];
    const money = role === 'owner' || role === 'billing' ? [`/checkout/${ad.publicId}`] : [];
    await page.goto('/');
    for (const path of [...PAGES[role], ...campaign, ...money, ...EVERYBODY]) {
      await walkToScreen(page, path);
      await barOf(page).getByText(`as ${MEMBER_ROLE_NAMES[role]}`).waitFor();
      await afterPendingRequests(page);
      const closed = page.getByText('Your role doesn’t let you use this page');
      expect([role, path, await closed.count()]).toEqual([role, path, 0]);
    }
  }
  expect(refused).toEqual([]);
});
