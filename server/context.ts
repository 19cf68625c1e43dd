import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Limits } from './http/limits.ts';
import type { BlobStore } from './adapters/blobs.ts';
import type { Mailer } from './adapters/mail.ts';
import type { PaymentProvider } from './adapters/payment-provider.ts';

/** What a use case may hold. */
export type Context = {
  config: Config;
  db: Database;
  /** The only clock. Tests move it. */
  now: () => Date;
  blobs: BlobStore;
  payments: PaymentProvider;
  limits: Limits;
  mailer: Mailer;
  log: FastifyBaseLogger;
};

/** The signed-in user on whose behalf a use case runs. */
export type Who = { id: number; role: 'buyer' | 'seller' | 'both' | null };
