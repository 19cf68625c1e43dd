import type { SecurityEvent, SecurityEventKind } from '#domain/accounts/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useSecurityEvents } from '../api.ts';

const NAMES: Record<SecurityEventKind, string> = {
  'signed-in': 'Signed in',
  'new-device': 'Signed in on a new device',
  'sign-in-failed': 'Sign-in with a wrong password',
  'code-failed': 'Wrong code entered',
  'locked-out': 'Too many failed attempts',
  'signed-out': 'Signed out',
  'session-ended': 'Session signed out',
  'signed-out-everywhere': 'Signed out everywhere else',
  reauthenticated: 'Confirmed in an open session',
  'reauthentication-failed': 'Wrong password in an open session',
  'password-changed': 'Password changed',
  'password-reset': 'Password reset by email',
  'email-changed': 'Email address changed',
  'email-verified': 'Email address verified',
  'email-restored': 'Email change undone',
  'role-changed': 'Role changed',
  'second-factor-on': 'Two-step verification turned on',
  'second-factor-off': 'Two-step verification turned off',
  'second-factor-failed': 'Wrong code for two-step verification',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-replaced': 'New recovery codes',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'passkey-used': 'Signed in with a passkey',
  'passkey-failed': 'Passkey not accepted',
  'passkey-copied': 'Passkey refused because it may have been copied',
  'data-exported': 'Data exported',
  'payout-account-changed': 'Payout details opened for changes',
  'payout-requested': 'Payout requested',
  'billing-portal-opened': 'Billing portal opened',
  'member-invited': 'Member invited',
  'member-joined': 'Member joined',
  'member-role-changed': 'Role of a member changed',
  'member-removed': 'Member removed',
  'member-left': 'Member left',
};

/** Lists the entries of the account's security log, newest first. [SEC-20] */
export function RecentActivity() {
  const { items, isError, retry, hasMore, loadMore, isLoadingMore } = useSecurityEvents();
  return (
    <Card>
      <CardHeader
        title="Recent activity"
        description="If you don't recognize something here, change your password and sign out everywhere else."
      />
      {isError ? (
        <LoadError what="your recent activity" onRetry={retry} />
      ) : items === undefined ? (
        <Skeleton className="mt-5 h-32" />
      ) : items.length === 0 ? (
        <p className="mt-4 text-sm text-ink-soft">
          Nothing yet. Sign-ins and changes of your password appear here.
        </p>
      ) : (
        <ul aria-label="Recent activity" className="mt-4 divide-y divide-line">
          {items.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      )}
      {hasMore && (
        <Button variant="secondary" className="mt-4" busy={isLoadingMore} onClick={loadMore}>
          Show more
        </Button>
      )}
    </Card>
  );
}

function EventRow({ event: { kind, device, at, member } }: { event: SecurityEvent }) {
  const by = member === undefined ? null : `by ${member ?? 'a former member'}`;
  const where = [by, device].filter(Boolean).join(', ');
  return (
    <li className="grid gap-0.5 py-3 sm:grid-cols-[1fr_auto] sm:gap-x-4">
      <span className="min-w-0">
        <span className="block font-medium wrap-anywhere">{NAMES[kind]}</span>
        {where && <span className="block text-xs wrap-anywhere text-ink-faint">{where}</span>}
      </span>
      <time dateTime={at} className="text-xs text-ink-faint">
        {formatDateTime(at)}
      </time>
    </li>
  );
}
