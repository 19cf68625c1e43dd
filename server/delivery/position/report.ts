import { placeFrom, PLACE_DAYS } from '#domain/delivery/place.ts';
import type { Database } from '#server/platform/database/database.ts';
import {
  ANY_ORIGIN,
  answerBusy,
  answerEmpty,
  NEVER_STORED,
  refuse,
  type Request,
  type Response,
} from '#server/platform/http/raw-answer.ts';
import type { DataCentres } from '../traffic/data-centres/data-centres.ts';
import { agentOf, isFiltered } from '../traffic/declared-agent.ts';
import { browserOf } from '../traffic/traffic.ts';
import type { PositionTokens } from './position-tokens.ts';
import { insertReport, deleteReportsBefore } from './store.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';

export type PositionReportParts = {
  realNow: () => Date;
  now: () => Date;
  db: Database;
  positionTokens: PositionTokens;
  dataCentres: DataCentres;
  addressOf: (request: Request) => string;
  developmentMode: boolean;
};

/**
 * `POST /api/serve/placement/{token}?{numbers}` of tag/placement.ts. 204 says that the report is stored, was before, or comes
 * from a robot and is not. Each token counts once. Nothing is billed by it. [RES-101]
 */
export async function answerPosition(
  parts: PositionReportParts,
  request: Request,
  response: Response,
  { token, query }: { token: string; query: string },
): Promise<void> {
  const realMs = parts.realNow().getTime();
  const claims = parts.positionTokens.read(token, realMs);
  if (!claims) return refuse(response, 400, 'This token is invalid or has expired.');
  const place = placeFrom(query);
  // Nobody has seen an ad for longer than since its request.
  if (!place || place.inViewMs > realMs - claims.issuedAtMs + CLOCKS_MS)
    return refuse(response, 400, 'These are not the numbers of a place on a page.');
  if (!isRobot(parts, request)) {
    try {
      await insertReport(parts.db, claims, place, parts.now());
    } catch {
      return answerBusy(response);
    }
  }
  answerEmpty(response, 204, [...NEVER_STORED, ...ANY_ORIGIN]);
}

/** By how much the clocks of two servers may differ. */
const CLOCKS_MS = 60_000;

function isRobot(
  { developmentMode, dataCentres, addressOf }: PositionReportParts,
  request: Request,
): boolean {
  const browser = browserOf(request.headers['user-agent'] ?? '');
  if (isFiltered(agentOf(request.headers, browser), developmentMode)) return true;
  if (developmentMode) return false;
  return browser.automated || dataCentres.has(addressOf(request));
}

/** Part of the job 'remove-expired': no figure reads older reports. */
export async function removeOldReports(ctx: Context): Promise<void> {
  await deleteReportsBefore(ctx.db, later(ctx.now(), -PLACE_DAYS * DAY_MS));
}
