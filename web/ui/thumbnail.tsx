import { Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import { Picture } from './picture.tsx';

const pictureOf = (src: string | null) => <Picture src={src} alt="" className="size-full" />;

/** By the type of the ad. */
const LOOKS = {
  text: () => <Lines />,
  image: pictureOf,
  video: (src) => (
    <>
      {src && pictureOf(src)}
      <span className="absolute inset-0 grid place-items-center">
        <span className="grid size-5 place-items-center rounded-full bg-deep text-on-deep">
          <Play className="ml-px size-2.5 fill-current" />
        </span>
      </span>
    </>
  ),
} satisfies Record<string, (src: string | null) => ReactNode>;

type ThumbnailProps = {
  kind: keyof typeof LOOKS;
  /** The image, or the poster of a video. */
  src: string | null;
  /** For a row of one line. */
  small?: boolean;
  className?: string;
};

/** A small preview beside a name in a list. It is hidden from screen readers, which read the name. */
export function Thumbnail({ kind, src, small = false, className }: ThumbnailProps) {
  return (
    <span
      aria-hidden="true"
      data-thumbnail={kind}
      className={cn(
        'relative block shrink-0 overflow-hidden rounded-tight border border-line bg-sunken',
        small ? 'h-7 w-10' : 'h-10 w-14',
        className,
      )}
    >
      {LOOKS[kind](src)}
    </span>
  );
}

/** A miniature text ad: a headline, a few lines and a link. */
function Lines() {
  return (
    <svg viewBox="0 0 56 40" className="size-full bg-surface" fill="currentColor">
      <rect x="8" y="8" width="30" height="5" rx="1.5" className="text-ink-soft" />
      <rect x="8" y="17" width="40" height="2.5" rx="1.25" className="text-line-strong" opacity=".55" />
      <rect x="8" y="22" width="34" height="2.5" rx="1.25" className="text-line-strong" opacity=".55" />
      <rect x="8" y="29" width="18" height="3.5" rx="1.75" className="text-accent" />
    </svg>
  );
}
