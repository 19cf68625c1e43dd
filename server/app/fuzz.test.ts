/**
 * Fuzzing from the contracts. `npm run lab fuzz` sends more requests, and FUZZ_SEED repeats a run. A 5xx is always a fault,
 * and a refused call must leave every row as it was.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { type Answer, Client } from '#server/testing/client.ts';
import { nextRequest, randomOf } from '#server/testing/fuzz.ts';
import { confirmOperator, makeOperator } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 750);
/** Ends a run that hangs. A busy machine answers fifteen requests a second. */
const TIMEOUT_MS = 60_000 + REQUESTS * 200;
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 32);

/** After this many requests, the callers get new accounts with new things to act on. */
const WORLD = 1000;

/** The tables that only a successful call may change. Limits, codes and sessions also record refused calls. */
const GUARDED = [
  'websites',
  'ad_zones',
  'ad_zone_products',
  'ads',
  'ad_archive',
  'media_library',
  'user_settings',
  'ledger_tx',
  'ledger_postings',
  'payouts',
  'payout_transfers',
];

/** The ad server and the limits of slow bodies stand before Fastify, so these addresses need a socket. */
const NEEDS_SOCKET = /^\/(?:api\/serve|api\/uploads|m|z)\//;

/**
 * A client whose requests do not pass a socket, where the address allows it. A socket costs more processor time than most
 * answers, and HTTP itself is Node's.
 */
class DirectClient extends Client {
  constructor(signedIn: Client) {
    super(signedIn.url);
    this.cookie = signedIn.cookie;
    this.device = signedIn.device;
    this.user = signedIn.user;
  }

  override async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    if (NEEDS_SOCKET.test(path) || body instanceof Uint8Array)
      return await super.send(method, path, body, headers);
    const response = await server.app.fastify.inject({
      method: method as 'GET',
      url: path,
      headers: { host: new URL(this.url).host, ...this.headersFor(path, body, headers) },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const sent = new Headers();
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) sent.append('set-cookie', cookie);
    return this.answered(response.statusCode, sent, response.body);
  }
}

const server = useOwnServer();
beforeAll(async () => {
  // The log is a table, so that a rollback takes back its rows as well and only what was committed remains.
  await sql
    .raw(
      `create table fuzz_changes (request integer, change text not null);
    create function fuzz_log() returns trigger language plpgsql as $$ begin
      insert into fuzz_changes
        values (nullif(current_setting('fuzz.request', true), '')::integer, tg_op || ' ' || tg_table_name);
      return null;
    end $$;
    grant select, insert, delete on fuzz_changes to public`,
    )
    .execute(server.owner);
  for (const table of GUARDED)
    await sql`create trigger fuzz_log after insert or update or delete on ${sql.table(table)}
      for each row execute function fuzz_log()`.execute(server.owner);
  const numbered = new WeakSet<pg.PoolClient>();
  server.app.pool.on('acquire', (client) => {
    if (!numbered.has(client)) numberStatements(client);
    numbered.add(client);
  });
});

/** The number of the request that is being answered. One is sent at a time. */
let current: number | null = null;

/** The words before a parenthesis in a statement that changes no row: those of SQL, and functions that only read. */
const READING = new Set(
  `select and any array as case coalesce count cross distinct else exists extract filter from greatest in join json_agg
    json_build_object lateral least max min not now on or over sum then to_char using when where`.split(
    /\s+/,
  ),
);

/** Whether a statement may change a row. A select does only if it calls a function that does. */
function mayChange(text: string): boolean {
  if (/^(?:begin|commit|rollback|start transaction)\b/i.test(text)) return false;
  if (!/^\s*select\b/i.test(text)) return true;
  return [...text.matchAll(/(\w+)"?\s*\(/g)].some(([, word = '']) => !READING.has(word.toLowerCase()));
}

/**
 * Tells a connection the number of the request before its first statement that may change a row. So the log of changes
 * names the request, and no request needs a query of its own to compare the rows before and after it.
 */
function numberStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let known: number | null | undefined;
  const numbered = (...args: unknown[]) => {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text: string }).text;
    // A rollback may take back the number, too.
    if (text === 'rollback') known = undefined;
    if (known === current || !mayChange(text)) return query(...args);
    // A connection executes its statements in the order in which they are sent. A failed transaction refuses this one.
    query(`set fuzz.request = '${current ?? ''}'`).catch(() => {});
    known = current;
    return query(...args);
  };
  client.query = numbered as unknown as typeof client.query;
}

/** Empties the log. Returns the changes of each request, and under null those of statements without a number. */
async function takeChanges(): Promise<Map<number | null, string>> {
  const { rows } = await server.app.pool.query<{ request: number | null; changes: string }>(`
    with taken as (delete from fuzz_changes returning request, change)
    select request, string_agg(distinct change, ', ') as changes from taken group by request`);
  return new Map(rows.map(({ request, changes }) => [request, changes]));
}

type World = { callers: Client[]; operator: Client; known: (string | number)[] };

async function makeWorld(): Promise<World> {
  current = null;
  const seller = new DirectClient(await server.signIn('seller'));
  const buyer = new DirectClient(await server.signIn('buyer'));
  const both = new DirectClient(await server.signIn('both'));
  const owner = await makeOperator(server);
  await confirmOperator(server, owner);
  const live = await makeLiveAd(seller, buyer, { product: { pricingModel: 'per_click', clicks: 1000 } });
  const pending = await makeAd(buyer, live.product);
  const own = await makeProduct(both, await makeZone(both, await makeWebsite(both)));
  const image = await upload(buyer);
  const rows = [live.website, live.zone, live.ad, pending];
  const publicIds = rows.map(({ publicId }) => publicId);
  const ids = [...rows, live.product, own].map(({ id }) => id);
  await takeChanges();
  return {
    callers: [new DirectClient(server.anyone()), seller, buyer, both],
    operator: new DirectClient(owner.client),
    known: [...ids, ...ids.map(String), ...publicIds, image, own.adZoneId],
  };
}

/** Rules that every row must obey after any call. Each query returns the rows that break its rule. */
const INVARIANTS: [rule: string, query: string][] = [
  [
    'a live ad is paid in full',
    `select a.id from ads a where a.status in ('active', 'completed') and not exists (
       select from payments p where p.ad_id = a.id and p.status = 'succeeded' and p.amount_cents = a.total_amount * 100)`,
  ],
  [
    'an ad is paid once',
    `select ad_id from payments where status = 'succeeded' group by ad_id having count(*) > 1`,
  ],
  [
    'an ad refers to a pricing option of its own zone',
    `select a.id from ads a join ad_zone_products p on p.id = a.product_id where p.ad_zone_id <> a.ad_zone_id`,
  ],
  [
    'an ad shows only the files of its advertiser',
    `select a.id from ads a join uploads u on '/ad-images/' || u.name in (a.image_url, a.video_url) where u.user_id <> a.user_id`,
  ],
  [
    'the library has only stored files of its owner',
    `select m.id from media_library m left join uploads u on '/ad-images/' || u.name = m.image_path
       where u.user_id is distinct from m.user_id or u.stored_at is null`,
  ],
  [
    'every account has one row of settings',
    `select u.id from users u where u.deleted_at is null and not exists (select from user_settings s where s.user_id = u.id)`,
  ],
];

// Proves RUN-09
it(
  `answers no generated request with a 5xx, and a refused one changes nothing (FUZZ_SEED=${SEED})`,
  async () => {
    console.log(`Fuzzing with FUZZ_SEED=${SEED} and ${REQUESTS} requests`);
    let { callers, operator, known } = await makeWorld();
    const random = randomOf(SEED);
    const statuses: Record<number, number> = {};
    const problems: unknown[] = [];
    const processor = process.cpuUsage();
    let isSpent = false;
    let refused = new Map<number, object>();
    for (let sent = 0; sent < REQUESTS && problems.length <= 20; sent++) {
      if (isSpent) ({ callers, operator, known } = await makeWorld());
      const { client, method, path, body, json } = nextRequest({
        random,
        routes: server.app.routes,
        callers,
        operator,
        known,
      });
      current = sent;
      const type = json ? 'application/json' : 'text/plain';
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
      // Some requests are sent three times at once, as by a double click or a script.
      const times = random() < 0.1 ? 3 : 1;
      const answers = await Promise.all(
        Array.from({ length: times }, () => client.send(method, path, body, headers)),
      );
      for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
      // The worst answer is judged. If one of several was accepted, their rows may have changed.
      const answer = answers.toSorted((a, b) => b.status - a.status)[0]!;
      const isRefused = answers.every(({ status }) => status >= 400);
      // Generated calls sign callers out, delete their accounts, and use up what there is to act on.
      isSpent =
        sent % WORLD === WORLD - 1 ||
        (answer.status === 401 && client !== callers[0] && !path.includes('/auth/'));
      const text = answer.text.slice(0, 200);
      const request = { number: sent, method, path, body, status: answer.status, text };
      if (answer.status >= 500) problems.push(request);
      else if (
        answer.status >= 400 &&
        !answer.text.includes('<html') &&
        typeof answer.body.message !== 'string'
      )
        problems.push({ ...request, problem: 'no message' });
      if (isRefused) refused.set(sent, request);
      if (!isSpent && sent < REQUESTS - 1) continue;
      current = null;
      for (const [number, changes] of await takeChanges())
        if (number === null || refused.has(number))
          problems.push({ ...refused.get(number ?? -1), problem: `changed rows: ${changes}` });
      refused = new Map();
    }
    const { user, system } = process.cpuUsage(processor);
    console.log('Answers by status:', JSON.stringify(statuses));
    console.log(`Processor time of the server and the test: ${((user + system) / 1e6).toFixed(1)} s`);
    expect(problems).toEqual([]);
    // A generator whose requests are all refused would prove nothing.
    const accepted = Object.entries(statuses).reduce(
      (sum, [status, n]) => sum + (Number(status) < 400 ? n : 0),
      0,
    );
    expect(accepted).toBeGreaterThan(REQUESTS / 20);
    for (const [rule, query] of INVARIANTS) {
      expect([rule, (await server.app.pool.query(query)).rows]).toEqual([rule, []]);
    }
  },
  TIMEOUT_MS,
);
