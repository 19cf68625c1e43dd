/** Where an ad's target leads: what the daily check found, and the pause of an ad whose target has changed. */
import { z } from 'zod';
import { instant } from '../fields.ts';

/**
 * `waiting`: not tried yet. `not_reached`: the last try got no page. `listed`: it leads to a known phishing host.
 */
export const TARGET_STATES = ['waiting', 'reached', 'not_reached', 'listed'] as const;
export type TargetState = (typeof TARGET_STATES)[number];

/**
 * `changed`: it leads to another host than the approved one. `listed`: to a known phishing host. `not_public`: it was
 * approved before targets had to be public, and is not.
 */
export const TARGET_PAUSES = ['changed', 'listed', 'not_public'] as const;
export type TargetPause = (typeof TARGET_PAUSES)[number];

const targetCheck = z.object({
  state: z.enum(TARGET_STATES),
  /** When we last tried to open the target; null before the first try. */
  checkedAt: instant.nullable(),
  /** The host that the target leads to after all redirects, for people; null if it is not known. */
  finalHost: z.string().nullable(),
  /** Why the last try got no page, for the advertiser; null if it got one. */
  problem: z.string().nullable(),
  /** Whether the page is no longer the one that the publisher approved. Many pages change daily. */
  isContentChanged: z.boolean(),
});

const targetPause = z.object({
  reason: z.enum(TARGET_PAUSES),
  since: instant,
  /** The host that the publisher approved, and the one that the target leads to now, both for people. */
  from: z.string(),
  to: z.string(),
});

/** The fields of an ad about its target. */
export const targetFields = {
  /** The target for people: readable letters only where they can't imitate another host. */
  displayTarget: z.string(),
  /** Null for an ad that was over before targets were checked. */
  targetCheck: targetCheck.nullable(),
  /** Why the target keeps the ad from being shown; null if it does not. */
  targetPause: targetPause.nullable(),
};
