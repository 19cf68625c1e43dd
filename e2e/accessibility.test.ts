/** Walks the screens of visitors and of users, with data and without, in both themes and several sizes. */
import { expect, it } from 'vitest';
import { OTHER_SCRIPT, signInHostile, WITHOUT_A_SPACE } from './support/hostile.ts';
import { newScreens, ownScreens, PUBLIC_SCREENS, screensOf } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';
import { type Titles, walk } from './support/walk.ts';
import { furnish } from './support/world.ts';

const suite = useFixture();
const titles: Titles = new Map();

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09, A11Y-10
it('the screens of a visitor have no accessibility, overflow or motion findings', async () => {
  const { fixture } = suite;
  expect(await walk(fixture, fixture.server.anyone(), PUBLIC_SCREENS, titles)).toEqual([]);
});

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-07, A11Y-09, A11Y-10
it('the screens of role both have no accessibility, overflow or motion findings, and hostile texts do no harm', async () => {
  const { server } = suite.fixture;
  const both = await signInHostile(server, 'both');
  const market = await furnish(await signInHostile(server, 'seller'), both, OTHER_SCRIPT);
  await furnish(both, await signInHostile(server, 'buyer'), WITHOUT_A_SPACE);
  expect(await walk(suite.fixture, both, screensOf('both', market), titles)).toEqual([]);
});

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-07, A11Y-09, A11Y-10
it.each(['buyer', 'seller'] as const)(
  'the screens that only role %s sees have no accessibility, overflow or motion findings, and hostile texts do no harm',
  async (role) => {
    const { server } = suite.fixture;
    const people = {
      buyer: await signInHostile(server, 'buyer'),
      seller: await signInHostile(server, 'seller'),
    };
    const market = await furnish(people.seller, people.buyer, OTHER_SCRIPT);
    expect(await walk(suite.fixture, people[role], ownScreens(role, market))).toEqual([]);
  },
);

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09
it('the screens of a new account of role both have no accessibility, overflow or motion findings', async () => {
  expect(await walk(suite.fixture, await suite.client('both'), newScreens(), titles)).toEqual([]);
});

// Proves A11Y-10
it('each page has its own title', () => {
  const shared = [...titles].filter(([, paths]) => paths.size > 1);
  // Home and the landing page share the path '/' and have different titles.
  expect(shared.map(([title, paths]) => `${title}: ${[...paths].join(', ')}`)).toEqual([]);
  expect(titles.size).toBeGreaterThan(10);
  expect([...titles.keys()].filter((title) => title === 'Openslot' || title === '')).toEqual([]);
});
