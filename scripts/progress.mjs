/** Prints the progress of long steps. Uses only Node's built-in modules. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

const repeatMillis = 15_000;

// The build changes NODE_ENV while it runs.
const isLog = process.env['NODE_ENV'] === 'production' || process.env['LOG_FORMAT'] === 'json';
const server = `${hostname()}:${process.pid}`;
/** @type {{ version: string }} */
const { version: release } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/**
 * Prints a line, in the form of the server's log where that is JSON (server/platform/log/log.ts), because the steps of a start come
 * before its lines.
 * @param {string} line
 */
export function say(line) {
  const time = new Date().toISOString();
  console.log(isLog ? JSON.stringify({ level: 'info', time, release, server, msg: line.trim() }) : line);
}

/**
 * Prints `title`, then the elapsed time every 15 s while `work` runs, and at the end how long it took.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function step(title, work) {
  const from = Date.now();
  const seconds = () => ((Date.now() - from) / 1000).toFixed(1);
  say(`${title} …`);
  const reminder = setInterval(
    () => say(`  still running (${Math.round(Number(seconds()))} s)`),
    repeatMillis,
  );
  try {
    const result = await work();
    say(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(reminder);
  }
}
