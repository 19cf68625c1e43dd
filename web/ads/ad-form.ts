import type { UseFormReturn } from 'react-hook-form';
import type { resubmitAd } from '#domain/ads/contract.ts';
import type { AdContent } from '#domain/ads/changes.ts';
import { mediaOf } from '#domain/ads/media.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { Input, Parsed } from '#domain/endpoint.ts';
import { validatedBy } from '#web/http/validator.ts';
import { useDraftForm } from '#web/ui/forms/form-draft.ts';

const resolver = validatedBy(async () => (await import('./schemas.ts')).adContent);

/** An ad's content as typed, before validation. */
export type AdFormValues = Input<typeof resubmitAd>['body'];
type Checked = Parsed<typeof resubmitAd>['body'];
export type AdForm = UseFormReturn<AdFormValues, unknown, Checked>;

/** An empty form. Every field is '', so that the inputs stay controlled. */
export const NO_CONTENT = {
  title: '',
  description: '',
  targetUrl: '',
  imageUrl: '',
  videoUrl: '',
  targeting: null,
};

/** The form for an ad's content. The contract's own schema validates it, and it is saved as the named draft. */
export function useAdForm(draft: string, defaultValues: AdFormValues): { form: AdForm; discard: () => void } {
  return useDraftForm<AdFormValues, Checked>({ draft, resolver, defaultValues });
}

/** The validated values, without media that an ad of this type does not use. */
export function contentOf(adType: AdType, checked: Checked): AdContent {
  const { title, description, targetUrl, imageUrl = null, videoUrl = null } = checked;
  return { title, description, targetUrl, ...mediaOf(adType, { imageUrl, videoUrl }) };
}
