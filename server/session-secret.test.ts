import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newTemporaryFolder } from './testing/temporary.ts';
import { loadSessionSecret } from './session-secret.ts';

// Proves RUN-04, RUN-05
it('generates the session secret once, in a single file that only its owner can read', () => {
  const dataDir = newTemporaryFolder('data');
  const secret = loadSessionSecret(dataDir);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(loadSessionSecret(dataDir)).toBe(secret);
  expect(readdirSync(dataDir)).toEqual(['session-secret']);
  expect(statSync(path.join(dataDir, 'session-secret')).mode & 0o777).toBe(0o600);
});
