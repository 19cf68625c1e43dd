import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Link } from 'wouter';
import { measuredText } from '#domain/delivery/forecast-text.ts';
import { updateZone, type AdZone } from '#domain/inventory/contract.ts';
import { describeZone } from '#domain/inventory/zones.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { formatDateTime } from '#web/ui/format/format.ts';
import { Input } from '#web/ui/forms/input.tsx';
import { SwitchRow } from '#web/ui/forms/switch.tsx';
import { useUpdateZone } from '../api.ts';
import { zoneHref } from './zone-parts.ts';

/** Lets the publisher rename and pause an ad zone. Everything else is on its page. [OP-071] */
export function ZoneSettingsDialog({ zone, onClose }: { zone: AdZone; onClose: () => void }) {
  const pause = useUpdateZone(zone);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Zone Settings"
      description={
        <>
          <bdi>{zone.name}</bdi>: {describeZone(zone)}. {measuredText(zone.measured)}.
        </>
      }
    >
      <div className="grid gap-6">
        <RenameForm zone={zone} />
        <div className="border-y border-line">
          <SwitchRow
            label="Active"
            hint={
              zone.pausedAt
                ? `Paused since ${formatDateTime(zone.pausedAt)}. Running campaigns are paused; per-day campaigns are extended by the length of the pause.`
                : 'An inactive ad zone shows no ads and can’t be booked. Running campaigns are paused; per-day campaigns are extended by the length of the pause, and we notify the advertisers.'
            }
            checked={zone.isActive}
            disabled={pause.isPending}
            onChange={(isActive) => pause.mutate({ isActive })}
          />
        </div>
        <Link
          href={zoneHref(zone)}
          onClick={onClose}
          className="justify-self-start rounded-tight text-sm text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          Prices, look, visitors, your own ad and code
        </Link>
      </div>
    </Dialog>
  );
}

const nameSchema = bodyOf(updateZone).pick({ name: true }).required();

function RenameForm({ zone }: { zone: AdZone }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(nameSchema),
    defaultValues: { name: zone.name },
    // After a save, the name as the server stored it becomes the new initial value.
    values: { name: zone.name },
  });
  const rename = useUpdateZone(zone);
  return (
    <form
      noValidate
      onSubmit={handleSubmit((body) => rename.mutate(body))}
      className="flex items-start gap-2"
    >
      <Field label="Ad zone name" error={formState.errors.name?.message} className="flex-1">
        <Input maxLength={200} {...register('name')} />
      </Field>
      <Button
        type="submit"
        variant="secondary"
        busy={rename.isPending}
        why={!formState.isDirty && 'Enter a different name first'}
        className="mt-7"
      >
        Rename
      </Button>
    </form>
  );
}
