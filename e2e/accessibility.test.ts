/** What a visitor and a person with both roles see, with data and without, in both themes and at the sizes people use. */
import { expect, it } from 'vitest';
import { newScreens, PUBLIC_SCREENS, screensOf } from './support/screens.ts';
import { useStage } from './support/use-stage.ts';
import { type Titles, walk } from './support/walk.ts';
import { furnish } from './support/world.ts';

const house = useStage();
const titles: Titles = new Map();

it('A11Y-01 A11Y-05 A11Y-06 A11Y-09 A11Y-10 nothing is wrong with what a visitor sees', async () => {
  const { stage } = house;
  expect(await walk(stage, stage.server.anyone(), PUBLIC_SCREENS, titles)).toEqual([]);
});

it('A11Y-01 A11Y-05 A11Y-06 A11Y-09 A11Y-10 nothing is wrong with any screen of the role both', async () => {
  const both = await house.client('both');
  const market = await furnish(await house.client('seller'), both);
  await furnish(both, await house.client('buyer'));
  expect(await walk(house.stage, both, screensOf('both', market), titles)).toEqual([]);
});

it('A11Y-01 A11Y-05 A11Y-06 A11Y-09 nor with any of a new account of the role both', async () => {
  expect(await walk(house.stage, await house.client('both'), newScreens('both'), titles)).toEqual([]);
});

it('A11Y-10 each page has a title of its own', () => {
  const shared = [...titles].filter(([, paths]) => paths.size > 1);
  // Home and the landing page are both '/', and say different things.
  expect(shared.map(([title, paths]) => `${title}: ${[...paths].join(', ')}`)).toEqual([]);
  expect(titles.size).toBeGreaterThan(10);
  expect([...titles.keys()].filter((title) => title === 'Openslot' || title === '')).toEqual([]);
});
