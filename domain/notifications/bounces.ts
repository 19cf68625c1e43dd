import { z } from 'zod';
import { asciiEmail } from '../email-address.ts';
import { HOUR_MS } from '../time.ts';

/** The kind of the mail by which an operator finds out whether mail arrives. */
export const TEST_MAIL = 'test-mail';

/** After so many hard bounces, an address gets no more mail. */
export const MAX_HARD_BOUNCES = 3;

/** A hard bounce is final for its mail, such as 'no such mailbox'. A soft one is not, such as 'mailbox full'. */
export const BOUNCE_KINDS = ['hard', 'soft'] as const;

/** A report of the mail relay. `recipient` is the address of a person, or the return path of the mail. */
export const bounceReport = z.object({
  recipient: z
    .string('Name the recipient')
    .trim()
    .toLowerCase()
    .overwrite(asciiEmail)
    .max(254, 'An address has at most 254 characters')
    .regex(/^[^\s@]+@[^\s@]+$/, 'The recipient must be an email address'),
  kind: z.enum(BOUNCE_KINDS, 'The kind must be hard or soft'),
  at: z.iso
    .datetime({ offset: true, error: 'The instant must be such as 2026-11-26T03:00:00Z' })
    .transform((text) => new Date(text)),
});
export type BounceReport = z.output<typeof bounceReport>;

/** The bounces of one address. `lastHardAt` is null if there is no hard one. */
export type Bounces = { hard: number; soft: number; lastHardAt: Date | null };

export function isTurnedOff({ hard }: Pick<Bounces, 'hard'>): boolean {
  return hard >= MAX_HARD_BOUNCES;
}

/**
 * Whether mail of this kind goes to an address that bounced. One that is turned off gets only the codes by which its owner
 * proves it again. Strangers can ask for the code of a new password, so it waits for an hour without a bounce.
 */
export function isMailable(kind: string, bounces: Bounces, now: Date): boolean {
  if (!isTurnedOff(bounces) || kind === 'verification-code' || kind === TEST_MAIL) return true;
  const sinceMs = now.getTime() - (bounces.lastHardAt?.getTime() ?? 0);
  return kind === 'reset-code' && sinceMs >= HOUR_MS;
}
