/** Vitest's global setup for tests that need the built web application and tag. */
import { build } from './build.mjs';

export default async function setup(): Promise<void> {
  await build();
}
