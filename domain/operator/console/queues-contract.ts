/** The calls of the queues of moderation: answers to decisions, new websites, ownership claims and withdrawals. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, pageQuery, pathId } from '../../fields.ts';
import { offeredAct } from './act-contract.ts';

export const listAppeals = endpoint({
  method: 'GET',
  path: '/api/operator/appeals',
  summary: 'The answers to decisions that wait, the oldest decision first',
  query: pageQuery,
  reply: z.array(
    z.object({
      id,
      /** The decision: 'Suspended the website “Alpine”'. */
      decision: z.string(),
      reason: z.string(),
      answer: z.string(),
      answeredAt: instant,
      acts: z.array(offeredAct),
    }),
  ),
  paged: true,
});

export const getAppeal = endpoint({
  method: 'GET',
  path: '/api/operator/appeals/:id',
  summary: 'One answer to a decision',
  params: z.object({ id: pathId }),
  reply: z.object({
    id,
    decision: z.string(),
    decidedAt: instant,
    reason: z.string(),
    answer: z.string(),
    answeredAt: instant,
    /** Null while it waits. */
    outcome: z.enum(['upheld', 'reversed']).nullable(),
    /** What the operator answered. */
    outcomeReason: z.string().nullable(),
    /** What the decision is about; null if it has no page. */
    about: z.object({ label: z.string(), path: z.string() }).nullable(),
    acts: z.array(offeredAct),
  }),
});

export const listNewWebsites = endpoint({
  method: 'GET',
  path: '/api/operator/new-websites',
  summary: 'The websites that wait until an operator has looked at them, the oldest first',
  query: pageQuery,
  reply: z.array(
    z.object({
      id,
      name: z.string(),
      url: z.string(),
      category: z.string(),
      description: z.string().nullable(),
      owner: z.object({ id, email: z.string() }),
      since: instant,
      /** What an operator has asked the publisher. */
      question: z.string().nullable(),
      acts: z.array(offeredAct),
    }),
  ),
  paged: true,
});

const claimedWebsite = z.object({
  id,
  name: z.string(),
  owner: z.object({ id, email: z.string() }),
  verifiedAt: instant.nullable(),
});

export const listOwnershipClaims = endpoint({
  method: 'GET',
  path: '/api/operator/claims',
  summary: 'The sites that two accounts have proven, the oldest claim first',
  query: pageQuery,
  reply: z.array(
    z.object({
      id,
      url: z.string(),
      openedAt: instant,
      /** The verified account; null if its verification has ended. */
      holder: claimedWebsite.nullable(),
      claimant: claimedWebsite,
      acts: z.array(offeredAct),
    }),
  ),
  paged: true,
});

export const listOperatorWithdrawals = endpoint({
  method: 'GET',
  path: '/api/operator/withdrawals',
  summary: 'The withdrawals of invalid traffic, the newest first',
  query: pageQuery.extend({
    /** 1: those that were overruled or are final, too. */
    all: z.literal('1').optional(),
  }),
  reply: z.array(
    z.object({
      id,
      views: z.number().int(),
      clicks: z.number().int(),
      fromHour: instant,
      untilHour: instant,
      zone: z.object({ id, name: z.string() }),
      website: z.object({ id, name: z.string() }),
      publisherId: id,
      /** What was unusual, in sentences. */
      signals: z.array(z.string()),
      overruled: z.object({ at: instant, by: z.string(), reason: z.string() }).nullable(),
      /** The month of these hours is finished, so it can't be overruled. */
      isFinal: z.boolean(),
      acts: z.array(offeredAct),
    }),
  ),
  paged: true,
});
