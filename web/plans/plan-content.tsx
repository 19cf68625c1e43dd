import { useQuery } from '@tanstack/react-query';
import { DESCRIPTION_MAX, TITLE_MAX } from '#domain/ads/content.ts';
import { fitsZone, shapeHint, shapeProblem, type Size } from '#domain/ads/image-shape.ts';
import { AD_KINDS, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { PLAN_NAME_MAX } from '#domain/plans/limits.ts';
import type { MediaInputs } from '#web/ads/ad-fields.tsx';
import { imageSize } from '#web/ads/image-required.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input, Textarea } from '#web/ui/forms/input.tsx';
import { PlanTargeting } from './plan-targeting.tsx';
import { imageSizes, sizeText, type Row } from './rows.ts';
import type { Creative, Shortlist } from './use-shortlist.ts';

type PlanContentProps = {
  adType: AdType;
  rows: readonly Row[];
  list: Shortlist;
  /** The server's faults by the field of the creative. */
  errors: Readonly<Record<string, string>>;
  /** Shows which images are missing, after the first try to submit. */
  isMissingShown: boolean;
  media: MediaInputs;
  onChange: (fields: Partial<Shortlist>) => void;
};

/**
 * The one ad that the plan sends to all of its ad zones. Its text is a part of the shortlist instead of a form, so that the
 * page needs no form library, and a new session finds the text.
 */
export function PlanContent({
  adType,
  rows,
  list,
  errors,
  isMissingShown,
  media,
  onChange,
}: PlanContentProps) {
  const { creative } = list;
  const { image, plays } = AD_KINDS[adType];
  const wire = (field: keyof Creative) => ({
    name: field,
    value: creative[field],
    onChange: ({ target }: { target: { value: string } }) => set(field, target.value),
  });
  function set(field: keyof Creative, value: string) {
    onChange({ creative: { ...creative, [field]: value } });
  }
  return (
    <Card aria-label="Your ad" className="grid gap-5">
      <CardHeader title="Your ad" description="It is sent to all of these ad zones." />
      <TypeChoice value={adType} onChange={(type) => onChange({ adType: type })} />
      <Field label="Title" aside={`${creative.title.length}/${TITLE_MAX}`} error={errors['title']}>
        <Input {...wire('title')} />
      </Field>
      <Field
        label="Description"
        aside={`${creative.description.length}/${DESCRIPTION_MAX}`}
        error={errors['description']}
      >
        <Textarea rows={4} {...wire('description')} />
      </Field>
      <Field label="Target URL" hint="Where people go when they click" error={errors['targetUrl']}>
        <Input type="url" placeholder="https://" {...wire('targetUrl')} />
      </Field>
      {image === 'creative' && (
        <Images
          Image={media.Image}
          rows={rows}
          images={list.images}
          isMissingShown={isMissingShown}
          onChange={(images) => onChange({ images })}
        />
      )}
      {plays && (
        <media.Video
          value={creative.videoUrl}
          onChange={(path) => set('videoUrl', path)}
          error={errors['videoUrl'] ?? ''}
        />
      )}
      {image === 'thumbnail' && (
        <Field
          label="Thumbnail URL"
          optional
          hint="Shown until the video plays. We copy the picture when you submit the plan."
          error={errors['imageUrl']}
        >
          <Input type="url" placeholder="https://" {...wire('imageUrl')} />
        </Field>
      )}
      <PlanTargeting value={list.targeting} onChange={(targeting) => onChange({ targeting })} />
      <PlanName value={list.name} onChange={(name) => onChange({ name })} />
    </Card>
  );
}

function PlanName({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <Field
      label="Name of the plan"
      optional
      hint="Only you see it. Without one, the plan is named like the ad."
    >
      <Input value={value} maxLength={PLAN_NAME_MAX} onChange={({ target }) => onChange(target.value)} />
    </Field>
  );
}

function TypeChoice({ value, onChange }: { value: AdType; onChange: (type: AdType) => void }) {
  return (
    <div role="group" aria-label="Ad type" className="flex flex-wrap gap-2">
      {AD_TYPES.map((type) => (
        <Button
          key={type}
          variant={type === value ? 'primary' : 'secondary'}
          size="sm"
          aria-pressed={type === value}
          onClick={() => onChange(type)}
        >
          {AD_KINDS[type].name}
        </Button>
      ))}
    </div>
  );
}

type ImagesProps = {
  Image: MediaInputs['Image'];
  rows: readonly Row[];
  images: Readonly<Record<string, string>>;
  isMissingShown: boolean;
  onChange: (images: Record<string, string>) => void;
};

/** An image for each shape of the ad zones. One image serves all ad zones of its shape. */
function Images({ Image, rows, images, isMissingShown, onChange }: ImagesProps) {
  return imageSizes(rows).map(({ shape, size }) => (
    <ShapedImage
      key={shape}
      Image={Image}
      size={size}
      value={images[shape] ?? ''}
      isMissingShown={isMissingShown}
      onChange={(path) => onChange({ ...images, [shape]: path })}
    />
  ));
}

type ShapedImageProps = Pick<ImagesProps, 'Image' | 'isMissingShown'> & {
  size: Size;
  value: string;
  onChange: (path: string) => void;
};

/** Says at once if the chosen image has another shape. */
function ShapedImage({ Image, size, value, isMissingShown, onChange }: ShapedImageProps) {
  const { data: found } = useQuery({
    queryKey: ['size of the image', value],
    queryFn: () => imageSize(value),
    enabled: value !== '',
  });
  const isOther = value !== '' && found && !fitsZone(found, size);
  const missing =
    isMissingShown && !value ? `Upload an image of ${sizeText(size)}, or remove its ad zones` : '';
  return (
    <Image
      label={`Image, ${sizeText(size)}`}
      hint={shapeHint(size)}
      value={value}
      onChange={onChange}
      error={isOther ? shapeProblem(found, size) : missing}
      inputRef={() => {}}
    />
  );
}
