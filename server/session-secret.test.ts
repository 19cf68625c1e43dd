import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newDataDir } from './testing/data-dir.ts';
import { keptSessionSecret } from './session-secret.ts';

// Proves RUN-04, RUN-05
it('a secret is made once, whole, for its owner only, and nothing else is left', () => {
  const dataDir = newDataDir();
  const secret = keptSessionSecret(dataDir);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(keptSessionSecret(dataDir)).toBe(secret);
  expect(readdirSync(dataDir)).toEqual(['session-secret']);
  expect(statSync(path.join(dataDir, 'session-secret')).mode & 0o777).toBe(0o600);
});
