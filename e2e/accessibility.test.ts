/** Walks the screens of visitors and of users, with data and without, in both themes and several sizes. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { OTHER_SCRIPT, signInHostile, WITHOUT_A_SPACE } from './support/hostile.ts';
import {
  newScreens,
  openScreen,
  ownScreens,
  PUBLIC_SCREENS,
  type Screen,
  screensOf,
} from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';
import { becomePerson, enterWalk, type Seen, walk } from './support/walk.ts';
import { furnish, type Market } from './support/world.ts';

const suite = useFixture();
/** One page for all people, because a new one starts a process. */
let page: Page;
const seen: Seen = { titles: new Map(), shapes: new Set() };
/** The people of a market, each with hostile names. */
let people: Record<'both' | 'buyer' | 'seller', Client>;
let market: Market;

beforeAll(async () => {
  page = await enterWalk(suite.fixture);
  const { server } = suite.fixture;
  people = {
    both: await signInHostile(server, 'both'),
    buyer: await signInHostile(server, 'buyer'),
    seller: await signInHostile(server, 'seller'),
  };
  market = await furnish(people.seller, people.both, OTHER_SCRIPT);
  await furnish(people.both, people.buyer, WITHOUT_A_SPACE);
});

const walkAs = async (client: Client, screens: readonly Screen[], open?: typeof openScreen) => {
  await becomePerson(page, suite.fixture, client);
  return await walk(page, screens, seen, open);
};

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09, A11Y-10
it('the screens of a visitor have no accessibility, overflow or motion findings', async () => {
  // The pages of visitors are made by the server, so each is loaded.
  expect(await walkAs(suite.fixture.server.anyone(), PUBLIC_SCREENS, openScreen)).toEqual([]);
});

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-07, A11Y-09, A11Y-10
it('the screens of role both have no accessibility, overflow or motion findings, and hostile texts do no harm', async () => {
  expect(await walkAs(people.both, screensOf('both', market))).toEqual([]);
});

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-07, A11Y-09, A11Y-10
it.each(['buyer', 'seller'] as const)(
  'the screens that only role %s sees have no accessibility, overflow or motion findings, and hostile texts do no harm',
  async (role) => {
    expect(await walkAs(people[role], ownScreens(role, market))).toEqual([]);
  },
);

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09
it('the screens of a new account of role both have no accessibility, overflow or motion findings', async () => {
  expect(await walkAs(await suite.client('both'), newScreens())).toEqual([]);
});

// Proves A11Y-10
it('each page has its own title', () => {
  const shared = [...seen.titles].filter(([, paths]) => paths.size > 1);
  // Home and the landing page share the path '/' and have different titles.
  expect(shared.map(([title, paths]) => `${title}: ${[...paths].join(', ')}`)).toEqual([]);
  expect(seen.titles.size).toBeGreaterThan(10);
  expect([...seen.titles.keys()].filter((title) => title === 'Openslot' || title === '')).toEqual([]);
});
