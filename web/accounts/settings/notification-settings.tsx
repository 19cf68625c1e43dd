import type { Settings } from '#domain/accounts/contract.ts';
import { SWITCH_LABELS } from '#domain/notifications/switches.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { useUpdateSettings } from '../api.ts';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';

const SWITCHES = [
  {
    name: 'emailNotifications',
    label: SWITCH_LABELS.emailNotifications,
    hint: 'If this is off, we email you only about security and the operator’s decisions.',
  },
  {
    name: 'campaignUpdates',
    label: SWITCH_LABELS.campaignUpdates,
    hint: 'An ad is submitted, approved, rejected or completed, and each Monday what your campaigns brought.',
  },
  {
    name: 'paymentAlerts',
    label: SWITCH_LABELS.paymentAlerts,
    hint: 'You made or received a payment, or a month’s documents are ready.',
  },
  { name: 'marketingEmails', label: 'Marketing emails', hint: `Occasional news about ${MARKETPLACE_NAME}.` },
] as const;

export function NotificationSettings({ settings }: { settings: Settings }) {
  const update = useUpdateSettings();
  // Show the new position while the call is under way. After a failure the switch shows the stored one again.
  const shown = { ...settings, ...(update.isPending ? update.variables : undefined) };
  return (
    <Card>
      <CardHeader title="Notifications" description="Choose which emails you get." />
      <div className="mt-2 divide-y divide-line">
        {SWITCHES.map(({ name, label, hint }) => (
          <SwitchRow
            key={name}
            label={label}
            hint={hint}
            checked={shown[name]}
            onChange={(checked) => update.mutate({ [name]: checked })}
          />
        ))}
      </div>
    </Card>
  );
}
