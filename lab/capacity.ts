/**
 * `npm run -s lab capacity -- --views N [--json]` says what N counted views a second need: cores, memory, disk, WAL, streams,
 * databases, servers and postings. All is computed from lab/capacity-facts.ts.
 */
import { parseArgs } from 'node:util';
import { ASSUMED, FACTS } from './capacity-facts.ts';
import { isStarted } from '../scripts/node.mjs';

/**
 * `measured`: a run of the bench had at least as much on one machine. `computed`: multiplied from such a run.
 * `not built`: this release cannot do it.
 */
export type Basis = 'measured' | 'computed' | 'not built';
export type Row = { part: string; quantity: number; unit: string; basis: Basis };

const DAY_S = 86_400;
const MAX_VIEWS = 1_000_000_000;

/** The parts that an installation needs for `views` counted views a second. */
export function capacityFor(views: number): Row[] {
  const { decisionsPerView, viewsPerAd, daysPerAd, load, outageHours, postingsPerAdAndDay } = ASSUMED;
  const decisionCores = (views * decisionsPerView) / FACTS.decisionsPerCore.value;
  const countingCores = views / FACTS.viewsPerCore.value;
  const databases = Math.ceil(views / FACTS.viewsPerDatabase.value);
  // At least one for each database.
  const servers = Math.max(databases, Math.ceil((decisionCores + countingCores) / load));
  const ads = Math.ceil((views * DAY_S * daysPerAd) / viewsPerAd);
  const memoryOfOne = FACTS.residentMiB.value * 2 ** 20 + (ads / databases) * FACTS.heapPerAd.value;
  const upTo = (most: number): Basis => (views <= most ? 'measured' : 'computed');
  const row = (part: string, quantity: number, unit: string, basis: Basis): Row => ({
    part,
    quantity: rounded(quantity),
    unit,
    basis,
  });
  return [
    row(
      'cores for decisions',
      decisionCores,
      'cores at full load',
      upTo(FACTS.decisionsPerCore.value / decisionsPerView),
    ),
    row('cores for counting', countingCores, 'cores at full load', upTo(FACTS.viewsPerCore.value)),
    row('live ads', ads, 'ads', 'computed'),
    row('memory', (servers * memoryOfOne) / 2 ** 30, 'GiB for all servers', 'computed'),
    row('disk for events', (views * DAY_S * keptBytesPerDailyView()) / 1e12, 'TB', 'computed'),
    row('WAL', (views * FACTS.walPerView.value) / 1e6, 'MB a second', upTo(FACTS.viewsPerCore.value / 4)),
    row('streams', (views * FACTS.streamPerView.value * 3600 * outageHours) / 1e9, 'GB', 'computed'),
    row('databases', databases, 'databases', databases === 1 ? 'measured' : 'not built'),
    row('servers', servers, 'processes', servers === 1 ? 'measured' : 'computed'),
    row('money', ads * postingsPerAdAndDay, 'postings a day', 'computed'),
  ];
}

/** The bytes of all events that are kept, for one view on each day. */
function keptBytesPerDailyView(): number {
  const { keptDays, daysAsRows, eventsPerView } = ASSUMED;
  const packedDays = keptDays + 1 - daysAsRows;
  return FACTS.diskPerView.value * daysAsRows + FACTS.diskPerPackedEvent.value * eventsPerView * packedDays;
}

/** Three digits, so that no row looks more exact than it is. */
const rounded = (quantity: number): number =>
  quantity >= 100 ? Math.ceil(Number(quantity.toPrecision(3))) : Number(quantity.toPrecision(2));

const numberText = (quantity: number): string =>
  quantity.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** The number of views. Throws an error whose message says what is wrong. */
function viewsOf(given: string | undefined): number {
  const views = given !== undefined && /^\d+$/.test(given) ? Number(given) : NaN;
  if (views >= 1 && views <= MAX_VIEWS) return views;
  throw new Error(
    `--views: expected a whole number of counted views a second from 1 to ${numberText(MAX_VIEWS)}${given === undefined ? '' : ` instead of “${given}”`}, such as --views 1000.`,
  );
}

/** The answer to the words of the command line. Throws an error that says what is wrong with them. */
export function answerTo(args: readonly string[]): string {
  const { values } = parseArgs({
    args: args
      .map((each, at) => (args[at - 1] === '--views' ? `--views=${each}` : each))
      .filter((each) => each !== '--views'),
    options: { views: { type: 'string' }, json: { type: 'boolean' } },
  });
  const views = viewsOf(values.views);
  const rows = capacityFor(views);
  if (values.json) return JSON.stringify({ views, rows }, null, 2);
  const lines = rows.map(
    ({ part, quantity, unit, basis }) =>
      `${part.padEnd(20)} ${numberText(quantity).padStart(14)}  ${unit.padEnd(20)} ${basis}`,
  );
  return lines.join('\n');
}

if (isStarted(import.meta.url)) {
  try {
    console.log(answerTo(process.argv.slice(2)));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
