import { chmodSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A new DATA_DIR whose database stays inside: one of mode 0700 would send root's to /var/lib/openslot. */
export function newDataDir(): string {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'openslot-'));
  chmodSync(dataDir, 0o755);
  return dataDir;
}
