/** The commands `openslot backup …` and `openslot restore --from`. */
import { blobsIn } from '#server/platform/files/blob-stores.ts';
import { backupsIn } from '#server/operations/backup/list.ts';
import { makeBackup } from '#server/operations/backup/make.ts';
import { openBackup, openPlace } from '#server/operations/backup/place.ts';
import { readWhole, restoreBackup } from '#server/operations/backup/restore.ts';
import { verifyBackup } from '#server/operations/backup/verify.ts';
import { type Options, type Outcome, UsageError } from '../acts/command.ts';
import type { Opened, OwnCommand } from './own-command.ts';

export const BACKUP_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  backup: {
    usage: '--to DIR|s3://BUCKET/PREFIX [--keep N] [--unless-since INSTANT]',
    summary: 'Back up the database and the uploads, while all runs',
    run: make,
  },
  'backup list': {
    usage: '--from DIR|s3://BUCKET/PREFIX',
    summary: 'List the backups of a place',
    run: list,
  },
  'backup verify': {
    usage: '--from BACKUP [--scratch DATABASE_URL]',
    summary: 'Restore a backup into a scratch database, and check its books there',
    run: verify,
  },
  restore: {
    usage: '--from BACKUP',
    summary: 'Restore a backup into an empty installation',
    run: restore,
  },
};

async function make(opened: Opened, { to, keep, unlessSince: since }: Options): Promise<Outcome> {
  const address = required('to', to, 'a folder or s3://BUCKET/PREFIX');
  const kept = keep === undefined ? undefined : Number(keep);
  if (kept !== undefined && !(Number.isInteger(kept) && kept >= 1))
    throw new UsageError('--keep must be a whole number of at least 1.');
  const unlessSince = since === undefined ? undefined : new Date(since);
  if (unlessSince && Number.isNaN(unlessSince.getTime()))
    throw new UsageError('--unless-since must be an instant, such as 2026-11-26T03:00:00Z.');
  return await opened.withContext(async (ctx, { serverUrl }) => {
    const json = await makeBackup(ctx, serverUrl, address, { keep: kept, unlessSince });
    if (json === null)
      return { json: { backup: null }, lines: [`${address} has a backup since ${since}, so none was made.`] };
    const { counts } = json;
    return {
      json,
      lines: [
        `Made ${json.backup} in ${json.seconds} s: ${counts.users} users, ${counts.ads} ads, ${counts.postings} postings, ${counts.events} events and ${counts.files} files in ${json.bytes} bytes.`,
        `Prove it: openslot backup verify --from ${json.backup}`,
      ],
    };
  });
}

async function list(opened: Opened, { from }: Options): Promise<Outcome> {
  const address = required('from', from, 'a folder or s3://BUCKET/PREFIX');
  const { backups, damaged } = await backupsIn(openPlace(address, await opened.config()));
  const lines = backups.map(
    ({ backup, at, release, bytes, verifiedAt }) =>
      `${backup}  ${at}  ${release}  ${bytes} bytes  ${verifiedAt ? `proven ${verifiedAt}` : 'not proven'}`,
  );
  return {
    json: { backups, damaged },
    lines: [...(lines.length === 0 ? [`There is no backup in ${address}.`] : lines), ...damaged],
    refused: damaged.length > 0,
  };
}

async function verify(opened: Opened, { from, scratch }: Options): Promise<Outcome> {
  const address = required('from', from, 'a backup');
  return await opened.withContext(async (ctx, { ownerUrl }) => {
    const json = await verifyBackup(ctx, address, { ownerUrl, scratch });
    return {
      json,
      lines: json.holds ? [`${address} holds. It was restored in ${json.seconds} s.`] : json.problems,
      refused: !json.holds,
    };
  });
}

async function restore(opened: Opened, { from }: Options): Promise<Outcome> {
  const address = required('from', from, 'a backup');
  const config = await opened.config();
  const backup = openBackup(address, config);
  // Before a database is opened, which makes the embedded one.
  const manifest = await readWhole(backup.place, backup.name);
  const blobs = blobsIn(config.uploads ? 's3' : 'local', config, async () => manifest.installation);
  return await opened.withDatabase(async (addresses) => {
    await restoreBackup({ ...backup, manifest }, addresses, blobs, new Date());
    const { release, at, counts } = manifest;
    return {
      json: { backup: address, release, at, counts },
      lines: [
        `Restored ${address} of ${at}, made by ${release}: ${counts.users} users, ${counts.ads} ads, ${counts.postings} postings, ${counts.events} events and ${counts.files} files.`,
        'Start the server. Mail, refunds, payouts and calls to the card provider wait until you run: openslot outbound release --reason TEXT',
      ],
    };
  });
}

function required(option: string, value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`Name ${what} with --${option}.`);
  return value;
}
