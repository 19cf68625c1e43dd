import { SECOND_MS } from '#domain/time.ts';
import type { Config } from '../settings/config.ts';
import type { Database } from './database.ts';

/** How often a process reads the offset, which another one may have moved. */
const POLL_MS = 500;

/** Later instants are not stored. The event log refuses them, too. */
const LATEST_MS = Date.UTC(2099, 0, 1);

/** Instances check each other's tokens, whose dates must be right to a minute. */
const MAX_DIFFERENCE_MS = 30_000;

/** A sentence if the clock of this machine, which shows `now`, is too far from that of the database; else null. [OPS-74] */
export function findClockProblem(databaseAt: Date, now: Date): string | null {
  const differenceMs = Math.abs(databaseAt.getTime() - now.getTime());
  if (differenceMs <= MAX_DIFFERENCE_MS) return null;
  return `The clock of this machine and that of the database differ by ${Math.round(differenceMs / SECOND_MS)} seconds. Synchronize both with NTP.`;
}

/** The marketplace's clock must not be ahead where real money moves. */
export class ClockMoved extends Error {
  constructor() {
    super(
      'The clock of this database was moved by /dev/clock, so it cannot hold real payments. Use another database for STRIPE_SECRET_KEY with live mode, or set a key of test mode.',
    );
  }
}

export type Clock = {
  /** The marketplace's clock: the wall clock, plus the offset that /dev/clock has added. */
  now: () => Date;
  /** The wall clock. */
  realNow: () => Date;
  /** The milliseconds by which `now` is ahead of `realNow`, always whole seconds. */
  aheadMs: () => number;
  /** Reads the offset from the database once. */
  read: () => Promise<void>;
  /** Keeps reading the offset until `stop`, because other processes may move the clock. */
  follow: () => void;
  /** Moves the clock of every process on the database. Null if it would leave the years that we can store. */
  advance: (seconds: number) => Promise<Date | null>;
  stop: () => Promise<void>;
};

/** docs/decisions/031-two-clocks.md lists the uses of both clocks. */
export function createClock(db: Database, realNow: () => Date = () => new Date()): Clock {
  let aheadMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let reading: Promise<void> = Promise.resolve();
  let stopped = false;

  const now = () => new Date(realNow().getTime() + aheadMs);

  async function read(): Promise<void> {
    const { clockAheadMs } = await db
      .selectFrom('installation')
      .select('clockAheadMs')
      .executeTakeFirstOrThrow();
    keep(clockAheadMs);
  }

  /** A read that began before an advance may end after it. The clock never goes back. */
  function keep(read: number): void {
    aheadMs = Math.max(aheadMs, read);
  }

  function readLater(): void {
    timer = setTimeout(() => {
      // While the database cannot be reached, the clock keeps the last known offset.
      reading = read()
        .catch(() => {})
        .finally(() => {
          if (!stopped) readLater();
        });
    }, POLL_MS);
    timer.unref();
  }

  return {
    now,
    realNow,
    aheadMs: () => aheadMs,
    read,
    follow: readLater,
    advance: async (seconds) => {
      const mostMs = LATEST_MS - realNow().getTime();
      const moved = await db
        .updateTable('installation')
        .set((row) => ({ clockAheadMs: row('clockAheadMs', '+', seconds * SECOND_MS) }))
        .where((row) => row(row('clockAheadMs', '+', seconds * SECOND_MS), '<=', mostMs))
        .returning('clockAheadMs')
        .executeTakeFirst();
      if (!moved) return null;
      keep(moved.clockAheadMs);
      return now();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await reading;
    },
  };
}

/** A rehearsal has moved the clock of this database. Its books are dated ahead, so no real money may enter them. [REHE-05] */
export function refuseMovedClock(config: Config, clock: Clock): void {
  if (clock.aheadMs() === 0 || config.paymentBook !== 'stripe-live') return;
  throw new ClockMoved();
}
