import { fitsZone, shapeProblem, type Size } from '#domain/ads/image-shape.ts';
import { IMAGE_REQUIRED } from '#domain/ads/content.ts';
import { AD_KINDS, type AdType } from '#domain/ads/types.ts';
import { IMAGE_PATH } from '#domain/media/limits.ts';
import { toast } from '#web/ui/toast-store.ts';
import type { AdForm } from './ad-form.ts';

/** Whether an image ad has no image. If so, a toast and the field show the error. [VAL-27] */
export function isImageMissing(adType: AdType, form: AdForm): boolean {
  // The field may still hold the address of a video's thumbnail, which is not an uploaded image.
  if (AD_KINDS[adType].image !== 'creative' || IMAGE_PATH.test(form.getValues('imageUrl') ?? ''))
    return false;
  toast({ title: 'Image required', description: IMAGE_REQUIRED, variant: 'destructive' });
  form.setError('imageUrl', { message: IMAGE_REQUIRED }, { shouldFocus: true });
  return true;
}

/** The size of an image in pixels; null if the browser can't read it. The server decides then. */
export async function imageSize(path: string): Promise<Size | null> {
  const image = new Image();
  image.src = path;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** Whether the image of an image ad has another shape than the ad zone. If so, the field shows the error. */
export async function isImageOfOtherShape(
  adType: AdType,
  form: AdForm,
  zone: Size,
  { shouldFocus = false } = {},
): Promise<boolean> {
  const path = form.getValues('imageUrl') ?? '';
  if (AD_KINDS[adType].image !== 'creative' || !IMAGE_PATH.test(path)) return false;
  const size = await imageSize(path);
  // The person may have chosen another image meanwhile.
  if (size === null || fitsZone(size, zone) || form.getValues('imageUrl') !== path) return false;
  form.setError('imageUrl', { message: shapeProblem(size, zone) }, { shouldFocus });
  return true;
}
