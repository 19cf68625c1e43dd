import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, pageQuery } from '../fields.ts';
import { ACT_SUBJECTS, ACTS } from './acts.ts';

/** Where an answer to a decision stands. `closed`: the decision can't be answered, or not any more. */
export const APPEAL_STATES = ['possible', 'waiting', 'upheld', 'reversed', 'closed'] as const;
export type AppealState = (typeof APPEAL_STATES)[number];

/** An act of an operator, as the affected person reads it. Does not say which operator it was. */
export const ownAct = z.object({
  id: z.uuid(),
  actedAt: instant,
  act: z.enum(ACTS),
  subject: z.enum(ACT_SUBJECTS),
  subjectId: z.number().int(),
  subjectName: z.string(),
  reason: z.string(),
  appeal: z.enum(APPEAL_STATES),
});
export type OwnAct = z.output<typeof ownAct>;

export const listOwnActs = endpoint({
  method: 'GET',
  path: '/api/user/operator-acts',
  summary: 'What operators have done about you, your websites, ad zones and ads, newest first',
  query: pageQuery,
  reply: z.array(ownAct),
  paged: true,
});
