import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The projects in the order in which they start. Each stays together, because a worker runs one project at a time. */
const PROJECTS = ['long', 'e2e', 'scripts', 'server', 'screens', 'web', 'domain', 'tag'];

/** Files that take far longer than their size suggests: they walk over all screens, send much, or start and kill servers. */
const LONG = [
  'e2e/first-load.test.ts',
  'web/testing/gallery/gallery.test.tsx',
  'web/testing/gallery/translated.test.tsx',
  'web/testing/gallery/layers.test.tsx',
  'e2e/event-log.long.test.ts',
  'e2e/start.long.test.ts',
  'e2e/bare-clone.long.test.ts',
  'server/money/histories.test.ts',
  'server/app/fuzz.test.ts',
  'server/app/openslot.test.ts',
  'server/money/killed.long.test.ts',
  'server/ads/life/states.test.ts',
  'server/platform/database/embedded/embedded.long.test.ts',
];

/**
 * Starts the longest files first, so that no worker begins a long one when the others are done. The durations are those
 * of vitest's last run. In a fresh clone, they are estimated from the size of the file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weighed = files.map((file) => ({
      file,
      project: PROJECTS.indexOf(file.project.name),
      weight: this.#weigh(file),
    }));
    return weighed
      .toSorted((one, other) => one.project - other.project || other.weight - one.weight)
      .map(({ file }) => file);
  }

  /** Milliseconds, or an estimate of them: about three for each byte of a test. */
  #weigh(file: TestSpecification): number {
    const known = this.ctx.cache.getTestSpecificationResult(file);
    if (known) return known.duration;
    const isLong = LONG.some((name) => file.moduleId.endsWith(name));
    return isLong ? Number.MAX_SAFE_INTEGER : 3 * statSync(file.moduleId).size;
  }
}
