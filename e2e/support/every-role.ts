import type { Page } from 'playwright-core';
import { ROLES, type Role } from '#domain/accounts/roles.ts';
import type { Client } from '../../server/testing/client.ts';
import { assertNoErrors, enterAs } from './people.ts';
import type { Fixture } from './fixture.ts';
import type { Person } from './person.ts';

/** A signed-in person of each role. Their pages stay open from test to test. */
export type EveryRole = {
  of: (role: Role) => Person & { client: Client };
  /** Opens a page and waits for its heading. */
  at: (role: Role, path: string) => Promise<Page>;
  /** Fails when one of their pages threw an error. Call it in a hook. */
  assertNoErrors: () => void;
};

export async function enterEveryRole(fixture: Fixture): Promise<EveryRole> {
  const people = new Map<Role, Person & { client: Client }>();
  for (const role of ROLES) people.set(role, await enterAs(fixture, role));
  const of = (role: Role) => {
    const person = people.get(role);
    if (!person) throw new Error(`There is no person with role ${role}`);
    return person;
  };
  return {
    of,
    at: async (role, path) => {
      const { page } = of(role);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    assertNoErrors: () => people.forEach(assertNoErrors),
  };
}
