import { SETTING_GROUPS, type SettingGroup } from '#domain/operator/limits.ts';
import { cn } from '#web/ui/cn.ts';

type SettingsMenuProps = {
  /** Null while a search shows settings of all groups. */
  current: SettingGroup | null;
  /** The changes that are not saved, by group. */
  changes: Readonly<Partial<Record<SettingGroup, number>>>;
  onFollow: () => void;
};

/** The groups of settings. Each has an address, such as #money. */
export function SettingsMenu({ current, changes, onFollow }: SettingsMenuProps) {
  return (
    <nav
      aria-label="Groups of settings"
      className="-mx-1 flex gap-1 overflow-x-auto px-1 py-1 [scrollbar-width:none] lg:grid lg:gap-0.5"
    >
      {SETTING_GROUPS.map((group) => {
        const count = changes[group] ?? 0;
        return (
          <a
            key={group}
            href={`#${group.toLowerCase()}`}
            aria-current={group === current ? 'true' : undefined}
            onClick={onFollow}
            className={cn(
              'flex shrink-0 items-center justify-between gap-2 rounded-control px-3 py-2 text-sm transition-colors duration-150 lg:py-1.5',
              group === current
                ? 'bg-accent-soft font-medium text-accent'
                : 'text-ink-soft hover:bg-sunken hover:text-ink',
            )}
          >
            <span>{group}</span>
            {count > 0 && (
              <span className="figures rounded-full bg-accent px-2 text-xs font-medium text-on-accent">
                <span className="sr-only">, not saved: </span>
                <span>{count}</span>
              </span>
            )}
          </a>
        );
      })}
    </nav>
  );
}
