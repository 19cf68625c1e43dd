import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { watchZone, zoneWatch, type WatchedRequest } from '#domain/delivery/zone-watch-contract.ts';
import { answer } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { makeWebsite, makeZone } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerAdZones, nothingWatched } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const dialog = () => page.getByRole('dialog', { name: 'Embed code' });
const tab = (name: string) => dialog().getByRole('tab', { name, exact: true });
const offer = {
  pricingModel: 'per_impression',
  impressions: 100,
  duration: null,
  clicks: null,
  price: '9.00',
  optionCount: 1,
} as const;

async function openCodes(adType: 'text' | 'video') {
  const zones = [makeZone({ name: 'Awaited', offers: [{ ...offer, adType }] })];
  answerAdZones({ websites: [makeWebsite()], zones });
  await openPage('/ad-zones', { as: person('seller') });
  await page.getByRole('button', { name: 'Code for Awaited' }).click();
  await see(tab('HTML'));
  return zones;
}

it.each([
  ['video', 1],
  ['text', 0],
] as const)('of the codes of a zone that sells %s ads, %i is for a video player', async (adType, count) => {
  await openCodes(adType);
  await tab('Other ways').click();
  await see(dialog().getByRole('region', { name: 'Sandboxed iframe' }));
  expect(dialog().getByRole('region', { name: 'Video player' }).elements()).toHaveLength(count);
});

it('the codes wait live for their tag on the zone’s own site, not on others, and the list then says that the tag was seen', async () => {
  const zones = await openCodes('text');
  const row = page.getByRole('article', { name: 'Awaited', includeHidden: true });
  expect(row.element().textContent).toContain('Tag not seen yet');
  const watch = dialog().getByRole('region', { name: /tag/i });
  await see(watch.getByText('Waiting for the tag…'));
  const at = new Date().toISOString();
  const request = (id: string, members: Partial<WatchedRequest>) =>
    sample(zoneWatch.shape.requests.element, { id, at, ...members });
  const foreign = request('1', { origin: 'https://elsewhere.example', reason: 'wrong_site' });
  answer(watchZone, { ...nothingWatched, requests: [foreign] });
  await see(saying('https://elsewhere.example', watch));
  await see(watch.getByText('Waiting for the tag…'));
  const own = request('2', { origin: 'https://gazette.example' });
  answer(watchZone, { ...nothingWatched, requests: [own, foreign] });
  await see(saying('Tag seen on gazette.example', watch));
  // The list is updated while the dialog is open.
  zones[0] = { ...zones[0]!, tagSeenAt: at };
  await expect.poll(() => row.element().textContent).toMatch(/Tag seen just now|Tag seen .* ago/);
});
