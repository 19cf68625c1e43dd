import { sql } from 'kysely';
import { placeOfBlobs } from '#server/platform/files/blob-stores.ts';
import { type BackupReport, reportBackups } from '#server/operations/backup/state.ts';
import type { Context } from '#server/platform/context.ts';
import { listServers } from '#server/platform/database/servers/servers.ts';
import { createDatabaseFigures, type DatabaseFigures } from '#server/operations/metrics/database-figures.ts';
import { RELEASE } from '#server/platform/settings/release.ts';

export type System = {
  /** Of the server that answers. */
  release: string;
  database: { release: string; compatibleFrom: string; bytes: number };
  servers: Awaited<ReturnType<typeof listServers>>;
  backups: BackupReport;
  /** As in the metrics, but the sums of the books are read now. */
  figures: DatabaseFigures;
  uploads: string;
};

/** The state of the installation, for its operator. */
export async function readSystem(ctx: Context): Promise<System> {
  const { db, config } = ctx;
  return {
    release: RELEASE,
    database: await db
      .selectFrom('openslotRelease')
      .select(['release', 'compatibleFrom', sql<number>`pg_database_size(current_database())`.as('bytes')])
      .executeTakeFirstOrThrow(),
    servers: await listServers(db),
    backups: await reportBackups(db, ctx.now(), config.backup),
    figures: await createDatabaseFigures(ctx)(),
    uploads: placeOfBlobs(config),
  };
}
