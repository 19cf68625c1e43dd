import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getBreakdown } from '#domain/analytics/contract.ts';
import { listMyWebsites, listZones } from '#domain/inventory/contract.ts';
import { listZoneSales } from '#domain/inventory/my-zones-contract.ts';
import { answer, broken } from '#web/testing/answers.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

it('says that ad zones failed to load, and asks again only if it is told to', async () => {
  const website = sample(listMyWebsites.reply.element, { name: 'Gazette', url: 'https://gazette.example/' });
  answer(listMyWebsites, [website]);
  answer(getBreakdown, sample(getBreakdown.reply));
  answer(listZoneSales, sample(listZoneSales.reply));
  const asked = answer(listZones, broken);
  await openPage('/ad-zones', { as: person('seller') });
  const retry = page.getByRole('button', { name: 'Try again' });
  await expect.element(retry).toBeVisible();
  const before = asked.length;
  // The list once, and the section that it shows then.
  expect(before).toBeLessThanOrEqual(2);
  answer(listZones, []);
  await retry.click();
  await expect.element(page.getByText('Gazette').first()).toBeVisible();
  await expect.element(retry).not.toBeInTheDocument();
});
