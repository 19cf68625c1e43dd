import type { Settings } from '#domain/accounts/contract.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { useUpdateSettings } from '../api.ts';

const SWITCHES = [
  {
    name: 'emailNotifications',
    label: 'Email notifications',
    hint: 'The main switch: without it, only codes are mailed.',
  },
  {
    name: 'campaignUpdates',
    label: 'Campaign updates',
    hint: 'An ad was submitted, approved, rejected or completed.',
  },
  { name: 'paymentAlerts', label: 'Payment alerts', hint: 'A payment was made, or has come in.' },
  { name: 'marketingEmails', label: 'Marketing emails', hint: 'News about Openslot, now and then.' },
] as const;

export function NotificationSettings({ settings }: { settings: Settings }) {
  const update = useUpdateSettings();
  // What was just chosen shows at once; a failure puts the switch back.
  const shown = { ...settings, ...(update.isPending ? update.variables : undefined) };
  return (
    <Card>
      <CardHeader title="Notifications" description="What we write to you about." />
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
