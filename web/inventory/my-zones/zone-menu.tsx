import { Activity, CalendarDays, Ellipsis, FlaskConical, Pause, Play, Settings, Trash2 } from 'lucide-react';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenu, MenuButton, MenuLink, MenuSeparator } from '#web/ui/dropdown-menu.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import { useUpdateZone } from '../api.ts';
import { type Diagnosis, zoneHref } from './zone-parts.ts';

/** The dialogs that a publisher opens for one of their ad zones. */
export type ZoneAction = 'code' | 'settings' | 'delete' | Diagnosis;

type ZoneMenuProps = { zone: AdZone; onAction: (action: ZoneAction) => void };

/** Everything that a publisher can do with an ad zone, except its code. */
export function ZoneMenu({ zone, onAction }: ZoneMenuProps) {
  const pause = useUpdateZone(zone);
  const canChange = useWhyNot() === undefined;

  return (
    <DropdownMenu
      trigger={
        <Button variant="quiet" size="sm" className="px-2" aria-label={`More for ${zone.name}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {canChange && (
        <MenuButton onSelect={() => onAction('settings')}>
          <Settings aria-hidden="true" />
          Settings
        </MenuButton>
      )}
      <MenuLink href={zoneHref(zone)}>
        <CalendarDays aria-hidden="true" />
        Calendar & Slots
      </MenuLink>
      <MenuButton onSelect={() => onAction('test')}>
        <FlaskConical aria-hidden="true" />
        Test my zone
      </MenuButton>
      <MenuButton onSelect={() => onAction('showing')}>
        <Activity aria-hidden="true" />
        What’s showing?
      </MenuButton>
      {canChange && (
        <>
          <MenuButton disabled={pause.isPending} onSelect={() => pause.mutate({ isActive: !zone.isActive })}>
            {zone.isActive ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
            {zone.isActive ? 'Pause' : 'Resume'}
          </MenuButton>
          <MenuSeparator />
          <MenuButton destructive onSelect={() => onAction('delete')}>
            <Trash2 aria-hidden="true" />
            Delete
          </MenuButton>
        </>
      )}
    </DropdownMenu>
  );
}
