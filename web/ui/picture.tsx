import { useState } from 'react';
import { cn } from './cn.ts';

/** Shown in place of an image that cannot be loaded. */
export const MISSING_IMAGE = '/image-missing.svg';

type PictureProps = { src: string | null; alt: string; className?: string };

/** An image that falls back to a placeholder when it is absent or broken. */
export function Picture({ src, alt, className }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const missing = !src || broken === src;
  return (
    <img
      src={missing ? MISSING_IMAGE : src}
      alt={alt}
      loading="lazy"
      decoding="async"
      data-missing={missing || undefined}
      onError={() => setBroken(src)}
      className={cn('bg-sunken object-contain', className)}
    />
  );
}
