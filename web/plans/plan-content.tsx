import { AD_TYPE_NAMES, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { PLAN_NAME_MAX } from '#domain/plans/limits.ts';
import { AdFields, type MediaInputs } from '#web/ads/ad-fields.tsx';
import type { AdForm } from '#web/ads/ad-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { imageSizes, sizeText, type Row } from './rows.ts';
import type { Shortlist } from './use-shortlist.ts';

export type PlanContentProps = {
  form: AdForm;
  adType: AdType;
  rows: readonly Row[];
  list: Shortlist;
  /** Shows which images are missing, after the first try to submit. */
  isMissingShown: boolean;
  onChange: (fields: Partial<Shortlist>) => void;
};

/** The one ad that the plan sends to all of its ad zones. */
export function PlanContent(props: PlanContentProps & { media: MediaInputs }) {
  const { form, adType, rows, list, isMissingShown, onChange, media } = props;
  return (
    <Card aria-label="Your ad" className="grid gap-5">
      <CardHeader title="Your ad" description="It is sent to all of these ad zones." />
      <TypeChoice value={adType} onChange={(type) => onChange({ adType: type })} />
      {/* The images of a plan are fields of their own, one for each shape. */}
      <AdFields form={form} adType={adType === 'image' ? 'text' : adType} media={media} />
      {adType === 'image' && (
        <Images
          Image={media.Image}
          rows={rows}
          images={list.images}
          isMissingShown={isMissingShown}
          onChange={(images) => onChange({ images })}
        />
      )}
      <Field
        label="Name of the plan"
        optional
        hint="Only you see it. Without one, the plan is named like the ad."
      >
        <Input
          value={list.name}
          maxLength={PLAN_NAME_MAX}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Field>
    </Card>
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
          {AD_TYPE_NAMES[type]}
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
  return imageSizes(rows).map(({ shape, size }) => {
    const value = images[shape] ?? '';
    return (
      <Image
        key={shape}
        label={`Image, ${sizeText(size)}`}
        value={value}
        onChange={(path) => onChange({ ...images, [shape]: path })}
        error={isMissingShown && !value ? `Upload an image of ${sizeText(size)}, or remove its ad zones` : ''}
        inputRef={() => {}}
      />
    );
  });
}
