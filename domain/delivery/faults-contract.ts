/** The faults of a publisher's websites: reasons that refuse nearly all reports. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { instant, pathId } from '../fields.ts';
import { FAULT_CAUSES } from './fault-causes.ts';
import { FAULT_KINDS } from './faults.ts';

const fault = z.object({
  id: z.number().int(),
  websitePublicId: z.string(),
  websiteName: z.string(),
  kind: z.enum(FAULT_KINDS),
  cause: z.enum(FAULT_CAUSES),
  title: z.string(),
  /** The figures of the hour in which it was seen last, as a sentence. */
  evidence: z.string(),
  /** The problem and the remedy, in sentences. */
  text: z.string(),
  next: z.string(),
  beganAt: instant,
  /** When you said that it is expected; null if you did not. */
  expectedAt: instant.nullable(),
});
export type Fault = z.output<typeof fault>;

export const listFaults = endpoint({
  method: 'GET',
  path: '/api/faults',
  summary: 'What refuses nearly all views and clicks of your own websites now, with cause and next step',
  reply: z.array(fault),
});
export type Faults = Reply<typeof listFaults>;

export const setFaultExpected = endpoint({
  method: 'PATCH',
  path: '/api/faults/:id',
  summary:
    'Says that a fault of your website is expected, so that it is not shown for 30 days, or takes that back',
  params: z.object({ id: pathId }),
  body: z.object({ isExpected: z.boolean() }),
  reply: fault,
});
