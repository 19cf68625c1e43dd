import { useState } from 'react';
import { cn } from './cn.ts';

type AvatarProps = {
  initials: string;
  /** The address of the user's picture. The initials show if it is null or fails to load. */
  src: string | null;
  className?: string;
};

/** Hidden from assistive technology, because the user's name is beside it. */
export function Avatar({ initials, src, className }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  return (
    <span
      aria-hidden="true"
      dir="auto"
      className={cn(
        'grid size-9 shrink-0 place-items-center overflow-hidden rounded-full bg-accent-soft text-xs font-semibold tracking-wide text-accent uppercase',
        className,
      )}
    >
      {src !== null && src !== broken ? (
        <img src={src} alt="" onError={() => setBroken(src)} className="size-full object-cover" />
      ) : (
        initials
      )}
    </span>
  );
}
