import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
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
import { ExclusionsSection } from '../zone-page/exclusions-section.tsx';
import { HouseAdSection } from '../zone-page/house-ad-section.tsx';
import { LookSection } from '../zone-page/look-section.tsx';
import { PriceList } from '../zone-page/price-list.tsx';
import { PricingForm } from './pricing-form.tsx';
import type { DrawAd } from './zone-parts.ts';

type ZoneSettingsDialogProps = { zone: AdZone; drawAd: DrawAd; onClose: () => void };

/** Lets the publisher rename and pause an ad zone, and set its prices, its look and their own ad. [OP-071] */
export function ZoneSettingsDialog({ zone, drawAd, onClose }: ZoneSettingsDialogProps) {
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
        <section className="grid gap-3">
          <h3 className="font-medium">Prices</h3>
          <PriceList zone={zone} />
        </section>
        <section className="grid gap-3">
          <h3 className="font-medium">Set Pricing</h3>
          <PricingForm zone={zone} onSaved={() => {}} />
        </section>
        <div className="border-t border-line pt-6">
          <LookSection zone={zone} drawAd={drawAd} />
        </div>
        <div className="border-t border-line pt-6">
          <ExclusionsSection zone={zone} />
        </div>
        <div className="border-t border-line pt-6">
          <HouseAdSection zone={zone} draw={drawAd} />
        </div>
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
