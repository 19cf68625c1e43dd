import { z } from 'zod';
import { MAX_CREATIVE } from '#domain/ads/variants.ts';
import { EVENT_KINDS, REASONS } from '#domain/delivery/reasons.ts';
import type { LoggedEvent } from '../event-log.ts';
import { DAY_MS } from '#domain/time.ts';

/** Events of one partition that one server acknowledged together, on their way to the owner. */
export type EventMessage = {
  /** When the events were received, in milliseconds since 1970. They count as of this time, even if counted later. */
  receivedAtMs: number;
  /** By how much `receivedAtMs` is ahead of the wall clock, which `issuedAtMs` of the events follows. */
  clockAheadMs?: number | undefined;
  events: LoggedEvent[];
};

const id = z.int().min(0).max(2_147_483_647);
/** Up to the year 2100. No server's clock is that wrong, and no figure may lie beyond. */
const instant = z.int().min(0).max(4_102_444_800_000);
/** A token is valid for one day, and that of a landing for one more. The rest allows for clocks that disagree. */
const MAX_AGE_MS = 3 * DAY_MS;

const of = {
  decisionId: z.string().regex(/^[0-9a-f]{24}$/),
  adId: id,
  zoneId: id,
  issuedAtMs: instant,
};
const event = z.union([
  z.object({
    ...of,
    kind: z.enum(EVENT_KINDS),
    reason: z.enum(REASONS).nullable(),
    implied: z.boolean(),
    creative: z.int().min(0).max(MAX_CREATIVE).default(0),
  }),
  z.object({ ...of, kind: z.enum(['measured', 'landing']), clickedAtMs: instant }),
]);

// Unknown fields are accepted, so that a newer server can add fields while an older one still runs.
const message = z
  .object({
    receivedAtMs: instant,
    clockAheadMs: instant.optional(),
    events: z.array(event).min(1).max(10_000),
  })
  .refine(
    ({ receivedAtMs, clockAheadMs = 0, events }) =>
      events.every(({ issuedAtMs }) => Math.abs(receivedAtMs - clockAheadMs - issuedAtMs) <= MAX_AGE_MS),
    'an event was issued more than three days before or after receivedAtMs',
  );

export const encode = (content: EventMessage): string => JSON.stringify(content);

/** The content of a message, or why it is invalid. This checks every field, because counter.ts quotes none of them. */
export function decode(data: Uint8Array | string): EventMessage | { wrong: string } {
  let json: unknown;
  try {
    const text = typeof data === 'string' ? data : new TextDecoder('utf-8', { fatal: true }).decode(data);
    json = JSON.parse(text);
  } catch {
    return { wrong: 'the message is not JSON' };
  }
  const parsed = message.safeParse(json);
  return parsed.success ? parsed.data : { wrong: z.prettifyError(parsed.error) };
}
