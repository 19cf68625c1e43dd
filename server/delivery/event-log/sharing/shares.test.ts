import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextStep, type Owners } from './shares.ts';

/** Lets each server act on what it has seen, and returns the owners afterwards. */
function act(seen: Owners, partitions: number): Map<number, number> {
  const owners = new Map(seen.owners);
  for (const server of seen.servers) {
    const { release, take } = nextStep(seen, server, partitions);
    for (const partition of release) {
      expect(seen.owners.get(partition)).toBe(server);
      owners.delete(partition);
    }
    for (const partition of take) {
      // Nobody else owned it, and nobody else takes it.
      expect(owners.has(partition)).toBe(false);
      owners.set(partition, server);
    }
  }
  return owners;
}

it('servers that come and go own equally many partitions after two looks, and never take the same one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 256 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 256 }),
      (partitions, servers, seeds) => {
        let owners = new Map<number, number>();
        for (const [partition, seed] of seeds.slice(0, partitions).entries()) {
          const owner = [...servers, undefined][seed % (servers.length + 1)];
          if (owner !== undefined) owners.set(partition, owner);
        }
        for (let look = 0; look < 2; look++) owners = act({ servers, owners }, partitions);
        const counts = servers.map((server) => [...owners.values()].filter((each) => each === server).length);
        expect(owners.size).toBe(partitions);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        // Nothing moves any more.
        expect(act({ servers, owners }, partitions)).toEqual(owners);
      },
    ),
  );
});

it('a server alone takes everything at once', () => {
  expect(nextStep({ servers: [7], owners: new Map() }, 7, 4)).toEqual({ release: [], take: [0, 1, 2, 3] });
});
