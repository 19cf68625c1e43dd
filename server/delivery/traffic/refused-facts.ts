import type http from 'node:http';
import { REASONS, type Reason } from '#domain/delivery/reasons.ts';
import { DAY_MS, hourOf, later } from '#domain/time.ts';
import { isPublicAddress } from '#domain/public-host.ts';
import type { Context } from '#server/platform/context.ts';
import type { Database } from '#server/platform/database/database.ts';
import { type ClientAddress, networkOf } from './client-address.ts';
import { IMA_ORIGIN } from './traffic.ts';
import { addRefusedFacts, deleteFactsBefore, type RefusedFacts } from './store-refused.ts';

/** Drop new keys above this size, so that requests with invented ids cannot exhaust memory. */
const MAX_ROWS = 20_000;

/** A fault is found within minutes, so that older facts are of no use. */
const KEPT_MS = DAY_MS;

/** CDNs and proxies put these in place of the visitor's User-Agent. */
const PROXY_AGENT = /^$|CloudFront|Azure ?Front ?Door|Fastly|Akamai|Varnish|Cloudflare|\bproxy\b/i;

/** The network that most of the refused reports of an ad zone came from, by the majority vote of Boyer and Moore. */
type Majority = { network: string; votes: number };

/**
 * Counts traits of refused requests, because a reason alone does not tell what causes it (domain/delivery/fault-causes.ts).
 * It keeps the counts only, by ad zone and hour, and nothing about a visitor. A request that counts costs nothing here.
 */
export function createRefusedFacts(db: Database, addressOf: ClientAddress['addressOf']) {
  let rows = new Map<number, RefusedFacts>();
  let majorities = new Map<number, Majority>();
  let majoritiesSinceMs = 0;

  function rowOf(zoneId: number, reason: Reason, hourMs: number): RefusedFacts | undefined {
    const key = keyOf(zoneId, reason);
    let row = rows.get(key);
    if (row === undefined && rows.size < MAX_ROWS) {
      row = {
        hourMs,
        zoneId,
        reason,
        n: 0,
        privateAddress: 0,
        sameNetwork: 0,
        imaPlayer: 0,
        strippedHeaders: 0,
      };
      rows.set(key, row);
    }
    return row;
  }

  /** Whether the address is of the network that most of the earlier ones had. Forgets all networks every hour. */
  function isOfMajority(zoneId: number, reason: Reason, address: string, hourMs: number): boolean {
    if (hourMs !== majoritiesSinceMs) {
      majorities = new Map();
      majoritiesSinceMs = hourMs;
    }
    const network = networkOf(address);
    const majority = majorities.get(keyOf(zoneId, reason));
    if (majority?.network === network) {
      majority.votes += 1;
      return true;
    }
    if (majority !== undefined && majority.votes > 0) majority.votes -= 1;
    else if (majorities.size < MAX_ROWS) majorities.set(keyOf(zoneId, reason), { network, votes: 1 });
    return false;
  }

  return {
    /** Notes an ad request whose events will not count. */
    request(zoneId: number, reason: Reason, request: http.IncomingMessage, nowMs: number): void {
      if (reason !== 'wrong_site' && reason !== 'bot' && reason !== 'not_a_browser') return;
      const hourMs = hourOf(nowMs);
      const row = rowOf(zoneId, reason, hourMs);
      if (row === undefined) return;
      row.n += 1;
      const [{ headers }, address] = [request, addressOf(request)];
      // The private address is that of a proxy, which may have all visitors behind it.
      if (isPublicAddress(address) && isOfMajority(zoneId, reason, address, hourMs)) row.sameNetwork += 1;
      if (reason === 'wrong_site' && headers.origin === IMA_ORIGIN) row.imaPlayer += 1;
      else if (isStripped(reason, headers)) row.strippedHeaders += 1;
    },
    /** Notes a report from an address that has reached a limit. */
    limited(zoneId: number, reason: Reason, address: string, nowMs: number): void {
      const hourMs = hourOf(nowMs);
      const row = rowOf(zoneId, reason, hourMs);
      if (row === undefined) return;
      row.n += 1;
      if (!isPublicAddress(address)) row.privateAddress += 1;
      if (isOfMajority(zoneId, reason, address, hourMs)) row.sameNetwork += 1;
    },
    flush: async (): Promise<void> => {
      if (rows.size === 0) return;
      const flushed = rows;
      rows = new Map();
      try {
        await addRefusedFacts(db, [...flushed.values()]);
      } catch (error) {
        for (const row of flushed.values()) putBack(rowOf(row.zoneId, row.reason, row.hourMs), row);
        throw error;
      }
    },
  };
}
export type RefusedFactsTally = ReturnType<typeof createRefusedFacts>;

/** Whether the header is missing, or a proxy's, that would have kept the request from being refused for this reason. */
function isStripped(
  reason: 'wrong_site' | 'bot' | 'not_a_browser',
  headers: http.IncomingHttpHeaders,
): boolean {
  switch (reason) {
    case 'wrong_site':
      return headers.origin === undefined;
    case 'bot':
      return PROXY_AGENT.test(headers['user-agent'] ?? '');
    case 'not_a_browser':
      return !headers['accept-language'] || headers['sec-fetch-site'] === undefined;
  }
}

const INDEX_OF = new Map(REASONS.map((reason, index) => [reason, index]));

function keyOf(zoneId: number, reason: Reason): number {
  return zoneId * REASONS.length + (INDEX_OF.get(reason) ?? 0);
}

function putBack(row: RefusedFacts | undefined, more: RefusedFacts): void {
  if (row === undefined) return;
  row.n += more.n;
  row.privateAddress += more.privateAddress;
  row.sameNetwork += more.sameNetwork;
  row.imaPlayer += more.imaPlayer;
  row.strippedHeaders += more.strippedHeaders;
}

/** Part of the job 'remove-expired'. */
export async function removeOldRefusedFacts({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await deleteFactsBefore(db, later(now(), -KEPT_MS));
}
