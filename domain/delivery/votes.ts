/**
 * The published shares of an ad zone are those of networks, not of reports: each network (IPv4 /24, IPv6 /48) has one vote
 * in a period, which its first report casts. Otherwise one address could move a share by as many reports as it likes,
 * because reports that are not billed cost nothing. (docs/decisions/135-published-shares.md)
 */
import { NETWORK_KEY_MS } from '../invalid-traffic/signals.ts';
import { DAY_MS } from '../time.ts';
import type { Reason } from './reasons.ts';

/** How long a vote stands. It is as long as networks have the same key for their fair share. */
export const VOTE_MS = NETWORK_KEY_MS;

/**
 * The kinds of rows of the hourly figures that count votes: for a rendered ad, for a viewable one, and for a report that was
 * judged, whose reason says why it was filtered.
 */
export const VOTE_KINDS = ['vote_rendered', 'vote_viewable', 'vote_judged'] as const;
export type VoteKind = (typeof VOTE_KINDS)[number];

/**
 * These say nothing about the website's own visitor: the page was another one, others have used up the cap, or an agent came
 * in the place of a person.
 */
export const REASONS_WITHOUT_VOTE: ReadonlySet<Reason> = new Set([
  'wrong_site',
  'ad_cap',
  'publisher_cap',
  'agent',
]);

/** With fewer votes in a period, the vote of one network would move a share by more than 5 points. */
const MIN_VOTES_OF_A_PERIOD = 20;

/** How many votes a network can have in so many days. Some of their periods begin before or end after them. */
export function votesOfNetwork(days: number): number {
  return Math.ceil((days * DAY_MS) / VOTE_MS) + 1;
}

/** With fewer votes in so many days, a share is not published. */
export function minVotes(days: number): number {
  return MIN_VOTES_OF_A_PERIOD * votesOfNetwork(days);
}
