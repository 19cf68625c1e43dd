import { useRef } from 'react';
import type { Settings, User } from '#domain/accounts/contract.ts';
import { ROLE_NAMES, ROLES, roleOf, type Role } from '#domain/accounts/roles.ts';
import { dayIn, dayStart, dayStartText } from '#domain/analytics/days.ts';
import { CURRENCIES } from '#domain/money.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { CURRENCY } from '#web/ui/format/format.ts';
import { EMAIL_FIELD } from '#web/ui/forms/input.tsx';
import { SavedField } from '#web/ui/forms/saved-field.tsx';
import { Select, optionsOf } from '#web/ui/forms/select.tsx';
import { useChangeRole, useUpdateProfile, useUpdateSettings } from '../api.ts';
import { onDemand } from '#web/ui/late.tsx';
import { PictureSettings } from './avatar-settings.tsx';
import { timezoneOptions } from './timezone-options.ts';
import { addDays } from '#domain/time.ts';

const ConfirmEmail = onDemand(
  'the code form',
  'h-60 rounded-card',
  async () => (await import('./confirm-email.tsx')).ConfirmEmail,
);

const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role] }));
/** Where the days of reports do not begin at midnight, now or after the next change of the clocks. */
function dayStartHint(timezone: string): string | null {
  const today = dayIn('UTC', new Date());
  return dayStartText(timezone, dayStart(timezone, { from: today, to: addDays(today, 182) }));
}

const required = (message: string) => (text: string) => (text ? undefined : message);

async function emailProblem(text: string): Promise<string | undefined> {
  const { email } = await import('../schemas.ts');
  return email.safeParse(text).error?.issues[0]?.message;
}

export function ProfileSettings({ user, settings }: { user: User; settings: Settings }) {
  const emailField = useRef<HTMLInputElement>(null);
  const profile = useUpdateProfile();
  const role = useChangeRole();
  const update = useUpdateSettings();
  return (
    <div className="grid gap-6">
      {!user.isEmailVerified && <ConfirmEmail user={user} next={emailField} />}
      <Card>
        <CardHeader title="Profile" />
        <div className="mt-6">
          <PictureSettings user={user} />
        </div>
        <div className="mt-6 grid gap-5 sm:grid-cols-2">
          <SavedField
            label="First name"
            saved={user.firstName ?? ''}
            check={required('First name is required')}
            save={(firstName) => profile.mutateAsync({ firstName })}
            input={{ autoComplete: 'given-name' }}
          />
          <SavedField
            label="Last name"
            saved={user.lastName ?? ''}
            check={required('Last name is required')}
            save={(lastName) => profile.mutateAsync({ lastName })}
            input={{ autoComplete: 'family-name' }}
          />
          <SavedField
            label="Email"
            hint="We'll email a code to a new address to confirm it."
            saved={user.email}
            normalize={(text) => text.toLowerCase()}
            check={emailProblem}
            save={(email) => profile.mutateAsync({ email })}
            input={{ ...EMAIL_FIELD, autoComplete: 'email', ref: emailField }}
          />
          <Field label="Role" hint="Changing your role doesn't delete anything.">
            <Select
              options={ROLE_OPTIONS}
              value={roleOf(user.role)}
              disabled={role.isPending}
              onChange={(event) => role.mutate(event.target.value as Role)}
            />
          </Field>
          <Field label="Timezone" hint={dayStartHint(settings.timezone)}>
            <Select
              options={timezoneOptions(settings.timezone)}
              value={settings.timezone}
              onChange={(event) => update.mutate({ timezone: event.target.value })}
            />
          </Field>
          <Field label="Currency" hint={`Prices and charges are in ${CURRENCY}.`}>
            <Select
              options={optionsOf(CURRENCIES)}
              value={settings.currency}
              onChange={(event) => update.mutate({ currency: event.target.value as Settings['currency'] })}
            />
          </Field>
        </div>
      </Card>
    </div>
  );
}
