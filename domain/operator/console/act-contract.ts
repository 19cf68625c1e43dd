/** The acts of operators as the console offers them: what a sheet shows, and the call that does it. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';

/** A field of an act's sheet. The reason of an act is not among them. */
export const actField = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'amount', 'date', 'email', 'lines', 'choice', 'switch']),
  /** The first value of the field; '' for nothing. */
  value: z.string(),
  isRequired: z.boolean(),
  max: z.number().int().nullable(),
  hint: z.string().nullable(),
  /** Of the kind 'choice'. */
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
});
export type ActField = z.output<typeof actField>;

/** An act that the operator who reads the page may do now. */
export const offeredAct = z.object({
  /** The call that does it, such as '/api/operator/ads/7/refund'. It takes the fields as strings. */
  path: z.string(),
  title: z.string(),
  /** The words of the button that opens the sheet. */
  button: z.string(),
  /** The words of the button that does it, in which {amount} stands for the field 'amount', and so on. */
  confirm: z.string(),
  /** The effect and cost of the act. The client sends it back, and the server refuses the act if it has changed. */
  consequence: z.string().nullable(),
  /** Whether it can't be undone, or takes something away. */
  isHarmful: z.boolean(),
  reason: z.enum(['required', 'optional', 'none']),
  /** Reasons that operators often give. */
  reasons: z.array(z.string()),
  fields: z.array(actField),
  /** Sent as they are. */
  hidden: z.record(z.string(), z.string()),
});
export type OfferedAct = z.output<typeof offeredAct>;

/** The result of an act. */
export const actDone = z.object({
  /** A sentence for the operator. */
  said: z.string(),
  /** The page that opens next; null for the page with the act. */
  next: z.string().nullable(),
});
export type ActDone = z.output<typeof actDone>;

/** The call of an offered act. `openapi.json` has each with its own fields. */
export const actAt = (path: string) =>
  endpoint({
    method: 'POST',
    path,
    summary: 'An act of an operator',
    body: z.record(z.string(), z.string()),
    reply: actDone,
  });
