/** Compares the ad server with a bare handler on the same core. The order of the sides alternates between rounds. */
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { SITE } from '../../server/testing/delivery/running-ads.ts';
import { median } from './median.ts';
import type { Profile } from './profile.ts';
import { ask, runOnLoadCore, start, stop } from './process.ts';
import type { Ask, Memory, Ready } from './target.ts';
import { load, takeTurns } from './wrk.ts';

export type Row = { what: string; value: number; goal: string; unit: string };

/**
 * The time of each side in a round. Rounds are short and many, so that a shared host's load is the same for both sides.
 */
const SECONDS = 2;
/** The time of each side in half a minute of the long load (`--soak`). */
const SOAK_SECONDS = 15;
const FEW = 32;
const MANY = 256;

type Side = { name: string; url: string; connections: number; posts?: boolean };

export async function measureDelivery(
  child: ChildProcess,
  { port, ownerUrl, zones }: Ready,
  folder: string,
  rounds: number,
): Promise<Row[]> {
  const base = `http://127.0.0.1:${port}`;
  const decision = (zone: string) => `${base}/api/serve/ads?z=${zone}`;
  const answer = await fetch(decision(zones.twenty), { headers: { origin: SITE } });
  const bare = await start('bare.ts', String((await answer.arrayBuffer()).byteLength));
  const bareUrl = `http://127.0.0.1:${(bare.ready as { port: number }).port}/`;
  const inTurns: Side[] = [
    { name: 'bare', url: bareUrl, connections: FEW },
    { name: 'twenty', url: decision(zones.twenty), connections: FEW },
    { name: 'one', url: decision(zones.one), connections: FEW },
    { name: 'limited', url: decision(zones.limited), connections: FEW },
  ];
  // Views keep the database busy after their turn would have ended, so each of these sides runs alone.
  const alone: Side[] = [
    { name: 'bare alone', url: bareUrl, connections: FEW },
    { name: 'views', url: base, connections: FEW, posts: true },
    { name: 'bare many', url: bareUrl, connections: MANY },
    { name: 'views many', url: base, connections: MANY, posts: true },
  ];

  async function sample({ url, connections, posts }: Side, seconds: number): Promise<number> {
    const paths = posts ? path.join(folder, 'views.txt') : undefined;
    if (paths) await ask(child, { ask: 'tokens', count: seconds * 60_000, file: paths } satisfies Ask);
    return (await load({ url, connections, folder, ...(paths && { paths }) }, seconds)).rate;
  }

  const measured = new Map<string, number[]>();
  const note = (round: number, { name }: Side, rate: number) => {
    measured.set(name, [...(measured.get(name) ?? []), rate]);
    console.log(`  round ${round + 1}, ${name}: ${Math.round(rate)}/s`);
  };
  for (const side of [...inTurns, ...alone]) await sample(side, 1);
  for (let round = 0; round < rounds; round += 1) {
    const rates = await takeTurns(
      inTurns.map(({ url, connections }) => ({ url, connections, folder })),
      SECONDS,
    );
    for (const [index, rate] of rates.entries()) note(round, inTurns[index] as Side, rate);
    for (const side of round % 2 === 0 ? alone : alone.toReversed())
      note(round, side, await sample(side, SECONDS));
  }
  // Compare rates of the same round, so that changes of the machine's load cancel out.
  const ratio = (side: string, anchor: string) =>
    median(
      (measured.get(side) ?? []).map((rate, index) => rate / ((measured.get(anchor) ?? [])[index] ?? NaN)),
    );
  const rateOf = (side: string) => median(measured.get(side) ?? []);

  const rows: Row[] = [
    { what: 'bare handler, answers per second', value: rateOf('bare'), goal: '', unit: '/s' },
    { what: 'decisions per second, twenty ads', value: rateOf('twenty'), goal: '', unit: '/s' },
    { what: 'views counted per second, 32 connections', value: rateOf('views'), goal: '', unit: '/s' },
    { what: 'views counted per second, 256 connections', value: rateOf('views many'), goal: '', unit: '/s' },
    {
      what: 'decisions, twenty ads ÷ bare handler',
      value: ratio('twenty', 'bare'),
      goal: '≥ 0.70',
      unit: '',
    },
    {
      what: 'decisions, twenty ads with four limits each ÷ bare handler',
      value: ratio('limited', 'bare'),
      goal: '≥ 0.70',
      unit: '',
    },
    { what: 'decisions, twenty ads ÷ one ad', value: ratio('twenty', 'one'), goal: '≥ 0.95', unit: '' },
    {
      what: 'views, 32 connections ÷ bare handler',
      value: ratio('views', 'bare alone'),
      goal: '≥ 0.13',
      unit: '',
    },
    {
      what: 'views, 256 connections ÷ bare handler',
      value: ratio('views many', 'bare many'),
      goal: '≥ 0.27',
      unit: '',
    },
    await tailLatency({
      decision: decision(zones.twenty),
      bare: bareUrl,
      rate: rateOf('twenty') / 2,
      rounds,
    }),
  ];
  await stop(bare.child);
  await expectCounted(ownerUrl);
  return rows;
}

/**
 * Throws if the server filtered any view, because filtered views cost a different amount of work than counted ones. Under
 * the rules of production, only prints their number, because so many views of one publisher reach its caps.
 */
async function expectCounted(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ reason: string; n: string }>(
    `select reason, sum(n) as n from delivery_hourly where kind = 'view' and reason <> '' group by reason`,
  );
  await client.end();
  if (rows.length === 0) return;
  const filtered = `The server filtered views: ${rows.map(({ reason, n }) => `${n} ${reason}`).join(', ')}`;
  if (process.env['TRAFFIC_RULES'] !== 'production') throw new Error(filtered);
  console.log(`  ${filtered}`);
}

/** Prints where the server's thread spends its time for decisions and for views. */
export async function profileDelivery(
  child: ChildProcess,
  { port, zones }: Ready,
  folder: string,
): Promise<void> {
  const base = `http://127.0.0.1:${port}`;
  const views = path.join(folder, 'views.txt');
  await ask(child, { ask: 'tokens', count: SECONDS * 60_000, file: views } satisfies Ask);
  const loads = [
    { name: 'decisions, 32 connections', url: `${base}/api/serve/ads?z=${zones.twenty}`, connections: FEW },
    {
      name: 'decisions with limits, 32 connections',
      url: `${base}/api/serve/ads?z=${zones.limited}`,
      connections: FEW,
    },
    { name: 'views, 256 connections', url: base, connections: MANY, paths: views },
  ];
  for (const { name, ...side } of loads) {
    await ask(child, { ask: 'start profile' } satisfies Ask);
    await load({ ...side, folder }, SECONDS);
    const profile = (await ask(child, { ask: 'stop profile' } satisfies Ask)) as Profile;
    console.log(`  the server's thread, ${name}:`);
    for (const { what, share } of profile.filter((each) => each.share >= 0.005))
      console.log(`    ${(share * 100).toFixed(1).padStart(5)}% ${what}`);
  }
}

/** The p99 latency of a decision at half of its top rate ÷ the bare handler's at the same rate (open loop). */
async function tailLatency(given: {
  decision: string;
  bare: string;
  rate: number;
  rounds: number;
}): Promise<Row> {
  const p99 = async (address: string) => {
    const { port, pathname, search } = new URL(address);
    const args = [port, pathname + search, SITE, String(Math.round(given.rate)), String(SECONDS)];
    return ((await runOnLoadCore('open-loop.ts', args)) as { p99Ms: number }).p99Ms;
  };
  const ratios: number[] = [];
  for (let round = 0; round < given.rounds; round += 1) {
    const first = await p99(round % 2 === 0 ? given.bare : given.decision);
    const second = await p99(round % 2 === 0 ? given.decision : given.bare);
    const [bare, decision] = round % 2 === 0 ? [first, second] : [second, first];
    console.log(
      `  open loop, ${Math.round(given.rate)}/s: bare p99 ${bare.toFixed(2)} ms, decision ${decision.toFixed(2)} ms`,
    );
    ratios.push(decision / bare);
  }
  return {
    what: 'p99 of a decision ÷ bare handler, open loop at half rate',
    value: median(ratios),
    goal: '≤ 3',
    unit: '',
  };
}

/** Sends decisions and views in turn for `minutes` and reports the server's memory after two minutes and at the end. */
export async function soak(
  child: ChildProcess,
  { port, zones }: Ready,
  folder: string,
  minutes: number,
): Promise<Row[]> {
  const url = `http://127.0.0.1:${port}`;
  const paths = path.join(folder, 'views.txt');
  const side = { connections: FEW, folder };
  const kept: Memory[] = [];
  for (let half = 1; half <= minutes * 2; half += 1) {
    await ask(child, { ask: 'tokens', count: 400_000, file: paths } satisfies Ask);
    const views = await load({ ...side, url, paths }, SOAK_SECONDS);
    const decisions = await load({ ...side, url: `${url}/api/serve/ads?z=${zones.twenty}` }, SOAK_SECONDS);
    const memory = (await ask(child, { ask: 'memory' } satisfies Ask)) as Memory;
    kept.push(memory);
    const { heapMiB, residentMiB } = memory;
    console.log(
      `  soak, ${half / 2} minutes: heap ${heapMiB.toFixed(1)} MiB, resident ${residentMiB.toFixed(0)} MiB; ` +
        `${Math.round(views.rate)} views/s, ${Math.round(decisions.rate)} decisions/s`,
    );
  }
  const early = kept[Math.min(4, kept.length) - 1];
  const last = kept.at(-1);
  return [
    { what: 'heap after two minutes of load', value: early?.heapMiB ?? NaN, goal: '', unit: 'MiB' },
    { what: `heap after ${minutes} minutes`, value: last?.heapMiB ?? NaN, goal: 'flat', unit: 'MiB' },
    { what: 'resident after two minutes', value: early?.residentMiB ?? NaN, goal: '', unit: 'MiB' },
    { what: `resident after ${minutes} minutes`, value: last?.residentMiB ?? NaN, goal: 'flat', unit: 'MiB' },
  ];
}

/** Measures the milliseconds until a publisher's change takes effect, by pausing and resuming an ad zone. */
export async function measurePropagation({ port, ownerUrl, zones }: Ready): Promise<Row[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const taken: number[] = [];
  try {
    for (let time = 0; time < 20; time += 1) {
      const open = time % 2 === 1;
      await client.query('update ad_zones set is_active = $1 where public_id = $2', [open, zones.one]);
      const from = performance.now();
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/api/serve/ads?z=${zones.one}`);
        const { ads } = (await answer.json()) as { ads: { kind: string }[] };
        if ((ads[0]?.kind !== 'none') === open) break;
      }
      taken.push(performance.now() - from);
    }
  } finally {
    await client.end();
  }
  return [
    { what: 'a change reaches delivery, median', value: median(taken), goal: '', unit: 'ms' },
    {
      what: 'a change reaches delivery, slowest of 20',
      value: Math.max(...taken),
      goal: '≤ 1000',
      unit: 'ms',
    },
  ];
}
