import { useId, useState, type FocusEvent } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { z } from 'zod';
import { createWebsite, type Website } from '#domain/inventory/contract.ts';
import { withScheme } from '#domain/inventory/typed-address.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { useDraftForm } from '#web/ui/forms/form-draft.ts';
import { Input } from '#web/ui/forms/input.tsx';
import { useCreateWebsite } from '../api.ts';
import {
  CategoryField,
  Fold,
  ListedField,
  NameField,
  OPTIONAL_NAMES,
  OptionalFields,
} from './website-fields.tsx';
import { type FilledTexts, PreviewNote, useSitePreview } from './site-preview.tsx';

const body = bodyOf(createWebsite);
const schema = body.extend({
  url: z.string().transform(withScheme).pipe(body.shape.url),
  /** The texts that the website's page filled in, which go when the address changes. Not sent. */
  filledTexts: z.custom<FilledTexts>().optional(),
});

/** The draft survives a lost session. The dialog discards it when the publisher closes the form. */
export const WEBSITE_DRAFT = 'website';

const useWebsiteForm = () => useDraftForm({ draft: WEBSITE_DRAFT, resolver: zodResolver(schema) });

/** Asks for the address first, and fills the empty fields from the website's own page. */
export function WebsiteForm({ onCreated }: { onCreated: (website: Website) => void }) {
  const { form, discard } = useWebsiteForm();
  const { register, handleSubmit, formState, setValue, getValues } = form;
  const { errors } = formState;
  const create = useCreateWebsite();
  const preview = useSitePreview({
    read: (name) => getValues(name) ?? '',
    write: (name, text) => setValue(name, text, { shouldValidate: formState.isSubmitted }),
    filledTexts: () => getValues('filledTexts') ?? {},
    keepFilledTexts: (texts) => setValue('filledTexts', texts),
  });
  const [takesPicture, setTakesPicture] = useState(false);
  const submit = handleSubmit((checked) =>
    create.mutate(
      { website: body.parse(checked), imageUrl: takesPicture ? preview.imageUrl : null },
      {
        onSuccess: (created) => {
          discard();
          onCreated(created);
        },
        onError: (error) => showFieldIssues(form, error),
      },
    ),
  );

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <AddressField form={form} preview={preview} />
      {preview.picture !== null && (
        <PictureChoice picture={preview.picture} checked={takesPicture} onChange={setTakesPicture} />
      )}
      <NameField register={register} errors={errors} />
      <CategoryField register={register} errors={errors} />
      <Fold
        label="More details (optional)"
        mustShow={preview.filled.includes('description') || OPTIONAL_NAMES.some((name) => errors[name])}
      >
        <OptionalFields register={register} errors={errors} />
        <ListedField control={form.control} />
      </Fold>
      <Button type="submit" busy={create.isPending} className="justify-self-end max-sm:w-full">
        Add Website
      </Button>
    </form>
  );
}

type AddressFieldProps = {
  form: ReturnType<typeof useWebsiteForm>['form'];
  preview: ReturnType<typeof useSitePreview>;
};

/** Reads the website's page once the publisher leaves the field or presses Enter. */
function AddressField({ form, preview }: AddressFieldProps) {
  const { register, formState, setValue, getValues, setFocus } = form;

  function completeAddress() {
    const url = withScheme(getValues('url') ?? '');
    if (url !== getValues('url')) setValue('url', url, { shouldValidate: formState.isSubmitted });
    preview.ask(url);
  }

  // The button disappears, so the focus has to move.
  function undo() {
    preview.undo();
    setFocus('name');
  }

  function leaveAddress({ relatedTarget }: FocusEvent) {
    const isUndo = relatedTarget instanceof HTMLElement && 'undo' in relatedTarget.dataset;
    const losesUndo = isUndo && !preview.isAsked(withScheme(getValues('url') ?? ''));
    completeAddress();
    if (losesUndo) setFocus('name');
  }

  return (
    <Field
      label="URL"
      error={formState.errors.url?.message}
      hint={<PreviewNote preview={preview} onUndo={undo} />}
    >
      <Input
        type="url"
        placeholder="example.com"
        autoComplete="url"
        {...register('url', { onBlur: leaveAddress })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || preview.isAsked(withScheme(event.currentTarget.value))) return;
          // The first Enter reads the page. Another one submits the form.
          event.preventDefault();
          completeAddress();
          setFocus(getValues('name') ? 'category' : 'name');
        }}
      />
    </Field>
  );
}

/** Nothing is copied from the website unless its publisher agrees. */
function PictureChoice({
  picture,
  checked,
  onChange,
}: {
  picture: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-3">
      <img
        src={picture}
        alt=""
        className="size-12 shrink-0 rounded-control border border-line bg-sunken object-cover"
      />
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
      <label htmlFor={id} className="text-sm">
        Use this picture from your website
      </label>
    </div>
  );
}
