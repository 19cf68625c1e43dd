/** The screens that look different to a buyer or a seller than to a user with both roles. */
import { expect, it } from 'vitest';
import { newScreens, ownScreens, screensOf } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';
import { walk } from './support/walk.ts';
import { furnish } from './support/world.ts';

const suite = useFixture();
const ROLES = ['buyer', 'seller'] as const;

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09, A11Y-10
it.each(ROLES)('the screens of role %s have no accessibility, overflow or motion findings', async (role) => {
  const people = { buyer: await suite.client('buyer'), seller: await suite.client('seller') };
  const market = await furnish(people.seller, people.buyer);
  expect(await walk(suite.fixture, people[role], ownScreens(role, screensOf(role, market)))).toEqual([]);
});

// Proves A11Y-01, A11Y-05, A11Y-06, A11Y-09
it.each(ROLES)(
  'the screens of a new account of role %s have no accessibility, overflow or motion findings',
  async (role) => {
    expect(await walk(suite.fixture, await suite.client(role), ownScreens(role, newScreens(role)))).toEqual(
      [],
    );
  },
);
