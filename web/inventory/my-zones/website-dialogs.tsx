import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { siteRules, updateWebsite, type Website } from '#domain/inventory/contract.ts';
import { withScheme } from '#domain/inventory/typed-address.ts';
import { PICTURE_TYPES, pictureRefusal } from '#domain/media/picture.ts';
import { showFieldIssues } from '#web/http/field-issues.ts';
import { messageOf } from '#web/http/request-error.ts';
import { bodyOf } from '#web/http/schema.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { PictureChooser } from '#web/ui/forms/picture-chooser.tsx';
import { useDeleteWebsite, useRemoveSitePicture, useSetSitePicture, useUpdateWebsite } from '../api.ts';
import { WebsitePicture } from '../website-picture.tsx';
import { CategoryField, ListedField, NameField, OptionalFields, RuleFields } from './website-fields.tsx';
import type { WebsiteAction } from './website-menu.tsx';

type WebsiteDialogProps = { website: Website; onClose: () => void };

type DialogAction = Exclude<WebsiteAction, 'share'>;

export function WebsiteDialog({ action, ...rest }: WebsiteDialogProps & { action: DialogAction }) {
  if (action === 'edit') return <EditWebsite {...rest} />;
  return action === 'hide' ? <HideWebsite {...rest} /> : <DeleteWebsite {...rest} />;
}

const body = bodyOf(updateWebsite);

/** A rule of a website on each line. */
function linesOf(list: z.ZodType<string[] | undefined>) {
  return z.string().transform((text, context) => {
    const checked = list.safeParse(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    );
    if (checked.success) return checked.data ?? [];
    context.addIssue({
      code: 'custom',
      message: checked.error.issues[0]?.message ?? 'Please check this list',
    });
    return z.NEVER;
  });
}

const RULES = new Set(['subjects', 'words', 'domains']);

const schema = body.omit({ rules: true }).extend({
  subjects: linesOf(siteRules.shape.subjects),
  words: linesOf(siteRules.shape.words),
  domains: linesOf(siteRules.shape.domains),
  url: z.string().transform(withScheme).pipe(body.shape.url.unwrap()),
  monthlyVisitors: z
    .union([z.string(), z.number()])
    .transform(Number)
    .pipe(body.shape.monthlyVisitors.unwrap()),
});

function EditWebsite({ website, onClose }: WebsiteDialogProps) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: {
      url: website.url,
      name: website.name,
      category: website.category,
      description: website.description ?? '',
      audience: website.audience ?? '',
      // 0 means that the publisher left it out.
      monthlyVisitors: website.monthlyVisitors || '',
      isListed: website.isListed,
      subjects: website.rules.subjects.join('\n'),
      words: website.rules.words.join('\n'),
      domains: website.rules.domains.join('\n'),
    },
  });
  const { register, handleSubmit, formState } = form;
  const { errors, dirtyFields, isDirty } = formState;
  const update = useUpdateWebsite(website);
  const submit = handleSubmit((checked) => {
    const changed = Object.entries(checked).filter(([name]) => name in dirtyFields);
    const rules = changed.filter(([name]) => RULES.has(name));
    const fields = changed.filter(([name]) => !RULES.has(name));
    const change = {
      ...Object.fromEntries(fields),
      ...(rules.length > 0 && { rules: Object.fromEntries(rules) }),
    };
    update.mutate(change, {
      onSuccess: onClose,
      onError: (error) => showFieldIssues(form, error),
    });
  });
  return (
    <Dialog open onOpenChange={onClose} title="Edit Website">
      <div className="grid gap-6">
        <SitePicture website={website} />
        <form noValidate onSubmit={submit} className="grid gap-5">
          <NameField register={register} errors={errors} />
          <Field
            label="URL"
            hint="It’s fixed once an ad has been submitted. After a change, verify the website again."
            error={errors.url?.message}
          >
            <Input type="url" {...register('url')} />
          </Field>
          <CategoryField register={register} errors={errors} own={website.category} />
          <OptionalFields register={register} errors={errors} />
          <ListedField control={form.control} />
          <RuleFields register={register} errors={errors} />
          <Button
            type="submit"
            busy={update.isPending}
            why={!isDirty && 'Change something first'}
            className="justify-self-end max-sm:w-full"
          >
            Save Website
          </Button>
        </form>
      </div>
    </Dialog>
  );
}

function SitePicture({ website }: { website: Website }) {
  return (
    <PictureChooser
      label="Picture or logo"
      picture={<WebsitePicture website={website} />}
      hasPicture={website.picture !== null}
      types={PICTURE_TYPES}
      refusalOf={pictureRefusal}
      upload={useSetSitePicture(website)}
      remove={useRemoveSitePicture(website)}
      messageOf={(error) => messageOf(error, 'The picture wasn’t saved. Please try again.')}
    />
  );
}

function HideWebsite({ website, onClose }: WebsiteDialogProps) {
  const update = useUpdateWebsite(website);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        <>
          Hide <bdi>{website.name}</bdi>?
        </>
      }
      confirmLabel="Hide Website"
      busy={update.isPending}
      onConfirm={() => update.mutate({ isActive: false }, { onSettled: onClose })}
    >
      It leaves the marketplace, and its ad zones show no ads. Running campaigns are paused; per-day campaigns
      are extended by that time, and we notify the advertisers. You can show it again at any time.
    </ConfirmDialog>
  );
}

function DeleteWebsite({ website, onClose }: WebsiteDialogProps) {
  const remove = useDeleteWebsite();
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        <>
          Delete <bdi>{website.name}</bdi>?
        </>
      }
      confirmLabel="Delete Website"
      destructive
      busy={remove.isPending}
      onConfirm={() => remove.mutate(website, { onSettled: onClose })}
    >
      Its ad zones are deleted with it, and their embed codes stop working. Statistics and past earnings are
      kept. You can add the same address again later. This can’t be undone.
    </ConfirmDialog>
  );
}
