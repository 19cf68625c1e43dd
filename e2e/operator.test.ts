/** Operators' decisions, as the affected people see them, the console in a browser, and the panel for rehearsals. */
import { expect, it, vi } from 'vitest';
import { inviteOperator } from '../server/operator/invitations/invitations.ts';
import { operators } from '../server/operator/rights.ts';
import { suspend } from '../server/operator/decisions/suspend.ts';
import { DEV_KEY } from '../server/testing/client.ts';
import { mailTo } from '../server/testing/mail/mail.ts';
import { confirmOperator, makeOperator } from '../server/testing/operator.ts';
import { appCode } from '../server/testing/accounts/second-factor.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { makeLiveAd, makeWebsite } from '../server/testing/story.ts';
import { sideways, lostText, resize } from './support/layout.ts';
import { codeFromMail } from './support/mail.ts';
import { walkTo } from './support/people.ts';
import { leave } from './support/person.ts';
import { useFixture } from './support/use-fixture.ts';
import { axeFindings } from './support/axe.ts';
import { keyboardOf } from './support/keyboard.ts';
import { expectSound } from './support/sound.ts';
import { becomePerson, enterWalk } from './support/walk.ts';

const suite = useFixture();
const CLI = { id: null };

// The panel lists all payments and websites, so these tests come before the others.
it('the panel for rehearsals moves the clock, plays a dispute and verifies a website by keyboard, and keeps the focus', async () => {
  const { server } = suite.fixture;
  const seller = await suite.client('seller');
  const { ad } = await makeLiveAd(seller, await suite.client('buyer'), {
    ad: { title: 'A title that is long enough to need two lines on a phone that is 320 pixels wide' },
  });
  const site = await makeWebsite(seller, { name: 'The made-up gazette', url: 'https://made-up.example' });
  await seller.post('/api/payouts/account', { country: 'DE' });

  const { page } = await suite.enter('buyer');
  await page.goto(`/dev/rehearsal?key=${DEV_KEY}`);
  const result = page.getByRole('status');
  const before = server.ctx.now().getTime();
  await page.getByRole('button', { name: '+7 days' }).focus();
  await page.keyboard.press('Enter');
  await result.getByText('The clock is now at').waitFor();
  await page.getByText(/7 days ahead of the wall clock/).waitFor();
  expect(server.ctx.now().getTime() - before).toBeGreaterThanOrEqual(7 * 86_400_000);
  await vi.waitUntil(() => page.evaluate('document.activeElement.textContent === "+7 days"'), {
    timeout: 60_000,
  });

  await page.getByLabel('What happens').first().focus();
  await page.getByLabel('What happens').first().selectOption('Inquiry');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await result.getByText('asks about the payment').waitFor();
  expect(await page.getByLabel('What happens').first().inputValue()).toBe('inquiry');
  await page.getByRole('button', { name: `Play: ${ad.title}` }).click();
  await result.getByText('already has an open dispute').waitFor();

  await page.getByLabel('What happens').nth(1).selectOption('Documents complete');
  await page.getByRole('button', { name: `Play: ${seller.user.email}` }).click();
  await result.getByText('They can be paid').waitFor();

  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    found.push(...(await axeFindings(page, theme)));
  }
  for (const width of [320, 375, 1280]) {
    await resize(page, { width, height: 640 });
    found.push(...(await sideways(page)), ...(await lostText(page)));
  }
  expect(found).toEqual([]);

  await page.getByRole('button', { name: `Mark as verified: ${site.name}` }).click();
  await result.getByText('The made-up gazette is verified.').waitFor();
  await page.getByRole('button', { name: `Mark as verified: ${site.name}` }).waitFor({ state: 'detached' });
});

it('the web application shows days by the marketplace’s clock', async () => {
  const { server } = suite.fixture;
  const { page, client } = await suite.enter('buyer');
  await makeLiveAd(await suite.client('seller'), client);
  const moved = await server.anyone().post('/dev/clock', { advance: 40 * 86_400 });
  const today = (moved.body.now as string).slice(0, 10);
  // The report accepts no future day.
  await page.goto(`/dashboard?range=custom&from=${today}&to=${today}`);
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe(today);
});

// Proves OPER-04, OPER-10
it('a publisher and advertiser reads why something is suspended, and answers from Settings', async () => {
  const { server } = suite.fixture;
  const { page, client } = await suite.enter('both');
  const { website, zone, ad } = await makeLiveAd(client, client);
  const reason = (what: string) => `Nobody knows who owns the ${what}`;
  await suspend(server.ctx, CLI, { subject: 'website', id: website.id, reason: reason('website') });
  await suspend(server.ctx, CLI, { subject: 'zone', id: zone.id, reason: reason('zone') });
  await suspend(server.ctx, CLI, { subject: 'ad', id: ad.id, reason: reason('ad') });

  await page.goto('/dashboard');
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await page.getByText('Suspended', { exact: true }).first().waitFor();
  await page.getByText(reason('ad')).first().waitFor();

  await walkTo(page, '/ad-zones');
  await page.getByText(reason('website')).waitFor();
  await page.getByText(reason('zone')).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await sideways(page)).toEqual([]);

  await walkTo(page, '/settings?tab=privacy');
  const list = page.getByRole('list', { name: 'Decisions by the operator' });
  await list.getByText(`Suspended your website “${website.name}”`).waitFor();
  expect(await list.getByRole('listitem').count()).toBe(3);
  expect(await sideways(page)).toEqual([]);
  await list.getByRole('link', { name: 'Read or answer the decision' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Decision of the marketplace operator' }).waitFor();
  await page.getByLabel('Why do you disagree?').fill('I do, and here is the proof.');
  await page.getByRole('button', { name: 'Send answer' }).click();
  await page.getByText('We’ve received your answer').waitFor();
  await page.goto('/settings?tab=privacy');
  await list.getByText('You answered. The operator decides again.').waitFor();
});

// Proves OPER-03, OPER-06
it('an operator signs in with a code, comes to the page of the link and suspends a person, who then reads why', async () => {
  const { server } = suite.fixture;
  const { clock } = server;
  const person = await server.signIn('both');
  const { client, secret } = await makeOperator(server);
  const visitor = await suite.fixture.enter({ width: 375, height: 800 });
  const { page } = visitor;
  const nextCode = () => {
    clock.advance(30_000);
    return appCode(secret, clock.now());
  };
  await page.goto(`/operator/people/${person.user.id}`);
  await page.getByLabel('Email').fill(client.user.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByLabel('Code', { exact: true }).fill(nextCode());
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText(person.user.email).first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/operator/people/${person.user.id}`);
  expect(await sideways(page)).toEqual([]);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Suspend the account' }).click();
  const sheet = page.getByRole('dialog', { name: 'Suspend the account' });
  await sheet.getByLabel('Reason').fill('Sells what it does not own');
  await sheet.getByRole('button', { name: 'Suspend the account' }).click();
  // The code of the sign-in opens the console, and a dangerous act asks for a fresh one.
  const confirm = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  await confirm.getByLabel('Code').fill(nextCode());
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText(/^Suspended since/).waitFor();
  await leave(page);

  const other = await suite.fixture.enter();
  await other.page.goto('/auth');
  await other.page.getByLabel('Email').fill(person.user.email);
  await other.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await other.page.getByText('Reason: Sells what it does not own').first().waitFor();
  await leave(other.page);
});

it('a suspended person signs in, and reads the reason, the balance and the documents of both sides at every address', async () => {
  const { server } = suite.fixture;
  const person = await server.signIn('both');
  await makeLiveAd(await suite.client('seller'), person);
  await suspend(server.ctx, CLI, { subject: 'person', id: person.user.id, reason: 'It sells <b>fakes</b>' });
  const visitor = await suite.fixture.enter({ width: 375, height: 800 });
  const { page } = visitor;
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await page.goto('/auth');
  await page.getByLabel('Email').fill(person.user.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  refused.length = 0;
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Reason: It sells <b>fakes</b>').waitFor();
  await page.getByRole('region', { name: 'Balance' }).getByTestId('available').waitFor();
  await page.getByRole('link', { name: 'As an advertiser' }).click();
  await page
    .getByRole('link', { name: /Receipt/ })
    .first()
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/billing');
  expect([await sideways(page), await axeFindings(page, 'light')]).toEqual([[], []]);
  for (const path of ['/', '/dashboard', '/settings', '/earnings']) {
    await page.goto(path);
    await page.getByText('Your account is suspended', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Balance' }).getByTestId('available').waitFor();
  }
  expect(refused).toEqual([]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Login' }).first().waitFor();
});

// Twenty pages, and the menu twice for each.
it(
  'an operator comes to the console by the account menu, and to each of its pages in four groups by keyboard on a phone',
  { timeout: 180_000 },
  async () => {
    const { server } = suite.fixture;
    const operator = await makeOperator(server);
    const page = await enterWalk(suite.fixture, { width: 375, height: 800 });
    await becomePerson(page, suite.fixture, operator.client);
    await page.goto('/');
    const keyboard = keyboardOf(page);
    await keyboard.enter('button', /^Account/);
    await page.getByRole('menuitem', { name: 'Operator console' }).waitFor();
    const focused = async () => await page.evaluate(() => document.activeElement?.textContent);
    for (let press = 0; press < 10; press++) {
      const before = await focused();
      if (before === 'Operator console') break;
      await keyboard.press('ArrowDown');
      // The focus moves after the key press has returned.
      await expect.poll(focused).not.toBe(before);
    }
    await keyboard.press('Enter');
    await page.waitForURL('/operator');
    const menu = page.getByRole('navigation', { name: 'Console', exact: true });
    const open = async () => {
      await keyboard.enter('button', 'Open menu');
      await menu.waitFor();
    };
    await open();
    const groups = await menu.getByRole('region').all();
    expect(await Promise.all(groups.map(async (group) => await group.getAttribute('aria-label')))).toEqual([
      'Today',
      'Moderation',
      'Money',
      'System',
    ]);
    const pages = await menu
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
    for (const [at, path] of pages.entries()) {
      if (at > 0) await open();
      const link = menu.getByRole('link').nth(at);
      // A number beside the name says how much waits.
      const name = (await link.locator('span').first().textContent()) ?? '';
      await keyboard.enter('link', new RegExp(`^${name}`));
      await page.waitForURL(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      expect([name, await sideways(page)]).toEqual([name, []]);
      await open();
      await menu.locator('[aria-current=page]', { hasText: name }).waitFor();
      await keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    }
    expect(pages).toEqual([
      '/operator',
      '/operator/requests',
      '/operator/reports',
      '/operator/appeals',
      '/operator/new-websites',
      '/operator/claims',
      '/operator/withdrawals',
      '/operator/money',
      '/operator/books',
      '/operator/bank',
      '/operator/tax',
      '/operator/system',
      '/operator/faults',
      '/operator/jobs',
      '/operator/mail',
      '/operator/settings',
      '/operator/pages',
      '/operator/announcement',
      '/operator/operators',
      '/operator/audit',
    ]);

    const { page: other } = await suite.enter('both');
    await other.goto('/');
    await other.getByRole('button', { name: /^Account/ }).click();
    await other.getByRole('menuitem', { name: 'Settings' }).waitFor();
    expect(await other.getByRole('menuitem', { name: 'Operator console' }).count()).toBe(0);
    await leave(page);
  },
);

it('an operator changes a setting by keyboard and puts it back, on a desktop and on a phone', async () => {
  const { server } = suite.fixture;
  const operator = await makeOperator(server);
  await confirmOperator(server, operator);
  const page = await enterWalk(suite.fixture);
  await becomePerson(page, suite.fixture, operator.client);
  const bar = page.getByRole('region', { name: 'Save' });
  for (const width of [1280, 375]) {
    await resize(page, { width, height: 800 });
    // From another page, because the same address would load nothing.
    await page.goto('/operator');
    await page.goto('/operator/settings#APPROVAL_DAYS');
    const days = page.getByRole('textbox', { name: 'Days to answer an ad' });
    await expect.poll(() => days.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('61');
    await bar.getByRole('button', { name: 'Save', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('must be a whole number of days').first().waitFor();
    expect(await days.inputValue()).toBe('61');
    expect([await sideways(page), await lostText(page)]).toEqual([[], []]);
    await days.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('8');
    await bar.getByLabel('Reason').focus();
    await page.keyboard.type('Holidays');
    await bar.getByRole('button', { name: 'Save', exact: true }).focus();
    await page.keyboard.press('Enter');
    await bar.getByText('Saved 1 change.').waitFor();
    expect(server.ctx.config.approvalDays).toBe(8);
    await bar.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await bar.getByText('Put back 1 change.').waitFor();
    expect(server.ctx.config.approvalDays).toBe(5);
  }
  await page.context().close();
});

it('somebody without an account signs up from the mailed link and accepts by keyboard at 375 px', async () => {
  const { server, enter } = suite.fixture;
  const email = 'new-operator@example.test';
  await inviteOperator(server.ctx, { id: null }, { email, role: 'moderation', reason: 'Helps us' });
  const [mail] = await mailTo(server.ctx, email);
  const link = /http\S+\/operator-invitation\?token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';
  const { page } = await enter({ width: 375 });
  await page.goto(link);
  await page.getByText('Moderation: people, websites and ads').waitFor();
  await expectSound(page);
  await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Helper');
  await page.getByLabel('Email').fill(email);
  await page.getByText('Email address is ok').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByLabel('Verification code').fill(await codeFromMail(server.anyone(), email));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await expectSound(page);
  await keyboardOf(page).enter('button', 'Accept');
  await page.getByText('You’re an operator now, and you were signed out.').waitFor();
  expect((await operators(server.ctx)).map((each) => [each.email, each.role])).toContainEqual([
    email,
    'moderation',
  ]);
});
