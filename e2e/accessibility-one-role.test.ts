/** What a buyer and a seller see that looks different to them than to a person with both roles. */
import { expect, it } from 'vitest';
import { newScreens, ownScreens, screensOf } from './support/screens.ts';
import { useStage } from './support/use-stage.ts';
import { walk } from './support/walk.ts';
import { furnish } from './support/world.ts';

const house = useStage();
const ROLES = ['buyer', 'seller'] as const;

it.each(ROLES)(
  'A11Y-01 A11Y-05 A11Y-06 A11Y-09 A11Y-10 nothing is wrong with any screen of the role %s',
  async (role) => {
    const people = { buyer: await house.client('buyer'), seller: await house.client('seller') };
    const market = await furnish(people.seller, people.buyer);
    expect(await walk(house.stage, people[role], ownScreens(role, screensOf(role, market)))).toEqual([]);
  },
);

it.each(ROLES)(
  'A11Y-01 A11Y-05 A11Y-06 A11Y-09 nor with any of a new account of the role %s',
  async (role) => {
    expect(await walk(house.stage, await house.client(role), ownScreens(role, newScreens(role)))).toEqual([]);
  },
);
