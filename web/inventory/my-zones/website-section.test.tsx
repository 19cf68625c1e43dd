import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { listMyWebsites, listZones, website } from '#domain/inventory/contract.ts';
import { answer, broken } from '#web/testing/answers.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

// Proves API-05
it('a website whose ad zones can’t be loaded says so, and requests them again only when the user asks', async () => {
  answerNewAccount();
  answer(listMyWebsites, [sample(website, { publicId: '00000000-0000-4000-8000-000000000001' })]);
  const asked = answer(listZones, broken);
  await openPage('/ad-zones', { as: person('seller') });
  await expect.element(page.getByText('Could not load the ad zones')).toBeVisible();
  // A loop of requests would have made many in this time.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const requests = asked.length;
  expect(requests).toBeLessThanOrEqual(2);
  answer(listZones, []);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('No ad zones yet')).toBeVisible();
});
