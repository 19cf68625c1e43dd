/**
 * Fuzzing from the contracts. `npm run fuzz` sends more requests, and FUZZ_SEED repeats a run. A 5xx is always a fault,
 * and a refused call must leave every row as it was.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, Client } from './testing/client.ts';
import { nextRequest, randomOf } from './testing/fuzz.ts';
import { startTestServer, type TestServer } from './testing/server.ts';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from './testing/story.ts';
import { upload } from './testing/uploads.ts';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3000);
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 32);

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
    if (NEEDS_SOCKET.test(path)) return await super.send(method, path, body, headers);
    const response = await server.app.fastify.inject({
      method: method as 'GET',
      url: path,
      headers: this.headersFor(body, headers),
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const sent = new Headers();
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) sent.append('set-cookie', cookie);
    return this.answered(response.statusCode, sent, response.body);
  }
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  // A counter that a rollback takes back, so that it moves only with what was committed.
  await server.app.pool.query(`
    create table fuzz_changes (n bigint not null);
    insert into fuzz_changes values (0);
    create function fuzz_count() returns trigger language plpgsql as $$
      begin update fuzz_changes set n = n + 1; return null; end $$`);
  for (const table of GUARDED) {
    await server.app.pool.query(
      `create trigger fuzz_count after insert or update or delete on ${table} for each row execute function fuzz_count()`,
    );
  }
});
afterAll(async () => await server.close());

/** How many guarded rows have changed so far. The statement has a name, so that PostgreSQL plans it once. */
const changes = async (): Promise<string> =>
  (await server.app.pool.query<{ n: string }>({ name: 'fuzz_changes', text: 'select n from fuzz_changes' }))
    .rows[0]?.n ?? '';

async function makeWorld(): Promise<{ callers: Client[]; known: (string | number)[] }> {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const both = await server.signIn('both');
  const live = await makeLiveAd(seller, buyer, { product: { pricingModel: 'per_click', clicks: 1000 } });
  const pending = await makeAd(buyer, live.product);
  const own = await makeProduct(both, await makeZone(both, await makeWebsite(both)));
  const image = await upload(buyer);
  const rows = [live.website, live.zone, live.ad, pending];
  const publicIds = rows.map(({ publicId }) => publicId);
  const ids = [...rows, live.product, own].map(({ id }) => id);
  return {
    callers: [server.anyone(), seller, buyer, both].map((client) => new DirectClient(client)),
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

// Proves DOOR-05, RUN-09
it(`answers no generated request with a 5xx, and a refused one changes nothing (FUZZ_SEED=${SEED})`, async () => {
  console.log(`Fuzzing with FUZZ_SEED=${SEED} and ${REQUESTS} requests`);
  let { callers, known } = await makeWorld();
  const random = randomOf(SEED);
  const statuses: Record<number, number> = {};
  const problems: unknown[] = [];
  const processor = process.cpuUsage();
  let isSpent = false;
  // Unknown after a call that may have changed something.
  let before: string | undefined;
  for (let sent = 0; sent < REQUESTS; sent++) {
    if (isSpent) {
      ({ callers, known } = await makeWorld());
      before = undefined;
    }
    const { client, method, path, body, json } = nextRequest({
      random,
      routes: server.app.routes,
      callers,
      known,
    });
    before ??= await changes();
    const type = json ? 'application/json' : 'text/plain';
    const answer = await client.send(method, path, body, body === undefined ? {} : { 'content-type': type });
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const isRefused = answer.status >= 400;
    // Generated calls sign callers out, delete their accounts, and use up what there is to act on.
    isSpent =
      sent % 500 === 499 || (answer.status === 401 && client !== callers[0] && !path.includes('/auth/'));
    const request = {
      number: sent,
      method,
      path,
      body,
      status: answer.status,
      text: answer.text.slice(0, 200),
    };
    if (answer.status >= 500) problems.push(request);
    else if (isRefused && !answer.text.includes('<html') && typeof answer.body.message !== 'string')
      problems.push({ ...request, problem: 'no message' });
    else if (isRefused && (await changes()) !== before)
      problems.push({ ...request, problem: 'changed rows' });
    if (!isRefused) before = undefined;
    if (problems.length > 20) break;
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
});
