import { IMAGE_REQUIRED } from '#domain/ads/content.ts';
import type { AdType } from '#domain/ads/types.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import { toast } from '#web/ui/toast-store.ts';
import type { AdForm } from './ad-form.ts';

/** Whether an image ad has no image. If so, a toast and the field show the error. [VAL-27] */
export function isImageMissing(adType: AdType, form: AdForm): boolean {
  // The field may still hold the address of a video's thumbnail, which is not an uploaded image.
  if (adType !== 'image' || IMAGE_PATH.test(form.getValues('imageUrl') ?? '')) return false;
  toast({ title: 'Image required', description: IMAGE_REQUIRED, variant: 'destructive' });
  form.setError('imageUrl', { message: IMAGE_REQUIRED }, { shouldFocus: true });
  return true;
}
