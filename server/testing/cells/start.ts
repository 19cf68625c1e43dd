/** A marketplace and its cells, each in its own process and with its own database, as operators run them. */
import type { ServedAd } from '#domain/delivery/wire.ts';
import { createDatabase, createPool, type Database } from '../../db/database.ts';
import { freePort } from '../../db/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { BROWSER, makeUser, SITE, type Tables } from '../delivery/running-ads.ts';
import { runOpenslot } from '../openslot.ts';
import { ready, type ServerProcess, spawnServer } from '../server-process.ts';
import { newTemporaryFolder, removeFolder } from '../temporary.ts';

type Env = Record<string, string>;

/** A server that can be stopped and started again, on the same address and database. */
export type Running = {
  url: string;
  database: TestDatabase;
  db: Database;
  env: Env;
  server: () => ServerProcess;
  /** Starts it, and does not wait until it is ready. */
  spawn: (more?: Env) => ServerProcess;
  start: (more?: Env) => Promise<void>;
  stop: () => Promise<void>;
};

export type StartedCell = Running & { name: string; key: string };

/** Starts nothing by itself. `close` ends everything that was started, and drops the databases. */
export function cellsTest() {
  const closing: (() => Promise<void>)[] = [];

  async function prepare(env: Env, beside?: TestDatabase): Promise<Running> {
    const database = beside ?? (await createTestDatabase());
    const port = String(await freePort());
    const folder = newTemporaryFolder('cell');
    const db = createDatabase(createPool(database.ownerUrl, 2));
    const settings = {
      PORT: port,
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      SAMPLE_DATA: '0',
      RATE_LIMIT_FACTOR: '1000',
      DELIVERY_URL: `http://127.0.0.1:${port}`,
      ...env,
    };
    let server: ServerProcess | null = null;
    const url = `http://127.0.0.1:${port}`;
    const spawn = (more: Env = {}) => (server = spawnServer({ ...settings, ...more }));
    const stop = async () => {
      if (server?.child.exitCode === null && server.child.signalCode === null) await server.stop('SIGTERM');
    };
    closing.push(async () => {
      server?.child.kill('SIGCONT');
      await stop();
      await db.destroy();
      if (!beside) await database.drop();
      removeFolder(folder);
    });
    return {
      url,
      database,
      db,
      env: settings,
      server: () => server!,
      spawn,
      start: async (more = {}) => await ready(spawn(more), url),
      stop,
    };
  }

  return {
    marketplace: async (env: Env = {}): Promise<Running> => {
      const marketplace = await prepare(env);
      await marketplace.start();
      return marketplace;
    },
    /** Adds a cell to the marketplace by the command of operators. It is not started. */
    addCell: async (marketplace: Running, name: string, env: Env = {}): Promise<StartedCell> => {
      const cell = await prepare({ ROLE: 'cell', MARKETPLACE_URL: marketplace.url, ...env });
      const added = await command(marketplace, ['cell', 'add', name, '--delivery-url', cell.url]);
      const { key } = added as { key: string };
      cell.env['CELL_KEY'] = key;
      return { ...cell, name, key };
    },
    /** Starts another server of a cell, beside the first one. */
    secondServer: async (cell: StartedCell): Promise<Running> => {
      const { CELL_KEY = '', MARKETPLACE_URL = '', DATA_DIR = '' } = cell.env;
      // With the same folder, and so the same secret and files.
      const second = await prepare({ ROLE: 'cell', CELL_KEY, MARKETPLACE_URL, DATA_DIR }, cell.database);
      await second.start();
      return second;
    },
    close: async (): Promise<void> => {
      for (const close of closing.splice(0).toReversed()) await close();
    },
  };
}

/** Runs a command of `openslot` on the database of a server, and returns its answer. Throws if it is refused. */
export async function command({ env }: Running, words: string[]): Promise<unknown> {
  const { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR } = env;
  const { code, out, err } = await runOpenslot([...words, '--json'], {
    DATABASE_URL,
    DATABASE_OWNER_URL,
    DATA_DIR,
  });
  if (code !== 0) throw new Error(`${words.join(' ')} answered ${code}: ${out}${err}`);
  return JSON.parse(out);
}

export const tablesOf = ({ db }: Running): Tables => ({ db, now: () => new Date() });

/** A publisher without an ad zone. */
export async function makePublisher(server: Running): Promise<{ id: number; email: string }> {
  const id = await makeUser(tablesOf(server));
  return await server.db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** A publisher of a cell, with a website and an ad zone. */
export async function makeZoneOfCell(
  marketplace: Running,
  cell: string,
): Promise<{ publisherId: number; zoneId: number; zone: string }> {
  const { id, email } = await makePublisher(marketplace);
  await command(marketplace, ['cell', 'assign', email, cell]);
  const website = await marketplace.db
    .insertInto('websites')
    .values({ userId: id, name: 'The Daily', url: SITE, category: 'Technology', monthlyVisitors: 90_000 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const zone = await marketplace.db
    .insertInto('adZones')
    .values({ websiteId: website.id, name: 'Sidebar', width: 300, height: 250, zoneType: 'rectangle' })
    .returning(['id', 'publicId'])
    .executeTakeFirstOrThrow();
  return { publisherId: id, zoneId: zone.id, zone: zone.publicId };
}

const HEADERS = { origin: SITE, 'user-agent': BROWSER };

/** The ad that a zone shows on its page now. Its kind is 'none' if the server does not serve the zone. */
export async function ask({ url }: { url: string }, zone: string): Promise<ServedAd | undefined> {
  const answer = await fetch(`${url}/api/serve/ads?z=${zone}`, { headers: HEADERS });
  if (answer.status !== 200) throw new Error(`The ad request answered ${answer.status}`);
  return ((await answer.json()) as { ads: ServedAd[] }).ads[0];
}

/** Reports a view, and returns the status of the answer. */
export async function view(address: string): Promise<number> {
  return (await fetch(address, { method: 'POST', headers: HEADERS })).status;
}
