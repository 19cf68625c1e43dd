/** Vitest's global setup for tests that need only the built tag. */
import { build } from './build.mjs';

export default async function setup(): Promise<void> {
  await build({ only: 'tag' });
}
