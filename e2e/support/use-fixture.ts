/** One server and one browser for the tests of a file. The browser contexts that a test opens close when it ends. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Role } from '#domain/accounts/roles.ts';
import type { Client } from '../../server/testing/client.ts';
import { assertNoErrors, enterAs } from './people.ts';
import { openFixture, type Fixture } from './fixture.ts';
import { type Person, leave } from './person.ts';

export type Suite = {
  fixture: Fixture;
  /** Opens a page for a new signed-in user, with an API client of the same session. The page must not throw. */
  enter: (role: Role, options?: Parameters<typeof enterAs>[2]) => Promise<Person & { client: Client }>;
  /** Signs a new user in without a browser. */
  client: (role: Role) => Promise<Client>;
};

export function useFixture(options?: Parameters<typeof openFixture>[0]): Suite {
  const present: Person[] = [];
  const suite: Suite = {
    // Nothing has to be closed if the fixture does not open.
    fixture: { close: async () => {} } as Fixture,
    enter: async (role, options) => {
      const person = await enterAs(suite.fixture, role, options);
      present.push(person);
      return person;
    },
    client: (role) => suite.fixture.server.signIn(role),
  };
  beforeAll(async () => {
    suite.fixture = await openFixture(options);
  });
  afterEach(async () => {
    const leaving = present.splice(0);
    await Promise.all(leaving.map(({ page }) => leave(page)));
    leaving.forEach(assertNoErrors);
  });
  afterAll(async () => {
    await suite.fixture.close();
  });
  return suite;
}
