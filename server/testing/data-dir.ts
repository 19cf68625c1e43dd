import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Makes a new DATA_DIR that keeps its database inside. It needs mode 0755: for root, the server moves the database of a
 * directory with mode 0700 to /var/lib/openslot.
 */
export function newDataDir(): string {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'openslot-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}
