import type { ComponentType, RefCallback } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { DESCRIPTION_MAX, TITLE_MAX } from '#domain/ads/content.ts';
import { shapeHint, type Size } from '#domain/ads/image-shape.ts';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import { withScheme } from '#domain/inventory/typed-address.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import type { AdForm } from './ad-form.ts';
import { isImageOfOtherShape } from './image-required.ts';
import { TargetParameters } from './target-parameters.tsx';

type MediaInputProps = { value: string; onChange: (value: string) => void; error?: string };

/** The inputs for images and videos. They belong to web/media, which this feature must not import. */
export type MediaInputs = {
  Image: ComponentType<
    MediaInputProps & { label: string; hint?: string; inputRef: RefCallback<HTMLInputElement> }
  >;
  Video: ComponentType<MediaInputProps>;
};

type AdFieldsProps = {
  form: AdForm;
  adType: AdType;
  media: MediaInputs;
  zone: Size;
  /** The address of the website that shows the ad. */
  websiteUrl: string;
};

export function AdFields({ form, adType, zone, websiteUrl, media: { Image, Video } }: AdFieldsProps) {
  const { register, control, setValue, getValues, formState } = form;
  const { errors, isSubmitted } = formState;
  const { image, plays } = AD_KINDS[adType];
  const [title, description, imageUrl, videoUrl] = useWatch({
    control,
    name: ['title', 'description', 'imageUrl', 'videoUrl'],
  });
  const setMedia = (name: 'imageUrl' | 'videoUrl') => (value: string) =>
    setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted });

  function setImage(value: string) {
    setMedia('imageUrl')(value);
    void isImageOfOtherShape(adType, form, zone);
  }
  // As in the form of a website.
  function completeTarget() {
    const typed = getValues('targetUrl');
    const whole = withScheme(typed);
    if (whole !== typed) setValue('targetUrl', whole, { shouldDirty: true, shouldValidate: isSubmitted });
  }

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
      <Field label="Target URL" hint="Where people go when they click" error={errors.targetUrl?.message}>
        <Input type="url" placeholder="https://" {...register('targetUrl', { onBlur: completeTarget })} />
      </Field>
      <TargetParameters form={form} site={URL.parse(websiteUrl)?.host ?? ''} />
      {image === 'creative' && (
        <Controller
          control={control}
          name="imageUrl"
          render={({ field }) => (
            <Image
              label="Image"
              value={imageUrl ?? ''}
              onChange={setImage}
              hint={shapeHint(zone)}
              error={errors.imageUrl?.message}
              inputRef={field.ref}
            />
          )}
        />
      )}
      {plays && (
        <Video value={videoUrl ?? ''} onChange={setMedia('videoUrl')} error={errors.videoUrl?.message} />
      )}
      {image === 'thumbnail' && (
        <Field
          label="Thumbnail URL"
          optional
          hint="Shown until the video plays. We copy the picture when you submit the ad."
          error={errors.imageUrl?.message}
        >
          <Input type="url" placeholder="https://" {...register('imageUrl')} />
        </Field>
      )}
    </>
  );
}
