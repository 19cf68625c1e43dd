import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { listWaiting } from '#domain/ads/waiting-contract.ts';
import { getGettingStarted, type GettingStarted } from '#domain/analytics/getting-started-contract.ts';
import type { Role } from '#domain/accounts/roles.ts';
import { answer } from '#web/testing/answers.ts';
import { see, wordsOf } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerBuyerDashboard, answerSellerDashboard } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const step = (title: string) => page.getByRole('listitem').filter({ hasText: title });

async function openHome(role: Role, facts: Partial<GettingStarted>): Promise<void> {
  answerSellerDashboard();
  answerBuyerDashboard();
  answer(listWaiting, { steps: [], more: 0 });
  answer(getGettingStarted, sample(getGettingStarted.reply, facts));
  await openPage('/', { as: person(role) });
}

it("'Getting Started' ticks the steps of a publisher that are done, and their parts", async () => {
  await openHome('seller', { website: true, price: true, sold: true });
  await see(step('Start earning').getByText('(done)'));
  const zone = step('Add a website and set up your first ad zone');
  expect(wordsOf(zone)).toMatch(/Website : done.*Price : done.*Verified : to do.*Tag seen : to do/);
  expect(zone.getByText('(done)').elements()).toEqual([]);
  expect(step('Set up your profile').getByText('(done)').elements()).toEqual([]);
});

it("'Getting Started' ticks the steps of somebody who buys and sells", async () => {
  await openHome('both', { profile: true, sold: true });
  await see(step('Set up your profile').getByText('(done)'));
  await see(step('Track performance').getByText('(done)'));
});
