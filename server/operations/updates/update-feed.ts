/** The newest release of Openslot, as a file at the address of UPDATE_FEED says. Without the setting, nothing is read. */
import { z } from 'zod';
import { isPublicHost } from '#domain/public-host.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { FetchError, fetchBytes } from '#server/platform/outbound/fetch-bytes.ts';
import { mustWait } from '#server/platform/outbound/wait.ts';
import { compareReleases, RELEASE } from '#server/platform/settings/release.ts';

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;
/** A feed that cannot be read is tried again sooner. */
const READ_EVERY_MS = DAY_MS;
const RETRY_EVERY_MS = HOUR_MS;

/** Other members may be added. */
const feedText = z.object({
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  url: z.url({ protocol: /^https$/ }).max(500),
});
type Release = z.output<typeof feedText>;

const NONSENSE =
  'The answer is not JSON of the form { "version": "1.2.3", "url": "https://…" }. Check the address in UPDATE_FEED.';

/** `newer` is a release that is newer than this one. */
type FeedState = { newer: Release | null; problem: string | null };

/**
 * Reads the feed if it is due. It never throws for what the feed does, so that a broken one is no failed job: `openslot
 * doctor` shows the problem.
 */
export async function readUpdateFeed(ctx: Context): Promise<void> {
  const { updateFeed: feed } = ctx.config;
  if (feed === undefined) return;
  const known = await findRow(ctx.db);
  const now = ctx.realNow();
  const pauseMs = (known?.problem ?? null) === null ? READ_EVERY_MS : RETRY_EVERY_MS;
  if (known?.feed === feed && now.getTime() - known.readAt.getTime() < pauseMs) return;
  // After a restore, nothing leaves the installation until the operator releases it.
  if (await mustWait(ctx.db)) return;
  const read = await readFeed(ctx, feed);
  // The release that another address has named does not count.
  const kept =
    known?.feed === feed ? { version: known.version, url: known.url } : { version: null, url: null };
  const row =
    'problem' in read
      ? { feed, readAt: now, ...kept, problem: read.problem }
      : { feed, readAt: now, version: read.version, url: read.url, problem: null };
  await ctx.db
    .insertInto('updateFeed')
    .values(row)
    .onConflict((conflict) => conflict.column('isOnly').doUpdateSet(row))
    .execute();
}

async function readFeed(ctx: Context, feed: string): Promise<Release | { problem: string }> {
  try {
    const { status, bytes } = await fetchBytes(feed, {
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: 3,
      // A feed on the internet must not make the server call the operator's own network.
      mayFollow: (from, to) =>
        to.protocol === from.protocol && (isPublicHost(to.hostname) || !isPublicHost(from.hostname)),
      redirectAdvice: 'Set UPDATE_FEED to the address at which the file is.',
      // The operator has chosen the address. It may be a mirror in their own network.
      allowLocal: true,
      accept: 'application/json',
      names: ctx.names,
    });
    if (status !== 200) return { problem: `The address answers with status ${status}.` };
    return parse(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { problem: error.message };
  }
}

function parse(text: string): Release | { problem: string } {
  try {
    return feedText.parse(JSON.parse(text));
  } catch {
    return { problem: NONSENSE };
  }
}

/** Null if the setting is off, or the feed was not read yet. */
export async function findFeedState(tx: Tx, feed: string | undefined): Promise<FeedState | null> {
  const row = feed === undefined ? undefined : await findRow(tx);
  if (!row || row.feed !== feed) return null;
  const { problem, version, url } = row;
  const isNewer = version !== null && url !== null && compareReleases(version, RELEASE) > 0;
  return { problem, newer: isNewer ? { version, url } : null };
}

/** 'Openslot 0.4.0 is out, and this is 0.3.0.' */
export const newReleaseText = ({ version }: Release): string =>
  `Openslot ${version} is out, and this is ${RELEASE}.`;

async function findRow(tx: Tx) {
  return await tx
    .selectFrom('updateFeed')
    .select(['feed', 'readAt', 'version', 'url', 'problem'])
    .executeTakeFirst();
}
