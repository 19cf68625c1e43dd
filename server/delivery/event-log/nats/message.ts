import { z } from 'zod';
import { EVENT_KINDS, REASONS } from '#domain/delivery/reasons.ts';
import type { AdEvent } from '../event-log.ts';

/** What one message of the stream holds: events that one copy of the server acknowledged together. */
export type EventMessage = {
  /** When they were received: what they are judged by, however late they are counted. Milliseconds since 1970. */
  receivedAtMs: number;
  events: AdEvent[];
};

const id = z.int().min(0).max(2_147_483_647);
/** Up to the year 2100: no clock of ours is that wrong, and no figure may lie there. */
const instant = z.int().min(0).max(4_102_444_800_000);
/** A token lives for a day; the rest is for clocks that disagree. */
const LONGEST_AGE_MS = 3 * 24 * 60 * 60 * 1000;

// What is unknown is let through, so that a newer copy may say more while an older one still runs.
const message = z
  .object({
    receivedAtMs: instant,
    events: z
      .array(
        z.object({
          decisionId: z.string().regex(/^[0-9a-f]{24}$/),
          kind: z.enum(EVENT_KINDS),
          adId: id,
          zoneId: id,
          issuedAtMs: instant,
          reason: z.enum(REASONS).nullable(),
          implied: z.boolean(),
        }),
      )
      .min(1)
      .max(10_000),
  })
  .refine(
    ({ receivedAtMs, events }) =>
      events.every(({ issuedAtMs }) => Math.abs(receivedAtMs - issuedAtMs) <= LONGEST_AGE_MS),
    'an event that no token of ours can stand for',
  );

export const encode = (content: EventMessage): string => JSON.stringify(content);

/** The content of a message, or why it is none of ours. Everything is checked: the counting statement quotes nothing. */
export function decode(data: Uint8Array): EventMessage | { wrong: string } {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
  } catch {
    return { wrong: 'it is no JSON' };
  }
  const parsed = message.safeParse(json);
  return parsed.success ? parsed.data : { wrong: z.prettifyError(parsed.error) };
}
