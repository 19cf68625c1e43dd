/** Sends load in a closed loop with wrk (Debian's package). Each connection has one request under way at a time. */
import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { headersOf } from '../../server/testing/delivery/browsers.ts';
import { LOAD_CORE } from './process.ts';

const run = promisify(execFile);

export type Sample = {
  /** Answers per second. */
  rate: number;
  answers: number;
};

/** The number of visitors, each in its own network. The server sees them by X-Forwarded-For, as behind a proxy. */
const VISITORS = 16_384;
const BROWSER = headersOf('Chrome on Windows', 'fetch');
const HEADERS = `
${Object.entries(BROWSER)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
local function visitor(index)
  local network = index % ${VISITORS}
  -- 100.64.0.0/10 is reserved for carriers, so no data center uses it.
  return "100." .. (64 + math.floor(network / 256)) .. "." .. (network % 256) .. ".9"
end
-- Each run uses other browsers, so that no visitor reaches the frequency cap.
math.randomseed(os.time())
wrk.headers["user-agent"] = "${BROWSER['user-agent']} Bench/" .. math.random(1, 2000)
local index = math.random(0, ${VISITORS} - 1)
`;
const GETS = `
local requests = {}
init = function()
  for each = 1, ${VISITORS} do
    wrk.headers["X-Forwarded-For"] = visitor(each)
    requests[each] = wrk.format()
  end
end
request = function()
  index = index % ${VISITORS} + 1
  return requests[index]
end
`;
const POSTS = `
local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
wrk.method = "POST"
wrk.headers["Content-Length"] = "0"
local sent = 0
request = function()
  index = index + 1
  sent = sent + 1
  wrk.headers["X-Forwarded-For"] = visitor(index)
  return wrk.format(nil, paths[sent])
end
`;

/** Installs wrk if it is missing. Throws if wrk or taskset isn't available. */
export async function prepareLoad(): Promise<void> {
  if (!existsSync('/usr/bin/taskset'))
    throw new Error('The bench pins processes to cores with taskset. Run it on Linux.');
  if (existsSync('/usr/bin/wrk')) return;
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'wrk']).catch(() => {
    throw new Error('The bench needs wrk. Install it with: apt-get install wrk');
  });
}

export type Load = {
  url: string;
  connections: number;
  folder: string;
  /** A file with paths, one per line. The load sends one POST to each. */
  paths?: string;
};

/** Runs a load for `seconds`. Throws if an answer was an error. */
export async function load(side: Load, seconds: number): Promise<Sample> {
  return await startLoad(side, seconds).sample;
}

/**
 * Long enough that the answers under way at the end of a turn don't matter (32 of about 4,000), and short enough that
 * changes of the host's load affect all sides equally.
 */
const TURN_MS = 100;
/** The limit that wrk gets. A signal ends loads that take turns. */
const MAX_SECONDS = 3600;

/**
 * Measures the answers per second of each side, with `seconds` for each. All loads are started, and each in turn runs
 * for a tenth of a second while the others are suspended (SIGSTOP). Changes of the machine's load affect all sides
 * equally, so their ratio is stable. The ratio of consecutive samples of several seconds varies by 10% and more.
 */
export async function takeTurns(sides: Load[], seconds: number): Promise<number[]> {
  const loads = sides.map((side) => ({ ...startLoad(side, MAX_SECONDS), ms: 0 }));
  // Handle the rejections of all samples, because the loop below throws at the first one.
  const allEnded = Promise.allSettled(loads.map(({ sample }) => sample));
  try {
    for (const { wrk } of loads) wrk.kill('SIGSTOP');
    for (let turn = 0; turn < (seconds * 1000) / TURN_MS; turn += 1) {
      for (const each of shuffled(loads)) {
        const from = performance.now();
        each.wrk.kill('SIGCONT');
        await pause(TURN_MS);
        each.wrk.kill('SIGSTOP');
        each.ms += performance.now() - from;
      }
    }
    const rates: number[] = [];
    for (const { wrk, sample, ms } of loads) {
      const from = performance.now();
      wrk.kill('SIGCONT');
      // Repeat the signal until wrk exits. After SIGCONT it may reach a thread that ignores it.
      const interrupting = setInterval(() => wrk.kill('SIGINT'), 20);
      const { answers } = await sample.finally(() => clearInterval(interrupting));
      rates.push(answers / ((ms + performance.now() - from) / 1000));
    }
    return rates;
  } finally {
    for (const { wrk } of loads) wrk.kill('SIGKILL');
    await allEnded;
  }
}

/** Shuffles the turns, so that each side follows each other one equally often and meets its processor caches. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, position: Math.random() }))
    .toSorted((a, b) => a.position - b.position)
    .map(({ value }) => value);
}

function startLoad(
  { url, connections, folder, paths }: Load,
  seconds: number,
): { wrk: ChildProcess; sample: Promise<Sample> } {
  const script = path.join(folder, paths ? 'posts.lua' : 'gets.lua');
  writeFileSync(script, HEADERS + (paths ? POSTS : GETS));
  const how = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const options = { env: { ...process.env, PATHS: paths } };
  const running = run('taskset', ['-c', LOAD_CORE, 'wrk', ...how], options);
  return { wrk: running.child, sample: running.then(({ stdout }) => readReport(stdout, url)) };
}

/** Reads wrk's report. Throws if an answer was an error. */
function readReport(text: string, url: string): Sample {
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  const answers = Number(/(\d+) requests in/.exec(text)?.[1]);
  if (!rate || !answers) throw new Error(`wrk reported no rate:\n${text}`);
  const bad = Number(/Non-2xx or 3xx responses:\s+(\d+)/.exec(text)?.[1] ?? 0);
  if (bad > 0) throw new Error(`${url}: ${bad} answers were errors`);
  return { rate, answers };
}
