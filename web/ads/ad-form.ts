import { zodResolver } from '@hookform/resolvers/zod';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { resubmitAd } from '#domain/ads/contract.ts';
import type { AdContent } from '#domain/ads/changes.ts';
import { mediaOf } from '#domain/ads/media.ts';
import type { AdType } from '#domain/ads/types.ts';
import { bodyOf } from '#web/http/schema.ts';
import { useDraftForm } from '#web/ui/forms/form-draft.ts';

const schema = bodyOf(resubmitAd);

/** An ad's content as typed. */
export type AdFormValues = z.input<typeof schema>;
type Checked = z.output<typeof schema>;
export type AdForm = UseFormReturn<AdFormValues, unknown, Checked>;

/** What a field holds while nothing is typed, or chosen, is ''. */
export const NO_CONTENT = {
  title: '',
  description: '',
  targetUrl: '',
  imageUrl: '',
  videoUrl: '',
};

/** The form of an ad's content, checked by the contract of the calls that send it, and kept as the named draft. */
export function useAdForm(draft: string, defaultValues: AdFormValues): { form: AdForm; discard: () => void } {
  return useDraftForm<AdFormValues, Checked>({ draft, resolver: zodResolver(schema), defaultValues });
}

/** The checked values, with the media that an ad of this type carries. */
export function contentOf(adType: AdType, checked: Checked): AdContent {
  const { title, description, targetUrl, imageUrl = null, videoUrl = null } = checked;
  return { title, description, targetUrl, ...mediaOf(adType, { imageUrl, videoUrl }) };
}
