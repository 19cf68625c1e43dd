import type { FastifyBaseLogger } from 'fastify';
import type { MemberRole } from '#domain/accounts/members.ts';
import type { Config } from './settings/config.ts';
import type { Database, Tx } from './database/database.ts';
import type { Decoders } from './decoding/decoders.ts';
import type { BlobStore } from './files/blobs.ts';
import type { Mailer } from './outbound/mail.ts';
import type { Names } from './outbound/names.ts';
import type { PaymentProvider } from './provider/payment-provider.ts';
import type { PhishingHosts } from './outbound/phishing-hosts.ts';
import type { Vies } from './outbound/vies/vies.ts';

/** Takes one point from `key`. Throws 429 if none is left. All instances of the server share the counters. */
export type Limit = {
  (key: string): Promise<void>;
  /** Returns a point. A limit that counts only failures takes one before the outcome is known. */
  returnPoint: (key: string) => Promise<void>;
};

export type Limits = (name: string, rule: { points: number; seconds: number }) => Limit;

/** Everything a use case may depend on. */
export type Context = {
  config: Config;
  db: Database;
  /**
   * The marketplace's clock: of money, holds, campaigns, months and jobs. `/dev/clock` moves it in development, and tests
   * move it. See docs/decisions/031-two-clocks.md.
   */
  now: () => Date;
  /** The wall clock: of sessions, codes, request limits, view tokens and the age of a webhook's signature. */
  realNow: () => Date;
  /** The milliseconds by which now() is ahead of realNow(), always whole seconds. Zero in production. */
  clockAheadMs: () => number;
  blobs: BlobStore;
  payments: PaymentProvider;
  limits: Limits;
  /** Reads for a search of a visitor. Throws 503 if too many run, or if it takes too long. */
  search: <T>(read: (tx: Tx) => Promise<T>) => Promise<T>;
  /** Derives a key of 32 bytes from the first secret of SESSION_SECRET. Each purpose has its own. */
  keyFor: (purpose: string) => Buffer;
  /** The keys of all secrets of SESSION_SECRET, for reading what an older one has signed, hashed or sealed. */
  keysFor: (purpose: string) => Buffer[];
  mailer: Mailer;
  names: Names;
  /** Asked only while the setting VIES is on. */
  vies: Vies;
  /** Reads the bytes of strangers. Nothing else may. */
  decoders: Decoders;
  phishingHosts: PhishingHosts;
  log: FastifyBaseLogger;
};

/** The account on whose behalf a use case runs: the signed-in person's own, or one of which they are a member. */
export type Caller = {
  id: number;
  role: 'buyer' | 'seller' | 'both' | null;
  /** The signed-in person, if they act for the account as its member. */
  member?: { id: number; role: MemberRole };
  /** The operator who looks at the account, and can change nothing in it. */
  viewer?: number;
};

/** The signed-in person, whom limits count, so that a member or an operator takes nothing from the others. */
export function personOf(who: Caller): number {
  return who.member?.id ?? who.viewer ?? who.id;
}
