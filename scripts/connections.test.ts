import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
/** The owner of connections, with that of the pool that counts. */
const OWNERS = ['server/platform/database/database.ts', 'server/delivery/event-log/sharing/connection.ts'];

it('every connection of the product to PostgreSQL is opened by its one owner, which sets the formats', () => {
  const files = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((name) => `server/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.startsWith('server/testing/'));
  const opening = files.filter((name) =>
    /\bnew (?:pg\.)?(?:Client|Pool)\(/.test(readFileSync(path.join(root, name), 'utf8')),
  );
  expect(opening.toSorted()).toEqual(OWNERS.toSorted());
});
