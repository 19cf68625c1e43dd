/**
 * `npm run -s lab rights` prints who may make each call of the server, as its routes declare it: the access, the right that a
 * member of the account or an operator needs, and whether a suspended account may make it, whether the session must have been
 * confirmed in the last 15 minutes, and whether the answer is public. (docs/decisions/109-members.md)
 */
import { rmSync } from 'node:fs';
import { buildApp } from '../server/app/app.ts';
import { readConfig } from '../server/platform/settings/config.ts';
import { rightsTable } from '../server/platform/http/rights.ts';
import { withMigratedDatabase } from '../server/testing/postgres.ts';
import { newTemporaryFolder } from '../server/testing/temporary.ts';

const dataDir = newTemporaryFolder('rights');
await withMigratedDatabase(async (databaseUrl) => {
  const config = readConfig({ DATA_DIR: dataDir });
  const app = await buildApp({ config, databaseUrl, sessionSecrets: ['of no session'], logger: false });
  console.log(rightsTable(app));
  await app.close();
});
rmSync(dataDir, { recursive: true, force: true });
