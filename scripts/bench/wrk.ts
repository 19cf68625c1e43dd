/** Load in a closed loop, by wrk (Debian's package): as many requests as `connections` can have under way at once. */
import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BROWSER, SITE } from '../../server/testing/delivery.ts';
import { LOAD_CORE } from './process.ts';

const run = promisify(execFile);

export type Sample = {
  /** Answers per second. */
  rate: number;
  answers: number;
};

/** As behind a proxy: each request comes from the next of this many visitors, each in a network of its own. */
const VISITORS = 16_384;
const HEADERS = `
wrk.headers["Origin"] = "${SITE}"
local function visitor(index)
  local network = index % ${VISITORS}
  -- 100.64.0.0/10: carriers' own, and no data centre's.
  return "100." .. (64 + math.floor(network / 256)) .. "." .. (network % 256) .. ".9"
end
-- Other browsers each time, so that no visitor sees an ad as often as is capped.
math.randomseed(os.time())
wrk.headers["User-Agent"] = "${BROWSER} Bench/" .. math.random(1, 2000)
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

/** Makes sure that wrk and taskset are there. Throws with what to do if they are not. */
export async function prepareLoad(): Promise<void> {
  if (!existsSync('/usr/bin/taskset'))
    throw new Error('The bench pins processes with taskset: run it on Linux.');
  if (existsSync('/usr/bin/wrk')) return;
  await run('apt-get', ['install', '-y', '--no-install-recommends', 'wrk']).catch(() => {
    throw new Error('The bench needs wrk: apt-get install wrk');
  });
}

export type Load = {
  url: string;
  connections: number;
  folder: string;
  /** Names a file of addresses to POST to, each once. */
  paths?: string;
};

/** One sample. */
export async function load(side: Load, seconds: number): Promise<Sample> {
  return await startLoad(side, seconds).sample;
}

/** Long beside the answers that are still under way when a turn ends (32 of some 4,000), short beside a host's moods. */
const TURN_MS = 100;
/** Loads that take turns are told when to end. */
const LONGEST_SECONDS = 3600;

/**
 * Answers per second of each side, in `seconds` of its own: all loads are started, and each in turn goes on for a tenth of a
 * second while the others are held (SIGSTOP). What the machine does meanwhile meets all sides alike, so their ratio
 * is steady where samples of seconds after one another scatter by a tenth and more.
 */
export async function takeTurns(sides: Load[], seconds: number): Promise<number[]> {
  const loads = sides.map((side) => ({ ...startLoad(side, LONGEST_SECONDS), ms: 0 }));
  // Heard also where another of them failed first.
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
      // Until it has heard: a thread that was just held passes a signal on to one that has no use for it.
      const asking = setInterval(() => wrk.kill('SIGINT'), 20);
      const { answers } = await sample.finally(() => clearInterval(asking));
      rates.push(answers / ((ms + performance.now() - from) / 1000));
    }
    return rates;
  } finally {
    for (const { wrk } of loads) wrk.kill('SIGKILL');
    await allEnded;
  }
}

/** So that each comes after each other one equally often: what comes before leaves the processor's caches to it. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
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

/** The figures of wrk's report. Throws where answers were errors. */
function readReport(text: string, url: string): Sample {
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  const answers = Number(/(\d+) requests in/.exec(text)?.[1]);
  if (!rate || !answers) throw new Error(`wrk said:\n${text}`);
  const bad = Number(/Non-2xx or 3xx responses:\s+(\d+)/.exec(text)?.[1] ?? 0);
  if (bad > 0) throw new Error(`${url}: ${bad} answers were errors`);
  return { rate, answers };
}
