/**
 * `npm run lab bench` measures the ratios of docs/performance.md on this machine. It is no test. Only the parts counting, processes
 * and growth assert their figures: the program exits with 1 where one does not hold.
 * `-- --json FILE` writes the rows to a file. `--rounds N` changes the number of rounds (default 12).
 * `--only delivery|snapshot|counting|processes|lists|catalogue|books|minute|bounds|growth` runs one part. `--zones N`
 * is the number of ad zones of the part snapshot. `--events N`, `--ads N` and `--websites N` are the sizes of the part growth,
 * which runs only when it is named. `--soak MINUTES` adds a long load and reports memory.
 * `--rules production` applies the traffic rules of production to the part delivery. `--profile` prints where the server
 * spends its time.
 */
import { mkdtempSync, rmSync, writeFileSync, chmodSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '../../server/testing/client.ts';
import { measureBooks } from './books.ts';
import { measureBounds } from './bounds.ts';
import { measureCounting } from './counting.ts';
import { measureDelivery, measurePropagation, profileDelivery, type Row, soak } from './delivery.ts';
import {
  fillCatalogue,
  fillFigures,
  fillMarketplace,
  openAccount,
  timeCatalogue,
  timeDashboard,
  timeMarketplace,
  type Times,
} from './lists.ts';
import { FULL_SIZES, measureGrowth } from './growth.ts';
import { measureMinutes } from './minute.ts';
import { start, stop } from './process.ts';
import { measureProcesses } from './processes.ts';
import type { Ready } from './target.ts';
import { prepareLoad } from './wrk.ts';
import { measureZones } from './zones.ts';

const { values: given } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '12' },
    only: { type: 'string' },
    zones: { type: 'string', default: '130000' },
    events: { type: 'string', default: '5000000' },
    ads: { type: 'string', default: '2000' },
    websites: { type: 'string', default: '200000' },
    soak: { type: 'string', default: '0' },
    rules: { type: 'string', default: 'development' },
    profile: { type: 'boolean', default: false },
  },
});
// The measured server is a child process and inherits it.
process.env['TRAFFIC_RULES'] = given.rules;

if (given.only === undefined || ['delivery', 'processes'].includes(given.only)) await prepareLoad();
const folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-bench-'));
chmodSync(folder, 0o755);
try {
  const isSelected = (part: string) => given.only === undefined || given.only === part;
  const rows = [
    ...(isSelected('delivery') ? await delivery(Number(given.rounds), Number(given.soak)) : []),
    ...(isSelected('snapshot') ? await snapshot(Number(given.zones)) : []),
    ...(isSelected('counting') ? await counting(Number(given.rounds)) : []),
    ...(isSelected('processes') ? await processes() : []),
    ...(isSelected('lists') ? await lists() : []),
    ...(isSelected('catalogue') ? await catalogue() : []),
    ...(isSelected('books') ? await books() : []),
    ...(isSelected('minute') ? await minute() : []),
    ...(isSelected('bounds') ? await bounds() : []),
    // It takes a quarter of an hour and much room.
    ...(given.only === 'growth' ? await growth() : []),
  ];
  print(rows);
  if (given.json) writeFileSync(given.json, `${JSON.stringify({ machine: machine(), rows }, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function delivery(rounds: number, soakMinutes: number): Promise<Row[]> {
  const { child, ready } = await start('target.ts', path.join(folder, 'delivery'));
  const target = ready as Ready;
  console.log('Delivery');
  try {
    if (given.profile) await profileDelivery(child, target, folder);
    return [
      ...(await measureDelivery(child, target, folder, rounds)),
      ...(await measurePropagation(target)),
      ...(soakMinutes > 0 ? await soak(child, target, folder, soakMinutes) : []),
    ];
  } finally {
    await stop(child);
  }
}

async function snapshot(zones: number): Promise<Row[]> {
  console.log(`Memory of a server with ${zones.toLocaleString('en-US')} ad zones`);
  return await measureZones(path.join(folder, 'snapshot'), zones);
}

async function counting(rounds: number): Promise<Row[]> {
  console.log('Counting for two groups of publishers');
  return await measureCounting(path.join(folder, 'counting'), rounds);
}

async function processes(): Promise<Row[]> {
  console.log('The cost of an event with four servers and with one');
  return await measureProcesses(path.join(folder, 'processes'));
}

async function bounds(): Promise<Row[]> {
  console.log('Views over the goal, four instances on one database');
  return await measureBounds(path.join(folder, 'bounds'));
}

async function growth(): Promise<Row[]> {
  const [events, sales, sites] = [given.events, given.ads, given.websites].map(Number) as [
    number,
    number,
    number,
  ];
  const { events: allEvents, sales: allAds, websites: allSites } = FULL_SIZES;
  const full = `--events ${allEvents} --ads ${allAds} --websites ${allSites}`;
  console.log(
    `Two nights’ work after a year: ${events} events, ${sales} ads and ${sites} websites (full size: ${full})`,
  );
  return await measureGrowth(path.join(folder, 'growth'), { events, sales, websites: sites });
}

async function minute(): Promise<Row[]> {
  console.log('The jobs of a minute, over 130,000 ad zones and 10,000 live ads, then over ten times as many');
  return await measureMinutes(({ zones }) => path.join(folder, `minute-${zones}`));
}

async function lists(): Promise<Row[]> {
  const { child, ready } = await start('target.ts', path.join(folder, 'lists'));
  const { port, ownerUrl } = ready as Ready;
  try {
    const account = await openAccount(ownerUrl, `http://127.0.0.1:${port}`);
    console.log('Figures over 100,000 counted events, then 100,000,000');
    await fillMarketplace(ownerUrl, 10_000);
    await fillFigures(ownerUrl, 20, 167);
    const fewEvents = await timeDashboard(account);
    const events = await fillFigures(ownerUrl, 2000, 1667);
    const manyEvents = await timeDashboard(account);
    console.log(`  ${events} events; marketplace over 10,000 websites, then 1,000,000`);
    const fewSites = await timeMarketplace(account);
    await fillMarketplace(ownerUrl, 1_000_000);
    const manySites = await timeMarketplace(account);
    return [
      ...compare('dashboard, 100,000,000 events ÷ 100,000', fewEvents, manyEvents, '≤ 2'),
      ...compare('marketplace, 1,000,000 websites ÷ 10,000', fewSites, manySites, '≤ 3'),
    ];
  } finally {
    await stop(child);
  }
}

async function catalogue(): Promise<Row[]> {
  const { child, ready } = await start('target.ts', path.join(folder, 'catalogue'));
  const { port, ownerUrl } = ready as Ready;
  const visitor = new Client(`http://127.0.0.1:${port}`);
  try {
    console.log('Public catalogue of 10,000 websites, then of 1,000,000');
    await fillCatalogue(ownerUrl, 10_000);
    const few = await timeCatalogue(ownerUrl, visitor);
    await fillCatalogue(ownerUrl, 1_000_000);
    const many = await timeCatalogue(ownerUrl, visitor);
    return compare('catalogue, 1,000,000 websites ÷ 10,000', few, many, '≤ 3');
  } finally {
    await stop(child);
  }
}

async function books(): Promise<Row[]> {
  console.log('Books of 1,000 sales, then of 100,000 with a million postings');
  const few = await measureBooks(path.join(folder, 'few-books'), 1000);
  const many = await measureBooks(path.join(folder, 'many-books'), 100_000);
  const sizes = `${many.postings.toLocaleString('en-US')} postings ÷ ${few.postings.toLocaleString('en-US')}`;
  return [
    ...compare(`books, ${sizes}`, few.times, many.times, ''),
    { what: 'money check --all, larger ledger', value: many.wholeMs, goal: '', unit: 'ms' },
    {
      what: 'money check of what came since the signed day ÷ --all, larger ledger',
      value: many.checkMs / many.wholeMs,
      goal: '≤ 0.2',
      unit: '',
    },
  ];
}

function compare(what: string, few: Times, many: Times, goal: string): Row[] {
  return Object.entries(many).flatMap(([name, ms]) => [
    { what: `${what}: ${name}`, value: ms / (few[name] ?? NaN), goal, unit: '' },
    { what: `${what}: ${name}, larger table`, value: ms, goal: '', unit: 'ms' },
  ]);
}

function print(rows: Row[]): void {
  console.log(`\n${machine()}\n`);
  for (const { what, value, goal, unit } of rows) {
    const figure = value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2);
    console.log(`${what.padEnd(80)} ${figure.padStart(9)} ${unit.padEnd(3)} ${goal}`);
  }
}

function machine(): string {
  const [cpu] = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  return `${os.cpus().length} × ${cpu?.model ?? 'unknown'}, ${memory} GiB, ${os.type()} ${os.release()}, Node ${process.versions.node}, load average ${os.loadavg()[0]?.toFixed(1)}, commit ${commit()}`;
}

function commit(): string {
  const git = path.resolve(import.meta.dirname, '../../.git');
  try {
    const head = readFileSync(path.join(git, 'HEAD'), 'utf8').trim();
    return (head.startsWith('ref: ') ? readFileSync(path.join(git, head.slice(5)), 'utf8') : head).slice(
      0,
      7,
    );
  } catch {
    return 'unknown';
  }
}
