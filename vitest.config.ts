import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const postgres = './server/testing/postgres.ts';
const built = './scripts/built.ts';

function project(name: string, settings: object): TestProjectConfiguration {
  return {
    extends: false,
    test: { name, environment: 'node', include: [`${name}/**/*.test.ts`], ...settings },
  };
}

export default defineConfig({
  test: {
    // A test that passes only the second time is a fault to find, not to hide: scripts/test.mjs names it.
    retry: 0,
    projects: [
      project('domain', {}),
      project('web', {}),
      project('server', { globalSetup: [postgres], testTimeout: 20_000, hookTimeout: 30_000 }),
      project('tag', { globalSetup: ['./scripts/built-tag.ts'], testTimeout: 20_000 }),
      project('scripts', { testTimeout: 120_000, hookTimeout: 120_000 }),
      project('e2e', {
        globalSetup: [built, postgres],
        testTimeout: 120_000,
        hookTimeout: 120_000,
        // As patient as the steps of a page are: see e2e/support/stage.ts.
        expect: { poll: { timeout: 20_000 } },
        // Each worker drives a browser and a server of its own: more than two would only wait for each other.
        maxWorkers: 2,
        sequence: { groupOrder: 1 },
      }),
    ],
  },
});
