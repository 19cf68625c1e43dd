import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { DEFAULT_UTM, fillClick, fillMacros, type Utm, withUtm } from '#domain/delivery/macros.ts';
import { Button } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import type { AdForm } from './ad-form.ts';

const FIELDS: readonly (readonly [name: keyof Utm, label: string])[] = [
  ['source', 'utm_source'],
  ['medium', 'utm_medium'],
  ['campaign', 'utm_campaign'],
];

/** Shown in place of what is known at the click only. */
const EXAMPLE = { zone: 'ZONE-ID', ad: 'AD-ID' };

/** Adds UTM parameters to the target address, and shows what visitors get. `site` is the host of the website. */
export function Tracking({ form, site }: { form: AdForm; site: string }) {
  const { control, setValue, formState } = form;
  const target = useWatch({ control, name: 'targetUrl' });
  const [utm, setUtm] = useState<Utm>(DEFAULT_UTM);
  const whole = withUtm(target, utm);
  const sent = fillClick(fillMacros(whole, { ...EXAMPLE, site }), () => 'CLICK-ID');
  const tagged = FIELDS.map(([, label]) => label).filter((label) => target.includes(`${label}=`));
  const hasTarget = /^https?:\/\/./.test(target);
  return (
    <Disclosure label="Tracking" line={tagged.length > 0 ? tagged.join(', ') : 'No UTM parameters'}>
      {() => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 text-sm">
          <p className="text-ink-soft">
            Your analytics can tell where a visit came from. We fill in {'{site}'}, {'{zone}'}, {'{ad}'} and{' '}
            {'{click}'} when a visitor clicks.
          </p>
          <div className="grid gap-4 sm:grid-cols-3">
            {FIELDS.map(([name, label]) => (
              <Field key={name} label={label}>
                <Input
                  value={utm[name]}
                  maxLength={100}
                  onChange={({ target: { value } }) => setUtm({ ...utm, [name]: value })}
                />
              </Field>
            ))}
          </div>
          {hasTarget ? (
            <p className="text-ink-soft">
              Visitors then get{' '}
              <code translate="no" className="font-mono text-xs wrap-anywhere text-ink">
                {sent}
              </code>
            </p>
          ) : (
            <p className="text-ink-soft">Enter the target URL first.</p>
          )}
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-start"
            disabled={!hasTarget || whole === target}
            onClick={() =>
              setValue('targetUrl', whole, { shouldDirty: true, shouldValidate: formState.isSubmitted })
            }
          >
            {hasTarget && whole === target ? 'Added to the target URL' : 'Add to the target URL'}
          </Button>
        </div>
      )}
    </Disclosure>
  );
}
