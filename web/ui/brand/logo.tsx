import { cn } from '../cn.ts';
import { MARK, MARKETPLACE_NAME } from '../format/settings.ts';

const NO_ROOM = { tablet: 'md:max-lg:hidden', phone: 'max-[23rem]:hidden' } as const;

/** `compact` hides the name where the header has no room for it. */
export function Logo({ compact }: { compact?: keyof typeof NO_ROOM }) {
  return (
    <span className="flex items-center gap-2 text-accent">
      <span className="contents" dangerouslySetInnerHTML={{ __html: MARK }} />
      <span
        translate="no"
        className={cn(
          'own-logo:hidden font-display text-lg font-semibold tracking-tight text-ink',
          compact && NO_ROOM[compact],
        )}
      >
        {MARKETPLACE_NAME}
      </span>
    </span>
  );
}
