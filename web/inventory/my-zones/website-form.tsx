import { zodResolver } from '@hookform/resolvers/zod';
import { CATEGORIES } from '#domain/inventory/categories.ts';
import { createWebsite, type Website } from '#domain/inventory/contract.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { useDraftForm } from '#web/ui/forms/form-draft.ts';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { optionsOf, Select } from '#web/ui/forms/select.tsx';
import { useCreateWebsite } from '../api.ts';

const CATEGORY_OPTIONS = optionsOf(CATEGORIES);

/** Parses the typed text; an empty field becomes 0. A restored draft already holds a number. [VAL-39] */
function visitorsOf(typed: string | number): number {
  return Number(typed);
}

/** The draft survives a lost session. The dialog discards it when the publisher closes the form. */
export const WEBSITE_DRAFT = 'website';

export function WebsiteForm({ onCreated }: { onCreated: (website: Website) => void }) {
  const { form, discard } = useDraftForm({
    draft: WEBSITE_DRAFT,
    resolver: zodResolver(bodyOf(createWebsite)),
  });
  const { register, handleSubmit, formState } = form;
  const { errors } = formState;
  const create = useCreateWebsite();
  const submit = handleSubmit((body) =>
    create.mutate(body, {
      onSuccess: (website) => {
        discard();
        onCreated(website);
      },
      onError: (error) => showFieldIssues(form, error),
    }),
  );

  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Website name" error={errors.name?.message}>
        <Input {...register('name')} maxLength={200} />
      </Field>
      <Field label="URL" error={errors.url?.message}>
        <Input type="url" placeholder="https://" {...register('url')} />
      </Field>
      <Field label="Category" error={errors.category?.message}>
        <Select
          options={CATEGORY_OPTIONS}
          placeholder="Choose a category"
          defaultValue=""
          {...register('category')}
        />
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        <Textarea rows={3} maxLength={1000} {...register('description')} />
      </Field>
      <Field
        label="Monthly visitors"
        optional
        hint="Whole number, from your analytics"
        error={errors.monthlyVisitors?.message}
      >
        <Input inputMode="numeric" {...register('monthlyVisitors', { setValueAs: visitorsOf })} />
      </Field>
      <Button type="submit" busy={create.isPending} className="justify-self-end max-sm:w-full">
        Add Website
      </Button>
    </form>
  );
}
