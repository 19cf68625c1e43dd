import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { chooseRole } from '#domain/accounts/contract.ts';
import { REFERRAL_KEY } from '#web/accounts/referral.ts';
import { answer, refused, slow } from '#web/testing/answers.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { openPage } from '#web/testing/screen.tsx';

const newcomer = person('both', { hasCompletedOnboarding: false });
const dialog = page.getByRole('dialog');
const start = dialog.getByRole('button', { name: 'Get Started' });
const role = (name: RegExp) => dialog.getByRole('radio', { name });

async function openWelcome(): Promise<void> {
  answerNewAccount();
  await openPage('/', { as: newcomer });
  await expect.element(dialog.getByRole('radio').first()).toBeVisible();
}

// Proves ONB-08
it('the welcome dialog describes the roles and marks Both as the most popular', async () => {
  await openWelcome();
  await expect.element(dialog.getByRole('heading').first()).toMatchTextContent(/^Welcome/);
  await expect
    .element(dialog.getByText('You can change this preference anytime in your settings.', { exact: true }))
    .toBeVisible();
  const card = (name: RegExp) => (role(name).element() as HTMLElement).innerText.toLowerCase();
  for (const feature of [
    'browse ad spaces on quality websites',
    'create targeted campaigns',
    'track performance and roi',
    'flexible pricing models',
  ])
    expect(card(/^Buy Ads/)).toContain(feature);
  for (const feature of [
    'list websites and ad zones',
    'set own pricing',
    'approve or reject ad campaigns',
    '85% commission on all sales',
  ])
    expect(card(/^Sell Ad Space/)).toContain(feature);
  expect(dialog.getByText('Most Popular').elements()).toHaveLength(1);
  expect(card(/^Both/)).toContain('most popular');
});

// Proves ONB-02, ONB-05
it('the welcome dialog stays open after Escape and a click outside, and blocks the page behind it', async () => {
  await openWelcome();
  await userEvent.keyboard('{Escape}');
  // An overlay is at the edge of the page, and takes the click.
  const atEdge = document.elementFromPoint(5, 400);
  if (!atEdge) throw new Error('There is nothing at the edge');
  expect(document.getElementById('root')?.contains(atEdge)).toBe(false);
  await userEvent.click(atEdge, { position: { x: 5, y: 400 } });
  await expect.element(dialog).toBeVisible();
  const behind = page.getByText('Quick Actions').element().getBoundingClientRect();
  const hit = document.elementFromPoint(behind.x + 2, behind.y + 2);
  expect(document.getElementById('root')?.contains(hit)).not.toBe(true);
});

// Proves ONB-04, ONB-10, ONB-12, ERR-42
it('the welcome dialog saves one role, says why when it cannot, and the navigation follows the role', async () => {
  await openWelcome();
  await expect.element(start).toBeDisabled();
  for (const name of [/^Buy Ads/, /^Both/, /^Sell Ad Space/]) {
    await role(name).click();
    expect(dialog.getByRole('radio', { checked: true }).elements()).toHaveLength(1);
    await expect.element(role(name)).toBeChecked();
  }
  for (const [status, message, words] of [
    [400, 'M1', 'M1'],
    [500, '', 'Could not complete setup. Please try again.'],
  ] as const) {
    answer(chooseRole, refused(status, message));
    await start.click();
    // Outside of the dialog, and so without a role.
    const told = () => document.querySelector<HTMLElement>('[data-variant][data-state=open]:last-child');
    await expect.poll(() => told()?.innerText.split(/\n+/)).toEqual(['Setup Failed', words]);
    await expect.element(dialog).toBeVisible();
  }
  const { answer: held, release } = slow({
    ...newcomer,
    role: 'seller' as const,
    hasCompletedOnboarding: true,
  });
  const chosen = answer(chooseRole, held);
  await start.click();
  await expect.element(start).toBeDisabled();
  release();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(chosen.map(({ body }) => body)).toEqual([{ role: 'seller' }]);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect
    .poll(() => links.elements().map(({ textContent }) => textContent))
    .toEqual(['Dashboard', 'Ad Zones', 'Demo']);
});

// Proves ONB-02, ONB-03
it('the welcome dialog opens on each page, and not while an advertising-space link is to be followed', async () => {
  answerNewAccount();
  const referral = { website: 'W', zone: 'Z', timestamp: Date.now() };
  localStorage.setItem(REFERRAL_KEY, JSON.stringify(referral));
  await openPage('/demo', { as: newcomer });
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

// Proves ONB-02, ONB-03
it('the welcome dialog opens on any page of a new user', async () => {
  answerNewAccount();
  await openPage('/demo', { as: newcomer });
  await expect.element(page.getByRole('dialog', { name: /^Welcome/ })).toBeVisible();
});

// Proves ONB-04
it('the welcome dialog stays away after it was completed in this browser, even if the server forgot it', async () => {
  answerNewAccount();
  localStorage.setItem(`onboarding-completed-${newcomer.id}`, 'yes');
  await openPage('/', { as: newcomer });
  await expect.element(page.getByText('Quick Actions')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});
