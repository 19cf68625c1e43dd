import { useRef } from 'react';
import { Activity, Ellipsis, FlaskConical, Pause, Play, Settings, Trash2 } from 'lucide-react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenu, MenuButton, MenuSeparator } from '#web/ui/dropdown-menu.tsx';
import { useUpdateZone } from '../api.ts';
import type { Diagnosis } from './zone-parts.ts';

/** What a publisher opens for one of their ad zones. */
export type ZoneAction = 'code' | 'settings' | 'delete' | Diagnosis;

type ZoneMenuProps = { zone: AdZone; onAction: (action: ZoneAction) => void };

/** Everything that a publisher can do with an ad zone, except its code. */
export function ZoneMenu({ zone, onAction }: ZoneMenuProps) {
  const pause = useUpdateZone(zone);
  const trigger = useRef<HTMLButtonElement>(null);

  function open(action: ZoneAction) {
    // The dialog returns the focus to what had it before, and the menu's items are gone by then.
    trigger.current?.focus();
    onAction(action);
  }

  return (
    <DropdownMenu
      trigger={
        <Button ref={trigger} variant="quiet" size="sm" className="px-2" aria-label={`More for ${zone.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      <MenuButton onSelect={() => open('settings')}>
        <Settings aria-hidden="true" />
        Settings
      </MenuButton>
      <MenuButton onSelect={() => open('test')}>
        <FlaskConical aria-hidden="true" />
        Test my zone
      </MenuButton>
      <MenuButton onSelect={() => open('showing')}>
        <Activity aria-hidden="true" />
        What’s showing?
      </MenuButton>
      <MenuButton disabled={pause.isPending} onSelect={() => pause.mutate({ isActive: !zone.isActive })}>
        {zone.isActive ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        {zone.isActive ? 'Pause' : 'Resume'}
      </MenuButton>
      <MenuSeparator />
      <MenuButton destructive onSelect={() => open('delete')}>
        <Trash2 aria-hidden="true" />
        Delete
      </MenuButton>
    </DropdownMenu>
  );
}
