/** Vitest's global setup for tests that need what browsers load. */
import { build } from './build.mjs';

export default async function setup(): Promise<void> {
  await build();
}
