import { useId, useState } from 'react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { SaveButton } from '#web/ui/forms/save-button.tsx';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { useUpdateZone } from '../api.ts';

const LimitsFields = onDemand(
  'the exclusions',
  'h-80',
  async () => (await import('#web/targeting/limits-fields.tsx')).LimitsFields,
);

/** Lets the publisher exclude visitors from the paid ads of an ad zone. */
export function ExclusionsSection({ zone }: { zone: AdZone }) {
  const [excludes, setExcludes] = useState(zone.excludes);
  const [isChanged, setChanged] = useState(false);
  const id = useId();
  const save = useUpdateZone(zone);
  return (
    <section aria-labelledby={`${id}-title`} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <h2 id={`${id}-title`} className="font-medium">
          Who sees no ads
        </h2>
        <p className="text-sm text-ink-faint">
          Visitors with any of these see no paid ads here, but your own ad or ‘Advertise here’. Advertisers
          see this before they book, and your forecast leaves these visitors out within four weeks.
        </p>
      </div>
      <div className="text-sm text-ink-soft">
        <LimitsList limits={excludes} none="Nobody is excluded." />
      </div>
      <Disclosure label="Change who is excluded">
        {() => (
          <LimitsFields
            value={excludes}
            onChange={(value) => {
              setExcludes(value);
              setChanged(true);
            }}
            isExclusion
          />
        )}
      </Disclosure>
      <SaveButton
        busy={save.isPending}
        isSaved={save.isSuccess && !isChanged}
        why={!isChanged && 'Change who is excluded first'}
        onClick={() => save.mutate({ excludes }, { onSuccess: () => setChanged(false) })}
      >
        Save exclusions
      </SaveButton>
    </section>
  );
}
