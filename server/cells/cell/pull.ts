import type { Context } from '../../context.ts';
import { followWatches } from '../../delivery/zone-watch/of-cells.ts';
import { renditionKey } from '../../media/keys.ts';
import type { SentFile, ZonesAnswer } from '../wire.ts';
import type { Marketplace } from './ask.ts';
import {
  findHeldZones,
  findProgress,
  noteProgress,
  type Progress,
  removeZones,
  writeZones,
} from './store.ts';
import { MINUTE_MS } from '#domain/time.ts';

/** The marketplace keeps changes for an hour. After a gap longer than this, all ad zones are read again. */
const MAX_GAP_MS = 30 * MINUTE_MS;
/** An idle cell notes that it has asked this often. */
const NOTE_MS = 5000;

/** The database has the ads of another marketplace, or of another cell. */
export class StrangeMarketplace extends Error {
  override readonly name = 'StrangeMarketplace';
  readonly cell: string;
  constructor(cell: string) {
    super(`The database holds the ads of the cell ${cell} of another marketplace.`);
    this.cell = cell;
  }
}

/** Throws StrangeMarketplace if the answer is for another cell than the one whose ads this database has. */
export function requireOwn(
  progress: Progress | undefined,
  { marketplace, cell }: Pick<ZonesAnswer, 'marketplace' | 'cell'>,
): void {
  if (progress && (progress.marketplace !== marketplace || progress.cell !== cell))
    throw new StrangeMarketplace(progress.cell);
}

/** Reads all ad zones, or their changes since the last call, into the database of this cell. [SCALE-76, SCALE-77] */
export async function pull(ctx: Context, marketplace: Marketplace): Promise<ZonesAnswer> {
  const progress = await findProgress(ctx.db);
  const isGap = progress !== undefined && progress.ageMs > MAX_GAP_MS;
  const answer =
    progress === undefined || isGap || progress.readingAfter !== null
      ? await readOn(ctx, marketplace, progress, isGap ? 0 : (progress?.readingAfter ?? 0))
      : await readChanges(ctx, marketplace, progress);
  await followWatches(ctx.db, answer.watched);
  return answer;
}

/** Reads the next page of all ad zones. The changes since the first page are read after the last one. */
async function readOn(
  ctx: Context,
  marketplace: Marketplace,
  progress: Progress | undefined,
  after: number,
): Promise<ZonesAnswer> {
  const answer = await marketplace.zones(after);
  requireOwn(progress, answer);
  const since = after === 0 ? answer.position : progress!;
  const present = new Set(answer.zones.map(({ id }) => id));
  await keep(ctx, marketplace, progress, answer, {
    gone: async (held) => held.filter((id) => !present.has(id)),
    range: { after, until: answer.next },
    to: {
      horizon: since.horizon,
      database: since.database,
      readingAfter: answer.next,
      isComplete: (progress?.isComplete ?? false) || answer.next === null,
    },
  });
  return answer;
}

async function readChanges(ctx: Context, marketplace: Marketplace, progress: Progress): Promise<ZonesAnswer> {
  const first = await marketplace.changes(progress, 0);
  requireOwn(progress, first);
  let answer = first;
  for (;;) {
    const isLast = answer.next === null;
    const gone = new Set(answer.gone);
    const isIdle =
      isLast && answer === first && answer.zones.length + answer.gone.length === 0 && !answer.reload;
    if (isIdle && progress.ageMs < NOTE_MS) return first;
    const noted = await keep(ctx, marketplace, progress, answer, {
      gone: async (held) => held.filter((id) => gone.has(id)),
      range: gone.size > 0 ? { after: 0, until: null } : null,
      to: isLast
        ? { ...first.position, readingAfter: first.reload ? 0 : null, isComplete: progress.isComplete }
        : { ...progress },
    });
    if (isLast || !noted) return first;
    progress = noted;
    answer = await marketplace.changes(progress, answer.next!);
  }
}

type Step = {
  /** Which of the zones in `range` that this cell holds are not there any more. */
  gone: (held: number[]) => Promise<number[]>;
  range: { after: number; until: number | null } | null;
  to: Omit<Progress, 'step' | 'ageMs' | 'marketplace' | 'cell'>;
};

/** Writes one answer. Returns the progress after it, or null if another server of this cell was faster. */
async function keep(
  ctx: Context,
  marketplace: Marketplace,
  before: Progress | undefined,
  answer: ZonesAnswer,
  { gone, range, to }: Step,
): Promise<Progress | null> {
  for (const file of answer.files) await storeFile(ctx, marketplace, file);
  const { marketplace: installation, cell } = answer;
  return await ctx.db.transaction().execute(async (tx) => {
    const noted = await noteProgress(tx, before, { ...to, marketplace: installation, cell });
    if (!noted) return null;
    const now = ctx.now();
    await writeZones(tx, answer, now);
    if (range) await removeZones(tx, await gone(await findHeldZones(tx, range.after, range.until)), now);
    return (await findProgress(tx)) ?? null;
  });
}

/** Its name contains the hash of its bytes, so a file that is here already is the same. */
async function storeFile(ctx: Context, marketplace: Marketplace, { rendition }: SentFile): Promise<void> {
  const key = renditionKey(rendition);
  if ((await ctx.blobs.size(key)) !== null) return;
  const bytes = await marketplace.file(rendition);
  if (bytes === null) ctx.log.warn({ rendition }, 'the marketplace does not have the file of a creative');
  else await ctx.blobs.put(key, bytes);
}
