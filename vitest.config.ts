import { availableParallelism } from 'node:os';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration, type ViteUserConfig } from 'vitest/config';
import { launchOptions } from './scripts/browser.ts';
import { LongestFirst } from './scripts/longest-first.ts';

const postgres = './server/testing/postgres.ts';
const prepared = './server/testing/prepared-statements.ts';
const refused = './server/testing/database/refused-statements.ts';
const built = './scripts/built.ts';
const builtTag = './scripts/built-tag.ts';

/**
 * Two workers for each core, because a test waits about half of its time for a browser, a database or a clock. At most
 * eight, whose servers open about as many connections as the PostgreSQL of the tests accepts.
 */
const maxWorkers = Math.min(2 * availableParallelism(), 8);

/**
 * A test that hangs is named within a minute. The slowest takes about 20 s on two cores; one that takes longer by nature has
 * a limit of its own.
 */
const short = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

const onServer = { setupFiles: [prepared, refused], ...short };

/** A page shares its core with another page, their servers and PostgreSQL, so a poll waits as long as a step: STEP_MS in person.ts. */
const onPages = { ...onServer, expect: { poll: { timeout: 30_000 } } };

/** The tests of the long tier kill, build and play for minutes. */
const patient = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 60_000 } } };

/** The tests that take long by nature, which are none of the other projects. */
const LONG = '**/*.long.test.ts';

/** Those of extensions have a folder of their own. */
const PACKAGES = '**/node_modules/**';

function project(name: string, settings: object): TestProjectConfiguration {
  return {
    extends: false,
    test: {
      name,
      environment: 'node',
      include: [`${name}/**/*.test.ts`],
      exclude: [LONG],
      // All projects share one pool, so that none waits for the last file of another.
      maxWorkers,
      // A worker loads the server, and starts Chromium, once for all of its files. Our modules keep no state between tests.
      isolate: false,
      ...settings,
    },
  };
}

/** Component tests: the screens in a browser, without a server. */
const screens = async (): Promise<TestProjectConfiguration> => ({
  extends: false,
  plugins: [react(), tailwindcss()],
  cacheDir: '.cache/vite-tests',
  // A warning about vitest's own code would stand between the tests.
  logLevel: 'error',
  // Found at the start, because a package that is found later loads the pages of the tests anew.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}'] },
  test: {
    name: 'screens',
    include: ['web/**/*.test.tsx'],
    setupFiles: ['./web/testing/setup.ts'],
    // After all other projects, because pages that share their cores with servers wait half a minute for a key. A page waits
    // for a fifth of its time, so there is half a one more than cores.
    sequence: { groupOrder: 1 },
    maxWorkers: Math.min(Math.ceil(1.5 * availableParallelism()), 8),
    ...short,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      testerHtmlPath: './web/testing/page.html',
      // Without a Chromium, the tests without a browser run all the same.
      provider: playwright({ launchOptions: await launchOptions().catch(() => ({})) }),
      instances: [{ browser: 'chromium', viewport: { width: 1280, height: 900 } }],
    },
  },
});

const ordinary = async (): Promise<TestProjectConfiguration[]> => [
  project('e2e', { globalSetup: [built, postgres], ...onPages }),
  project('server', {
    globalSetup: [built, postgres],
    ...onServer,
    include: ['{server,extensions}/**/*.test.ts'],
    exclude: [LONG, PACKAGES],
  }),
  project('scripts', { ...short, include: ['{scripts,lab}/**/*.test.ts'] }),
  await screens(),
  project('web', short),
  project('domain', short),
  project('tag', { globalSetup: [builtTag], ...short }),
];

/** Tests of many cases, of which `npm test` plays a part. */
const SHORTENED = [
  'server/**/{histories,fuzz,lock-order,states}.test.ts',
  'e2e/{accessibility-server-pages,hostile-pages/*}.test.ts',
];

/** `npm run test:long`. Tests of many cases run here in their full length; without these settings they are short. */
const long = [
  project('long', {
    globalSetup: [built, postgres],
    ...onServer,
    ...patient,
    include: [LONG, ...SHORTENED],
    exclude: [PACKAGES],
    env: {
      HISTORY_STEPS: '10000',
      FUZZ_REQUESTS: '30000',
      FUZZ_FILES: '300',
      BOOKING_HISTORIES: '120',
      TEST_TIER: 'long',
    },
  }),
];

export default defineConfig(async ({ mode }): Promise<ViteUserConfig> => ({
  test: {
    // A test that passes only the second time has a fault, which a retry would hide.
    retry: 0,
    sequence: { sequencer: LongestFirst },
    // Leave out the summary at the foot of the terminal, because it would erase the lines of the checks that run beside
    // the tests (scripts/test.mjs).
    reporters: [
      ['default', { summary: false }],
      ['json', { outputFile: '.cache/test-results.json' }],
    ],
    // Show the output of a test, such as development mail, only if it fails.
    silent: 'passed-only',
    projects: mode === 'long' ? long : await ordinary(),
  },
}));
