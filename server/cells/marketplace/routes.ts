/**
 * The calls of cells on their marketplace, below /api/cells/v1/ (docs/decisions/118-cells.md). The key of a cell is its only
 * proof, and each call is about the ad zones of its own publishers only.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { installationId } from '../../db/installation.ts';
import { noteTagsSeen } from '../../delivery/decision/tag-seen.ts';
import { takeSightings } from '../../delivery/zone-watch/of-cells.ts';
import { currentPosition, FIRST_HORIZON } from '../../delivery/snapshot/position.ts';
import { invalid, unauthorized } from '../../http/errors.ts';
import type { CallDescription } from '../../http/openapi.ts';
import {
  CELLS_PATH,
  changesQuery,
  type FiguresAnswer,
  type FiguresBody,
  figuresBody,
  MAX_FIGURES_BYTES,
  ZONES_AT_ONCE,
  type ZonesAnswer,
  zonesQuery,
} from '../wire.ts';
import {
  type Cell,
  changedZoneIds,
  findCellByKey,
  findWatched,
  goneZoneIds,
  lockAds,
  nextZoneIds,
  noteFigures,
  noteSeen,
  ownSightings,
  readFiles,
  readZones,
  takeCreatives,
  takeFigure,
} from './store.ts';
import { hashToken } from '../../net/secrets.ts';

const describe = (summary: string, answer: string): CallDescription => ({
  summary,
  access: 'anyone',
  answers: { 200: answer, 400: 'Not a request of this version', 401: 'The key is missing or wrong' },
});
const ZONES = describe(
  'The ad zones of a cell, with the bearer token CELL_KEY',
  'A page of ad zones with their ads',
);
const CHANGES = describe(
  'The changed ad zones of a cell, with the bearer token CELL_KEY',
  'The changes since',
);
const FIGURES = describe('Takes what a cell has counted, with the bearer token CELL_KEY', 'What was refused');

export function registerCells(app: FastifyInstance, ctx: Context): void {
  app.get(`${CELLS_PATH}/zones`, { config: { call: ZONES } }, async (request) => {
    const cell = await cellOf(ctx, request);
    const { after } = read(zonesQuery, request.query);
    // Before the zones. What changes while they are read is then read again.
    const position = await currentPosition(ctx.db);
    const ids = await nextZoneIds(ctx.db, cell.id, after, ZONES_AT_ONCE);
    return await zonesOf(ctx, cell, { position, ids, gone: [], reload: false });
  });

  app.get(`${CELLS_PATH}/changes`, { config: { call: CHANGES } }, async (request) => {
    const cell = await cellOf(ctx, request);
    const { horizon, database, after } = read(changesQuery, request.query);
    const position = await currentPosition(ctx.db);
    // After a failover, transaction ids may be lower than those that the cell remembers. What has changed lately comes
    // first, so that a takedown does not wait until all ad zones are read (server/delivery/snapshot/changes.ts).
    const reload = database !== position.database;
    const since = reload ? FIRST_HORIZON : horizon;
    const ids = await changedZoneIds(ctx.db, cell.id, { horizon: since, after, limit: ZONES_AT_ONCE });
    const gone = after === 0 ? await goneZoneIds(ctx.db, since) : [];
    return await zonesOf(ctx, cell, { position, ids, gone, reload });
  });

  app.post(
    `${CELLS_PATH}/figures`,
    { bodyLimit: MAX_FIGURES_BYTES, config: { call: FIGURES } },
    async (request): Promise<FiguresAnswer> => {
      const cell = await cellOf(ctx, request);
      const body = read(figuresBody, request.body);
      const { refused, seen } = await takeFigures(ctx, cell, body);
      // Not in that transaction, because ad zones are locked before ads (decision 049).
      await noteTagsSeen(ctx.db, seen, ctx.now());
      await takeSightings(ctx.db, await ownSightings(ctx.db, cell.id, body.sightings));
      return { marketplace: await installationId(ctx.db), cell: cell.name, refused };
    },
  );
}

async function cellOf(ctx: Context, { headers }: FastifyRequest): Promise<Cell> {
  const key = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const cell = key === undefined ? undefined : await findCellByKey(ctx.db, hashToken(key));
  if (cell) return cell;
  throw unauthorized();
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`${issue?.path.join('.') || 'The request'}: ${issue?.message}`);
}

async function zonesOf(
  ctx: Context,
  cell: Cell,
  found: Pick<ZonesAnswer, 'position' | 'gone' | 'reload'> & { ids: number[] },
): Promise<ZonesAnswer> {
  const { ids, ...rest } = found;
  const zones = await readZones(ctx.db, ids);
  const creatives = zones.flatMap(({ ads }) => ads.flatMap((ad) => [ad, ...(ad.second ? [ad.second] : [])]));
  const names = creatives.flatMap(({ imageUrl, videoUrl }) => [imageUrl, videoUrl].flatMap(uploadIn));
  const watched = await findWatched(ctx.db, cell.id, ctx.now());
  await noteSeen(ctx.db, cell.id);
  return {
    ...rest,
    marketplace: await installationId(ctx.db),
    cell: cell.name,
    currency: ctx.config.currency,
    zones,
    watched: watched.map(({ zoneId, until }) => ({ zoneId, until: until.toISOString() })),
    files: await readFiles(ctx.db, [...new Set(names)]),
    next: ids.length < ZONES_AT_ONCE ? null : ids.at(-1)!,
  };
}

const uploadIn = (path: string | null): string[] => {
  const name = /^\/ad-images\/(.+)$/.exec(path ?? '')?.[1];
  return name === undefined ? [] : [name];
};

/**
 * Takes figures in one transaction. Those that are refused change nothing, and do not keep the others back. `seen`: the ad
 * zones with a valid request of the site's own page, which is what 'tag seen' means.
 */
async function takeFigures(
  ctx: Context,
  cell: Cell,
  { release, countedUntil, figures }: FiguresBody,
): Promise<{ refused: FiguresAnswer['refused']; seen: number[] }> {
  return await ctx.db.transaction().execute(async (tx) => {
    // All requests of a cell lock its row first, and then ads in the order of their ids.
    await noteFigures(tx, cell.id, { release, countedUntil });
    await lockAds(
      tx,
      figures.flatMap(({ adId }) => adId ?? []),
    );
    const refused: FiguresAnswer['refused'] = [];
    const seen = new Set<number>();
    for (const figure of figures.toSorted((a, b) => (a.adId ?? 0) - (b.adId ?? 0))) {
      const { zoneId, adId, creatives, counts } = figure;
      const why = await takeFigure(tx, cell.id, figure, ctx.now());
      if (why !== null) refused.push({ zoneId, adId, why });
      else {
        if (adId !== null) await takeCreatives(tx, adId, creatives);
        if (counts.some(([, kind, reason]) => kind === 'decision' && reason === '')) seen.add(zoneId);
      }
    }
    return { refused, seen: [...seen] };
  });
}
