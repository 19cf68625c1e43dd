/**
 * `npm run lab lighthouse` measures the public pages and the dashboard with Lighthouse, on a phone and on a desktop,
 * against a server of its own, and prints the four scores of each and its largest contentful paint (LCP), as medians.
 * `-- --runs=5` measures more often, and `--page=/sites` only that page; it can be repeated. Lighthouse has 114 packages with
 * 170 MB, so it is no dependency: the first call installs it in .cache. The machine should have nothing else to do.
 *
 * By default, Lighthouse multiplies the processor time by 4, so that a fast desktop stands for a mid-tier phone. Its
 * documentation asks to calibrate this on a slower host: "On a weaker machine, you can lower it from the default of 4x to
 * something more appropriate" (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md). The phone is
 * measured with both multipliers, and each line names the multiplier and Lighthouse's index of the host's speed.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { SAMPLE_ACCOUNTS } from '../server/app/sample/sample-data.ts';
import { build } from '../scripts/build.mjs';
import { findBrowser } from '../scripts/browser.ts';
import { root } from '../scripts/node.mjs';
import { step } from '../scripts/progress.mjs';
import { answers, freePort, signIn, startSampleServer } from '../scripts/sample-server.ts';

const VERSION = '13.5.0';
/** `/sites` and a page of the sample data are the public catalogue. */
const PAGES = ['/', '/demo', '/auth', '/sites', '/sites/dailykernel.example', '/dashboard'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

type Audit = { title: string; score: number | null; displayValue?: string; numericValue?: number };
type Result = {
  lhr: {
    environment: { benchmarkIndex: number };
    categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
    audits: Record<string, Audit>;
  };
};
type Lighthouse = {
  default: (url: string, flags: object, config?: object) => Promise<Result>;
  desktopConfig: object;
};

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    page: { type: 'string', multiple: true, default: PAGES },
  },
});
const runs = Number(values.runs);
await build();
const lighthouse = await getLighthouse();
const data = mkdtempSync(path.join(os.tmpdir(), 'openslot-lighthouse-'));
const server = await startSampleServer(data);
const browser = await startBrowser(data);
const session = await signIn(server.url, SAMPLE_ACCOUNTS.at(-1)?.email ?? '');
try {
  for (const page of values.page) {
    const index = await measure(page, 'mobile', { cpuSlowdownMultiplier: 4 });
    await measure(page, 'mobile', { cpuSlowdownMultiplier: calibrated(index) });
    await measure(page, 'desktop');
  }
} finally {
  browser.stop();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}

/** Prints the medians of a page, and returns that of the host's speed, the `benchmarkIndex`. */
async function measure(
  page: string,
  form: 'mobile' | 'desktop',
  throttling?: { cpuSlowdownMultiplier: number },
): Promise<number> {
  const results: Result[] = [];
  for (let run = 0; run < runs; run++) {
    const extraHeaders = page === '/dashboard' ? { Cookie: session } : undefined;
    const flags = {
      port: browser.port,
      onlyCategories: CATEGORIES,
      logLevel: 'error',
      throttling,
      extraHeaders,
    };
    const config = form === 'desktop' ? lighthouse.desktopConfig : undefined;
    results.push(await lighthouse.default(server.url + page, flags, config));
  }
  const scores = CATEGORIES.map((category) =>
    medianOf(results.map(({ lhr }) => Math.round((lhr.categories[category]?.score ?? 0) * 100))),
  );
  const index = medianOf(results.map(({ lhr }) => lhr.environment.benchmarkIndex));
  const paint = medianOf(results.map(({ lhr }) => lhr.audits['largest-contentful-paint']?.numericValue ?? 0));
  const device = throttling ? `${form} ×${throttling.cpuSlowdownMultiplier}` : form;
  console.log(
    `${page.padEnd(26)} ${device.padEnd(12)} ${scores.join(' / ')}   LCP ${(paint / 1000).toFixed(2)} s   host's index ${Math.round(index)}`,
  );
  for (const sentence of faultsOf(results[0])) console.log(`    ${sentence}`);
  return index;
}

/**
 * The multiplier that turns a host with this index into a mid-tier phone, with one decimal. The documentation of
 * Lighthouse refers to this calculation (https://lighthouse-cpu-throttling-calculator.vercel.app).
 */
function calibrated(index: number): number {
  const rounded = (multiplier: number) => Math.round(multiplier * 10) / 10;
  if (index >= 1300) return rounded(3 + (index - 1300) / 233);
  if (index >= 800) return rounded(2 + (index - 800) / 500);
  return rounded(1 + Math.max(0, index - 150) / 650);
}

/** The audits of the first run that cost points. */
function faultsOf(result: Result | undefined): string[] {
  if (!result) return [];
  const { categories, audits } = result.lhr;
  return CATEGORIES.flatMap((category) => categories[category]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => `${audits[id]?.title} ${audits[id]?.displayValue ?? ''}`.trim());
}

function medianOf(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

async function getLighthouse(): Promise<Lighthouse> {
  const home = path.join(root, '.cache', `lighthouse-${VERSION}`);
  const entry = path.join(home, 'node_modules/lighthouse/core/index.js');
  if (!existsSync(entry)) {
    await step(`Installing Lighthouse ${VERSION} (once)`, async () => {
      mkdirSync(home, { recursive: true });
      writeFileSync(path.join(home, 'package.json'), '{ "private": true }');
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional'];
      await promisify(execFile)('npm', ['install', ...options, `lighthouse@${VERSION}`], { cwd: home });
    });
  }
  return (await import(pathToFileURL(entry).href)) as Lighthouse;
}

async function startBrowser(folder: string): Promise<{ port: number; stop: () => void }> {
  const { executablePath, env } = await findBrowser();
  const port = await freePort();
  const profile = path.join(folder, 'profile');
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--in-process-gpu', '--no-first-run'];
  const child = spawn(
    executablePath,
    [...flags, `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`],
    { env: { ...process.env, ...env }, stdio: 'ignore' },
  );
  await answers(`http://127.0.0.1:${port}/json/version`);
  return { port, stop: () => child.kill() };
}
