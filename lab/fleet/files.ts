/** The S3 server with the files of the fleet, and the image of an ad in it. */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { blobsIn } from '../../server/platform/files/blob-stores.ts';
import { readConfig } from '../../server/platform/settings/config.ts';
import { installationId } from '../../server/platform/database/servers/servers.ts';
import { makeUser, type Tables } from '../../server/testing/delivery/running-ads.ts';
import { png } from '../../server/testing/pictures.ts';
import { settingsOfBucket, startS3 } from '../../server/testing/s3/bucket.ts';
import { renditionKey } from '../../server/platform/media/keys.ts';
import type { Program } from './scenes.ts';

export async function startFiles(folder: string): Promise<Program & { port: number }> {
  const first = await startS3(folder);
  const { port } = first;
  let child: ChildProcess = first.child;
  return {
    port,
    signal: (name) => void child.kill(name),
    start: async () => {
      ({ child } = await startS3(folder, port));
    },
  };
}

/** Stores an image of an advertiser in the bucket at `endpoint`. Returns its path in an ad. */
export async function storeImage(ctx: Tables, endpoint: string): Promise<string> {
  const image = await png(300, 250);
  const rendition = `${createHash('sha256').update(image).digest('hex')}.png`;
  const name = 'fleet-image-0000000000';
  const config = readConfig(settingsOfBucket(endpoint));
  await blobsIn('s3', config, async () => await installationId(ctx.db)).put(renditionKey(rendition), image);
  await ctx.db
    .insertInto('uploads')
    .values({
      name,
      userId: await makeUser(ctx),
      expiresAt: ctx.now(),
      storedAt: ctx.now(),
      rendition,
      contentType: 'image/png',
      byteSize: image.length,
      width: 300,
      height: 250,
    })
    .execute();
  return `/ad-images/${name}`;
}
