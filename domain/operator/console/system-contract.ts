/** The calls of the console's pages about the installation: its state, what waits after a restore, faults, jobs and mail. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, money, pageQuery } from '../../fields.ts';
import { offeredAct } from './act-contract.ts';

export const systemBackup = z.object({
  /** The folder or address below which it is, or should have been. */
  place: z.string(),
  /** Where it is. Null if it failed. */
  backup: z.string().nullable(),
  startedAt: instant,
  release: z.string(),
  bytes: z.number().int().nullable(),
  seconds: z.number().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
  /** When it was last restored as a proof and held. */
  verifiedAt: instant.nullable(),
  /** The problems that the last proof found. */
  verifyError: z.string().nullable(),
});

export const getSystem = endpoint({
  method: 'GET',
  path: '/api/operator/system',
  summary: 'Release, instances, backups, work and storage, for the operator',
  reply: z.object({
    /** Of the instance that answers. */
    release: z.string(),
    database: z.object({
      release: z.string(),
      /** The oldest release whose instances can start. */
      compatibleFrom: z.string(),
      bytes: z.number().int(),
    }),
    instances: z.array(z.object({ name: z.string(), release: z.string(), seenSeconds: z.number() })),
    backups: z.object({
      /** How old the newest one and the last proof are, as a sentence. */
      ages: z.string(),
      /** A sentence for each thing that is wrong, with what to do. Commands are between backticks. */
      problems: z.array(z.string()),
      /** The newest first. */
      last: z.array(systemBackup),
    }),
    work: z.object({
      jobsWaiting: z.number().int(),
      jobsFailed: z.number().int(),
      /** How long the most overdue job has been due; 0 if none is due. */
      oldestJobSeconds: z.number(),
      mailWaiting: z.number().int(),
      uncovered: money,
      differences: z.number().int(),
    }),
    /** Where the uploads are. */
    uploads: z.string(),
  }),
});

export const getOutbound = endpoint({
  method: 'GET',
  path: '/api/operator/outbound',
  summary: 'Whether everything outgoing waits after a restore, and what waits, for the operator',
  reply: z.object({
    /** Since when everything waits; null if nothing has to. */
    since: instant.nullable(),
    mails: z.number().int(),
    refunds: z.number().int(),
    payouts: z.number().int(),
    /** Other calls to the card provider. */
    provider: z.number().int(),
    acts: z.array(offeredAct),
  }),
});

const fault = z.object({
  id,
  title: z.string(),
  evidence: z.string(),
  cause: z.string(),
  /** What to do. */
  next: z.string(),
  beganAt: instant,
});

export const listFaults = endpoint({
  method: 'GET',
  path: '/api/operator/faults',
  summary: 'What refuses nearly all views and clicks of websites or of the installation, for the operator',
  reply: z.object({
    installation: z.array(fault.extend({ acts: z.array(offeredAct) })),
    websites: z.array(fault.extend({ websiteId: id, websiteName: z.string() })),
  }),
});

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/operator/jobs',
  summary: 'The queued jobs, or those that failed, the newest first, for the operator',
  query: pageQuery.extend({ failed: z.literal('1').optional() }),
  reply: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      attempts: z.number().int(),
      maxAttempts: z.number().int(),
      isRunning: z.boolean(),
      /** When it is tried next. */
      runAt: instant,
      /** The beginning of the message of the last error. */
      lastError: z.string().nullable(),
      acts: z.array(offeredAct),
    }),
  ),
  paged: true,
});

/** Longer than any address. */
const MAX_TO = 254;
const to = z.string().trim().toLowerCase().max(MAX_TO).optional();

// A mail's text is in no reply, because it may hold a code.
export const listMail = endpoint({
  method: 'GET',
  path: '/api/operator/mail',
  summary: 'Mail that has not been sent, or all mail to an address, the newest first, for the operator',
  query: pageQuery.extend({ to }),
  reply: z.array(
    z.object({
      id,
      subject: z.string(),
      recipient: z.string(),
      createdAt: instant,
      sentAt: instant.nullable(),
      /** In words, such as 'waiting'. */
      state: z.string(),
      acts: z.array(offeredAct),
    }),
  ),
  paged: true,
});

export const listTurnedOff = endpoint({
  method: 'GET',
  path: '/api/operator/mail/turned-off',
  summary: 'The addresses that get no mail, because it bounced too often, for the operator',
  query: z.object({ to }),
  reply: z.array(z.object({ address: z.string(), hardBounces: z.number().int(), lastBounceAt: instant })),
});
