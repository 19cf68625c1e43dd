/**
 * A server that is killed at one call of the payment provider: before the call, or after the provider has acted and before
 * we commit. It runs as a process of its own, and DYING_ACT names its act. See server/money/killed.long.test.ts.
 */
import { flushCompileCache } from 'node:module';
import { localBlobs } from '#server/platform/files/local-blobs.ts';
import { createMailer } from '#server/platform/outbound/mail.ts';
import { createNames } from '#server/platform/outbound/names.ts';
import { createPhishingHosts } from '#server/platform/outbound/phishing-hosts.ts';
import type { PaymentProvider } from '#server/platform/provider/payment-provider.ts';
import { createPayments } from '#server/platform/provider/payments.ts';
import { createVies } from '#server/platform/outbound/vies/create.ts';
import { readConfig } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import { createDatabase, createPool } from '#server/platform/database/database.ts';
import { createDecoders } from '#server/platform/decoding/decoders.ts';
import { createLimits } from '#server/platform/http/limits/limits.ts';
import { createSearches } from '#server/platform/http/limits/searches.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { chargeConsented } from '#server/money/consents/charge.ts';
import { create as createConsent } from '#server/money/consents/create.ts';
import { cancelIntent } from '#server/money/checkout/close.ts';
import { createIntent } from '#server/money/checkout/create-intent.ts';
import { applyProviderEvent } from '#server/money/events/events.ts';
import { answerDueDisputes } from '#server/money/disputes/evidence.ts';
import { expireUnpaidAds } from '#server/money/checkout/expire-unpaid.ts';
import { reportSuccess } from '#server/money/checkout/payment-success.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import { sendDueRefunds } from '#server/money/refunds/send.ts';
import { deriveKeys } from '#server/platform/settings/session-secret.ts';

export type DyingAct = {
  act:
    | 'begin'
    | 'report'
    | 'consent'
    | 'charge'
    | 'events'
    | 'check'
    | 'expire'
    | 'cancel'
    | 'refunds'
    | 'payouts'
    | 'evidence';
  call: keyof PaymentProvider;
  when: 'before' | 'after';
  /** The milliseconds by which the marketplace's clock is ahead. */
  aheadMs: number;
  sessionSecret: string;
  userId: number;
  adId: number;
  adPublicId: string;
  amount: string;
  intentId: string;
};

const ACTS: Record<DyingAct['act'], (ctx: Context, act: DyingAct) => Promise<unknown>> = {
  begin: (ctx, { userId, adPublicId, amount }) =>
    createIntent(
      ctx,
      { id: userId, role: 'buyer' },
      { params: {}, query: {}, body: { amount, adPublicId } },
      { ip: '127.0.0.1' },
    ),
  report: (ctx, { userId, intentId }) =>
    reportSuccess(
      ctx,
      { id: userId, role: 'buyer' },
      { params: {}, query: {}, body: { paymentIntentId: intentId } },
    ),
  consent: (ctx, { userId, adPublicId, amount }) =>
    createConsent(
      ctx,
      { id: userId, role: 'buyer' },
      { params: undefined, query: undefined, body: { limit: amount, ads: [{ publicId: adPublicId }] } },
      { ip: '127.0.0.1' },
    ),
  charge: (ctx, { adId }) => chargeConsented(ctx, adId),
  events: async (ctx) => {
    const waiting = ctx.db.selectFrom('providerEvents').select('id').where('doneAt', 'is', null);
    for (const { id } of await waiting.execute()) await applyProviderEvent(ctx, id);
  },
  check: (ctx) => checkPayments(ctx),
  expire: (ctx) => expireUnpaidAds(ctx),
  cancel: (ctx, { intentId }) => cancelIntent(ctx, intentId),
  refunds: (ctx) => sendDueRefunds(ctx),
  payouts: (ctx) => runPayouts(ctx),
  evidence: (ctx) => answerDueDisputes(ctx),
};

// Write the cache now, because Node does so only when a process ends by itself.
flushCompileCache();
const act = JSON.parse(process.env['DYING_ACT'] ?? '') as DyingAct;
const config = readConfig(process.env);
const pool = createPool(config.databaseUrl ?? '', 2);
const db = createDatabase(pool);
const now = () => new Date(Date.now() + act.aheadMs);
const silent = () => {};
/** Fastify's own silent log would take a tenth of a second to load, for each of the processes. */
const log: Context['log'] = {
  level: 'silent',
  fatal: silent,
  error: silent,
  warn: silent,
  info: silent,
  debug: silent,
  trace: silent,
  silent,
  child: () => log,
};
const names = createNames();
const ctx: Context = {
  config,
  db,
  now,
  realNow: () => new Date(),
  clockAheadMs: () => act.aheadMs,
  blobs: localBlobs(config.dataDir),
  payments: await createPayments(config, db, { now, realNow: () => new Date() }),
  limits: createLimits(pool, config.rateLimitFactor),
  search: createSearches(db, 1),
  ...deriveKeys([act.sessionSecret]),
  mailer: createMailer(config),
  names,
  vies: createVies(config, db, names),
  decoders: createDecoders(),
  phishingHosts: createPhishingHosts(config, log),
  log,
};
const real = ctx.payments;
const call = real[act.call] as (...given: unknown[]) => Promise<unknown>;
ctx.payments = {
  ...real,
  [act.call]: async (...given: unknown[]) => {
    if (act.when === 'after') await call(...given);
    process.kill(process.pid, 'SIGKILL');
    // The signal may take a moment. None of our code may run until then.
    return new Promise(() => {});
  },
};
await ACTS[act.act](ctx, act);
// The act has not reached its kill point, so the test fails.
process.exit(0);
