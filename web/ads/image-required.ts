import { IMAGE_REQUIRED } from '#domain/ads/contract.ts';
import type { AdType } from '#domain/ads/types.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import { toast } from '#web/ui/toast-store.ts';
import type { AdForm } from './ad-form.ts';

/** Image ads require an image (VAL-27): says so, at the field too, when there is none. */
export function isImageMissing(adType: AdType, form: AdForm): boolean {
  // An address elsewhere may remain from a video's thumbnail: it is no image of an ad.
  if (adType !== 'image' || IMAGE_PATH.test(form.getValues('imageUrl') ?? '')) return false;
  toast({ title: 'Image required', description: IMAGE_REQUIRED, variant: 'destructive' });
  form.setError('imageUrl', { message: IMAGE_REQUIRED }, { shouldFocus: true });
  return true;
}
