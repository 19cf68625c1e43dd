import { createHash } from 'node:crypto';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Tx } from '../../database/database.ts';
import type { Limit, Limits } from '../../context.ts';
import { tooMany } from '../errors.ts';

/** `factor` is the setting RATE_LIMIT_FACTOR. */
export function createLimits(pool: pg.Pool, factor: number): Limits {
  const known = new Map<string, Limit>();
  return (name, rule) => {
    const limit = known.get(name) ?? createLimit(name, rule);
    known.set(name, limit);
    return limit;
  };

  function createLimit(name: string, { points, seconds }: { points: number; seconds: number }): Limit {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix: name,
      points: Math.max(1, Math.round(points * factor)),
      duration: seconds,
      // The job 'remove-expired' removes old counters, so that not every instance needs a timer for it.
      clearExpiredByTimeout: false,
    });
    const take = async (key: string): Promise<void> => {
      try {
        await limiter.consume(fitting(key));
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooMany(refusal.msBeforeNext / 1000);
        throw refusal;
      }
    };
    const returnPoint = async (key: string): Promise<void> => {
      await limiter.reward(fitting(key));
    };
    return Object.assign(take, { returnPoint });
  }
}

/** A key of the table has at most 255 characters, with the limit's name before it. */
function fitting(key: string): string {
  return key.length <= 100 ? key : createHash('sha256').update(key).digest('base64url');
}

/** Returns the number of removed counters. */
export async function removeExpiredCounters(tx: Tx, now: Date): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('rateLimits')
    .where('expire', '<', now.getTime())
    .executeTakeFirst();
  return Number(numDeletedRows);
}
