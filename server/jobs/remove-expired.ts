import { removePastChanges } from '../accounts/change-email.ts';
import { removeOldDevices } from '../accounts/known-devices.ts';
import { removeOldSecurityEvents } from '../accounts/security-log.ts';
import { removeOldChallenges } from '../accounts/webauthn.ts';
import { removeOldCodes } from '../accounts/remove-old-codes.ts';
import type { Context } from '../context.ts';
import { forgetConvertedClicks } from '../delivery/conversions.ts';
import { removeExpiredInvitations } from '../members/members.ts';
import { removeOldInvitations } from '../operator/invitations/invitations.ts';
import { removeEndedLinks } from '../report-links/links.ts';
import { removeOldMeasuredClicks } from '../delivery/event-log/landings.ts';
import { removeOldReports } from '../delivery/placement/remove-old-reports.ts';
import { removeOldUnreportedClicks } from '../delivery/event-log/remove-old-unreported-clicks.ts';
import { removeOldChanges } from '../delivery/snapshot/remove-old-changes.ts';
import { removeOldFaults } from '../delivery/faults/open-faults.ts';
import { removeOldRefusedFacts } from '../delivery/traffic/refused-facts.ts';
import { removeOldForwarding } from '../delivery/traffic/untrusted-forwarding.ts';
import { removeExpiredCounters } from '../http/limits/limits.ts';
import { removeExpiredSessions } from '../http/sessions.ts';
import { removeStaleUploads, removeUnusedUploads } from '../media/uploads.ts';
import { removeOldMessages } from '../notifications/remove-old-messages.ts';
import { removeOldAttempts } from '../payments/checkout/attempts.ts';
import { withdrawAbandoned } from '../payments/consents/withdraw.ts';
import { forgetNetworksOfCancels } from '../payments/refunds/cancel-terms.ts';
import { forgetOldTransparency } from '../transparency/archive.ts';

/**
 * The job 'remove-expired'. It removes expired counters of rate limits, sessions, codes, challenges, old email addresses, forgotten
 * devices, old security events, sent mail, old card attempts, networks of cancels, consents without a card, unused upload addresses and
 * files, archived ads a year after their last day, change notices that every instance has read, notes of the traffic rules, ended faults,
 * measured clicks whose token has expired, and links to reports and invitations that ended a while ago.
 */
export async function removeExpired(ctx: Context): Promise<void> {
  await removeExpiredCounters(ctx.db, ctx.realNow());
  await removeExpiredSessions(ctx);
  await removeOldCodes(ctx);
  await removeOldChallenges(ctx);
  await removePastChanges(ctx);
  await removeOldDevices(ctx);
  await removeOldSecurityEvents(ctx);
  await removeOldMessages(ctx);
  await removeOldAttempts(ctx);
  await forgetNetworksOfCancels(ctx);
  await withdrawAbandoned(ctx);
  await removeStaleUploads(ctx);
  await removeUnusedUploads(ctx);
  await forgetOldTransparency(ctx);
  await removeOldChanges(ctx);
  await removeOldForwarding(ctx);
  await removeOldRefusedFacts(ctx);
  await removeOldFaults(ctx);
  await removeOldUnreportedClicks(ctx);
  await removeOldReports(ctx);
  await removeOldMeasuredClicks(ctx);
  await forgetConvertedClicks(ctx);
  await removeEndedLinks(ctx);
  await removeOldInvitations(ctx);
  await removeExpiredInvitations(ctx);
}
