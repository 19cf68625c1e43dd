import type { ComponentType, RefCallback } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { DESCRIPTION_MAX, TITLE_MAX } from '#domain/ads/content.ts';
import { shapeHint } from '#domain/ads/image-shape.ts';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import type { StyledZone } from '#domain/delivery/ad-style.ts';
import { withScheme } from '#domain/inventory/typed-address.ts';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import type { AdForm } from './ad-form.ts';
import { isImageOfOtherShape } from './image-required.ts';
import { shownText, useShownText } from './shown-text.ts';
import { Tracking } from './tracking.tsx';

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
  zone: StyledZone;
  /** The address of the website that shows the ad. */
  websiteUrl: string;
};

export function AdFields({ form, adType, zone, websiteUrl, media: { Image, Video } }: AdFieldsProps) {
  const { register, control, setValue, formState } = form;
  const { errors, isSubmitted } = formState;
  const { image, plays } = AD_KINDS[adType];
  const [imageUrl, videoUrl] = useWatch({ control, name: ['imageUrl', 'videoUrl'] });
  const setMedia = (name: 'imageUrl' | 'videoUrl') => (value: string) =>
    setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted });

  function setImage(value: string) {
    setMedia('imageUrl')(value);
    void isImageOfOtherShape(adType, form, zone);
  }

  return (
    <>
      <TextFields form={form} isText={!image && !plays} zone={zone} />
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
      <Tracking form={form} site={URL.parse(websiteUrl)?.host ?? ''} />
    </>
  );
}

type TextFieldsProps = {
  form: AdForm;
  /** The ad shows its texts. */
  isText: boolean;
  zone: StyledZone;
};

/** Title, description and target, and how much of the texts the ad zone shows. */
function TextFields({ form, isText, zone }: TextFieldsProps) {
  const { register, control, setValue, getValues, formState } = form;
  const { errors, isSubmitted } = formState;
  const [title, description, targetUrl] = useWatch({ control, name: ['title', 'description', 'targetUrl'] });
  const shown = useShownText(isText, { title, description, targetUrl }, zone);

  // As in the form of a website.
  function completeTarget() {
    const typed = getValues('targetUrl');
    const whole = withScheme(typed);
    if (whole !== typed) setValue('targetUrl', whole, { shouldDirty: true, shouldValidate: isSubmitted });
  }

  return (
    <>
      <Field
        label="Title"
        aside={`${title.length}/${TITLE_MAX}`}
        hint={shownText(shown?.title, title)}
        error={errors.title?.message}
      >
        <Input {...register('title')} />
      </Field>
      <Field
        label="Description"
        aside={`${description.length}/${DESCRIPTION_MAX}`}
        hint={shownText(shown?.description, description)}
        error={errors.description?.message}
      >
        <Textarea rows={3} {...register('description')} />
      </Field>
      <Field label="Target URL" hint="Where people go when they click" error={errors.targetUrl?.message}>
        <Input type="url" placeholder="https://" {...register('targetUrl', { onBlur: completeTarget })} />
      </Field>
    </>
  );
}
