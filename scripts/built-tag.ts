/** Vitest's global setup for tests that need the built tag only. */
import { build } from './build.mjs';

export default async function setup(): Promise<void> {
  await build({ only: 'tag' });
}
