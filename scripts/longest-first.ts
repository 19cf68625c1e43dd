import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The projects in the order in which they start. Each stays together, because a worker runs one project at a time. */
const PROJECTS = ['e2e', 'scripts', 'server', 'web', 'domain', 'tag'];

/**
 * Starts the longest files first, so that no worker begins a long one when the others are done. The durations are those
 * of vitest's last run; in a fresh clone the size of a file stands in for its duration.
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
    return this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 3 * statSync(file.moduleId).size;
  }
}
