import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';
import { DESCRIPTION_MAX, TITLE_MAX } from '#domain/ads/content.ts';
import { setHouseAd, type AdZone, type HouseAd } from '#domain/inventory/contract.ts';
import { withScheme } from '#domain/inventory/typed-address.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { useRemoveHouseAd, useSetHouseAd } from '../api.ts';
import { SavedNote } from '#web/ui/forms/saved-field.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import type { DrawAd } from '../my-zones/zone-parts.ts';

/** The publisher's own ad, which the zone shows instead of 'Advertise here' when there is no paid ad. */
export function HouseAdSection({ zone, draw }: { zone: AdZone; draw: DrawAd }) {
  const [isEditing, setIsEditing] = useState(false);
  const remove = useRemoveHouseAd(zone);
  const [isSaved, setSaved] = useState(false);
  const whyNot = useWhyNot();
  const heading = useRef<HTMLHeadingElement>(null);

  function finish(isSaved: boolean) {
    setIsEditing(false);
    setSaved(isSaved);
    // The focused button or field disappears, so move the focus to the heading.
    heading.current?.focus();
  }

  return (
    <section aria-label="Your own ad" className="grid max-w-xl grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid gap-0.5">
        <h2 ref={heading} tabIndex={-1} className="font-medium outline-none">
          Your own ad
        </h2>
        <p className="text-xs text-ink-faint">
          Shown instead of ‘Advertise here’ when there’s no paid ad. Free, and not counted.
        </p>
      </div>
      {isEditing ? (
        <HouseAdForm zone={zone} draw={draw} onDone={finish} />
      ) : zone.houseAd ? (
        <>
          {draw(zone, zone.houseAd, 'house')}
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="secondary" size="sm" why={whyNot} onClick={() => setIsEditing(true)}>
              Change your ad
            </Button>
            <Button
              variant="quiet"
              size="sm"
              busy={remove.isPending}
              why={whyNot}
              onClick={() => remove.mutate(undefined, { onSuccess: () => finish(false) })}
            >
              Remove your ad
            </Button>
            <span className="text-sm">
              <SavedNote shown={isSaved} />
            </span>
          </div>
        </>
      ) : (
        <Button
          variant="secondary"
          className="justify-self-start"
          why={whyNot}
          onClick={() => setIsEditing(true)}
        >
          Add your own ad
        </Button>
      )}
    </section>
  );
}

const body = bodyOf(setHouseAd);
/** As in the forms of a website and of an ad. The API is strict. */
const schema = body.extend({ targetUrl: z.string().transform(withScheme).pipe(body.shape.targetUrl) });

type HouseAdFormProps = { zone: AdZone; draw: DrawAd; onDone: (isSaved: boolean) => void };

function HouseAdForm({ zone, draw, onDone }: HouseAdFormProps) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: zone.houseAd ?? { title: '', description: '', targetUrl: '' },
  });
  const { register, handleSubmit, control, formState, getValues, setFocus, setValue } = form;
  useEffect(() => setFocus('title'), [setFocus]);
  const { errors } = formState;
  const ad = useWatch({ control }) as HouseAd;
  const save = useSetHouseAd(zone);
  const submit = handleSubmit((body) =>
    save.mutate(body, { onSuccess: () => onDone(true), onError: (error) => showFieldIssues(form, error) }),
  );

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label="Title" error={errors.title?.message}>
        <Input maxLength={TITLE_MAX} {...register('title')} />
      </Field>
      <Field label="Description" error={errors.description?.message}>
        <Textarea rows={3} maxLength={DESCRIPTION_MAX} {...register('description')} />
      </Field>
      <Field label="Target URL" error={errors.targetUrl?.message}>
        <Input
          type="url"
          placeholder="https://"
          {...register('targetUrl', {
            onBlur: () => setValue('targetUrl', withScheme(getValues('targetUrl'))),
          })}
        />
      </Field>
      {draw(zone, ad, 'house')}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={save.isPending}>
          Save your ad
        </Button>
        <Button variant="quiet" onClick={() => onDone(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
