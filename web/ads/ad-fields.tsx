import type { ComponentType, RefCallback } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { DESCRIPTION_MAX, TITLE_MAX } from '#domain/ads/contract.ts';
import type { AdType } from '#domain/ads/types.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import type { AdForm } from './ad-form.ts';

type MediaInputProps = { value: string; onChange: (value: string) => void; error?: string };

/** How images and videos are chosen is another feature's business; the page brings it along. */
export type MediaInputs = {
  Image: ComponentType<MediaInputProps & { label: string; inputRef: RefCallback<HTMLInputElement> }>;
  Video: ComponentType<MediaInputProps>;
};

type AdFieldsProps = { form: AdForm; adType: AdType; media: MediaInputs };

export function AdFields({ form, adType, media: { Image, Video } }: AdFieldsProps) {
  const { register, control, setValue, formState } = form;
  const { errors, isSubmitted } = formState;
  const [title, description, imageUrl, videoUrl] = useWatch({
    control,
    name: ['title', 'description', 'imageUrl', 'videoUrl'],
  });
  const put = (name: 'imageUrl' | 'videoUrl') => (value: string) =>
    setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted });

  return (
    <>
      <Field label="Title" aside={`${title.length}/${TITLE_MAX}`} error={errors.title?.message}>
        <Input {...register('title')} />
      </Field>
      <Field
        label="Description"
        aside={`${description.length}/${DESCRIPTION_MAX}`}
        error={errors.description?.message}
      >
        <Textarea rows={4} {...register('description')} />
      </Field>
      <Field label="Target URL" hint="Where a click leads" error={errors.targetUrl?.message}>
        <Input type="url" placeholder="https://" {...register('targetUrl')} />
      </Field>
      {adType === 'image' && (
        <Controller
          control={control}
          name="imageUrl"
          render={({ field }) => (
            <Image
              label="Image"
              value={imageUrl ?? ''}
              onChange={put('imageUrl')}
              error={errors.imageUrl?.message}
              inputRef={field.ref}
            />
          )}
        />
      )}
      {adType === 'video' && (
        <>
          <Video value={videoUrl ?? ''} onChange={put('videoUrl')} error={errors.videoUrl?.message} />
          <Field
            label="Thumbnail URL"
            optional
            hint="The picture that stands there until the video plays"
            error={errors.imageUrl?.message}
          >
            <Input type="url" placeholder="https://" {...register('imageUrl')} />
          </Field>
        </>
      )}
    </>
  );
}
