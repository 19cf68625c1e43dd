import { useState } from 'react';
import { cn } from './cn.ts';

/** The placeholder for an image that is missing or fails to load. [MED-16] */
export const MISSING_IMAGE = '/image-missing.svg';

type PictureProps = { src: string | null; alt: string; className?: string };

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
