import { zodResolver } from '@hookform/resolvers/zod';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';
import { createZone, type AdZone, type Website } from '#domain/inventory/contract.ts';
import { suggestedZoneName, ZONE_SIZES, ZONE_TYPES, type ZoneType } from '#domain/inventory/zones.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { useDraftForm } from '#web/ui/forms/form-draft.ts';
import { Input } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { useCreateZone } from '../api.ts';

const schema = bodyOf(createZone).extend({
  websiteId: z.string().min(1, 'Please select a website first').transform(Number),
});

const TYPE_OPTIONS = ZONE_TYPES.map((value) => ({ value, label: typeLabel(value) }));

function typeLabel(type: ZoneType): string {
  const name = suggestedZoneName(type);
  if (type === 'custom') return name;
  return `${name} (${ZONE_SIZES[type].width}x${ZONE_SIZES[type].height})`;
}

/** An empty field is a missing value, not 0. */
function pixelsOf(value: string | number): number | undefined {
  return value === '' ? undefined : Number(value);
}

/** The draft survives a lost session. The dialog discards it when the publisher closes the form. */
export function zoneDraft(websiteId: number | undefined): string {
  return `zone-${websiteId ?? 'new'}`;
}

type ZoneFormProps = {
  websites: readonly Website[];
  /** The website to preselect. */
  websiteId?: number;
  onCreated: (zone: AdZone) => void;
};

/** Begins with a banner. */
function useZoneForm(websiteId: number | undefined) {
  return useDraftForm({
    draft: zoneDraft(websiteId),
    resolver: zodResolver(schema),
    defaultValues: {
      websiteId: websiteId === undefined ? '' : String(websiteId),
      name: suggestedZoneName('banner'),
      zoneType: 'banner' as ZoneType,
      ...ZONE_SIZES.banner,
    },
  });
}

export function ZoneForm({ websites, websiteId, onCreated }: ZoneFormProps) {
  const { form, discard } = useZoneForm(websiteId);
  const { register, handleSubmit, formState, control, setValue, getValues } = form;
  const { errors } = formState;
  const hasFixedSize = useWatch({ control, name: 'zoneType' }) !== 'custom';
  const create = useCreateZone();
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onError: (error) => showFieldIssues(form, error),
      onSuccess: (zone) => {
        discard();
        onCreated(zone);
      },
    }),
  );

  function fillSize(type: ZoneType) {
    // A name that the publisher typed stays.
    if (ZONE_TYPES.some((each) => suggestedZoneName(each) === getValues('name')))
      setValue('name', suggestedZoneName(type));
    if (type === 'custom') return;
    setValue('width', ZONE_SIZES[type].width, { shouldValidate: formState.isSubmitted });
    setValue('height', ZONE_SIZES[type].height, { shouldValidate: formState.isSubmitted });
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Website" error={errors.websiteId?.message}>
        <Select
          options={websites.map((website) => ({ value: String(website.id), label: website.name }))}
          placeholder="Choose a website"
          {...register('websiteId')}
        />
      </Field>
      <Field
        label="Ad zone name"
        hint="Advertisers see this name. Example: Top of the article"
        error={errors.name?.message}
      >
        <Input maxLength={200} {...register('name')} />
      </Field>
      <Field label="Zone type" error={errors.zoneType?.message}>
        <Select
          options={TYPE_OPTIONS}
          {...register('zoneType', { onChange: (event) => fillSize((event as TypeChange).target.value) })}
        />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Width (px)" error={errors.width?.message}>
          <Input
            inputMode="numeric"
            readOnly={hasFixedSize}
            className={hasFixedSize ? 'opacity-65' : undefined}
            {...register('width', { setValueAs: pixelsOf })}
          />
        </Field>
        <Field label="Height (px)" error={errors.height?.message}>
          <Input
            inputMode="numeric"
            readOnly={hasFixedSize}
            className={hasFixedSize ? 'opacity-65' : undefined}
            {...register('height', { setValueAs: pixelsOf })}
          />
        </Field>
      </div>
      <Button type="submit" busy={create.isPending} className="justify-self-end max-sm:w-full">
        Create Ad Zone
      </Button>
    </form>
  );
}

/** react-hook-form passes the select's own event without its type. */
type TypeChange = { target: { value: ZoneType } };
