/** One server and one browser for the tests of a file. The browser contexts that a test opens close when it ends. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Role } from '#domain/accounts/roles.ts';
import type { Client } from '../../server/testing/client.ts';
import { assertNoErrors, enterAs } from './people.ts';
import { openStage, type Person, type Stage } from './stage.ts';

export type House = {
  stage: Stage;
  /** Opens a page for a new signed-in user, with an API client of the same session. The page must not throw. */
  enter: (role: Role, options?: Parameters<typeof enterAs>[2]) => Promise<Person & { client: Client }>;
  /** Signs a new user in without a browser. */
  client: (role: Role) => Promise<Client>;
};

export function useStage(): House {
  const present: Person[] = [];
  const house: House = {
    stage: {} as Stage,
    enter: async (role, options) => {
      const person = await enterAs(house.stage, role, options);
      present.push(person);
      return person;
    },
    client: (role) => house.stage.server.signIn(role),
  };
  beforeAll(async () => {
    house.stage = await openStage();
  });
  afterEach(async () => {
    const leaving = present.splice(0);
    await Promise.all(leaving.map(({ context }) => context.close()));
    leaving.forEach(assertNoErrors);
  });
  afterAll(async () => {
    await house.stage.close();
  });
  return house;
}

/** The fixture for tests of visitors. Each test starts with a new visitor, whose page must not throw. */
export function useVisitor(): { stage: Stage; visitor: Person } {
  const house = useStage();
  const scene = {
    get stage() {
      return house.stage;
    },
    visitor: {} as Person,
  };
  beforeEach(async () => {
    scene.visitor = await house.stage.enter();
  });
  afterEach(async () => {
    assertNoErrors(scene.visitor);
    await scene.visitor.context.close();
  });
  return scene;
}
