import { expect, it } from 'vitest';
import { askAboutWebsite, hideWebsite, showWebsite } from '../server/operator/queues.ts';
import { makeWebsite } from '../server/testing/story.ts';
import { expectSound } from './support/sound.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture({ env: { REVIEW_WEBSITES: 'on' } });
const CLI = { id: null };

// Proves OWNS-37
it('a publisher reads on the card of a new website that it waits, what the operator asks, and how it ends', async () => {
  const { page, client } = await suite.enter('seller');
  const { ctx, url } = suite.fixture.server;
  const { id, name } = await makeWebsite(client);
  await page.setViewportSize({ width: 375, height: 800 });
  const card = page.getByRole('region', { name });
  const reload = async () => await page.goto(`${url}/ad-zones`);

  await reload();
  await card.getByText('looks at new websites before they are offered').waitFor();
  await card.getByText('In review').waitFor();
  await askAboutWebsite(ctx, CLI, { id, reason: 'Who writes it?' });
  await reload();
  await card.getByText('The operator asks: Who writes it?').waitFor();
  await expectSound(page);

  await hideWebsite(ctx, CLI, { id, reason: 'Copied pages' });
  await reload();
  await card.getByText('Not accepted').waitFor();
  await card.getByText('Reason: Copied pages').waitFor();
  await expectSound(page);

  await showWebsite(ctx, CLI, { id, reason: 'They are yours' });
  await reload();
  await card.getByText('Unverified').first().waitFor();
  expect(await card.getByText('Not accepted').count()).toBe(0);
});
