import { blobsIn, type BlobPlace } from '#server/platform/files/blob-stores.ts';
import type { BlobStore } from '#server/platform/files/blobs.ts';
import { copyFiles } from '#server/platform/media/copy-files.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { type Command, type Input, UsageError } from '../acts/command.ts';

export const FILES_COMMANDS: Readonly<Record<string, Command>> = {
  'files copy': {
    usage: '--from local|s3 --to local|s3',
    summary: 'Copy the uploads between DATA_DIR and S3_BUCKET, and compare every byte',
    run: copy,
  },
};

async function copy({ ctx, options: { from, to, dryRun } }: Input) {
  if (dryRun) throw new UsageError('files copy has no dry run. It changes no file that is the same already.');
  const places = { from: placeOf('from', from), to: placeOf('to', to) };
  if (places.from === places.to) throw new UsageError('--from and --to must be two places: local and s3.');
  const [source, target] = [places.from, places.to].map((place) =>
    blobsIn(place, ctx.config, async () => await installationId(ctx.db)),
  ) as [BlobStore, BlobStore];
  // A bucket of another installation is refused before anything is read.
  await Promise.all([source.check(), target.check()]);
  const json = await copyFiles(source, target);
  const { copied, same, bytes, wrong } = json;
  return {
    json,
    lines: [
      `${copied} files were copied (${bytes} bytes), and ${same} were there already.`,
      ...wrong.map((key) => `${key} was not the same when it was read back. Run the command again.`),
    ],
    refused: wrong.length > 0,
  };
}

function placeOf(option: string, word: string | undefined): BlobPlace {
  if (word === 'local' || word === 's3') return word;
  throw new UsageError(`--${option} must be local or s3.`);
}
