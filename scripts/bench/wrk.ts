/** Load in a closed loop, by wrk (Debian's package): as many requests as `connections` can have under way at once. */
import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { BROWSER, SITE } from '../../server/testing/delivery.ts';

const run = promisify(execFile);

export type Sample = {
  /** Answers per second. */
  rate: number;
  p99Ms: number;
  /** Answers that were neither 2xx nor 3xx. */
  bad: number;
};

/** As behind a proxy: each request comes from the next of this many visitors, each in a network of its own. */
const VISITORS = 16_384;
const HEADERS = `
wrk.headers["Origin"] = "${SITE}"
wrk.headers["User-Agent"] = "${BROWSER}"
local function visitor(index)
  local network = index % ${VISITORS}
  -- 100.64.0.0/10: carriers' own, and no data centre's.
  return "100." .. (64 + math.floor(network / 256)) .. "." .. (network % 256) .. ".9"
end
-- Another one first each time, so that no visitor has seen an ad as often as is capped.
math.randomseed(os.time())
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

/** One sample. `paths` names a file of addresses to POST to, each once. */
export async function load(options: {
  url: string;
  connections: number;
  seconds: number;
  folder: string;
  core: string;
  paths?: string;
}): Promise<Sample> {
  const script = path.join(options.folder, options.paths ? 'posts.lua' : 'gets.lua');
  writeFileSync(script, HEADERS + (options.paths ? POSTS : GETS));
  const { stdout } = await run(
    'taskset',
    [
      '-c',
      options.core,
      'wrk',
      '-t1',
      `-c${options.connections}`,
      `-d${options.seconds}s`,
      '--latency',
      '-s',
      script,
      options.url,
    ],
    { env: { ...process.env, PATHS: options.paths } },
  );
  return readReport(stdout);
}

/** The figures of wrk's report. */
export function readReport(text: string): Sample {
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(text) ?? [];
  if (!rate || !p99) throw new Error(`wrk said:\n${text}`);
  const bad = Number(/Non-2xx or 3xx responses:\s+(\d+)/.exec(text)?.[1] ?? 0);
  return { rate, p99Ms: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'], bad };
}
