import { useRef } from 'react';
import { Ellipsis, Eye, EyeOff, Pencil, Share2, Trash2 } from 'lucide-react';
import type { Website } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenu, MenuButton, MenuSeparator } from '#web/ui/dropdown-menu.tsx';
import { useUpdateWebsite } from '../api.ts';

/** The dialogs that a publisher opens for one of their websites. */
export type WebsiteAction = 'edit' | 'share' | 'hide' | 'delete';

type WebsiteMenuProps = { website: Website; onAction: (action: WebsiteAction) => void };

export function WebsiteMenu({ website, onAction }: WebsiteMenuProps) {
  const update = useUpdateWebsite(website);
  const trigger = useRef<HTMLButtonElement>(null);

  function open(action: WebsiteAction) {
    // The dialog returns the focus to what had it before, and the menu's items are gone by then.
    trigger.current?.focus();
    onAction(action);
  }

  return (
    <DropdownMenu
      trigger={
        <Button
          ref={trigger}
          variant="quiet"
          size="sm"
          className="px-2"
          aria-label={`Manage ${website.name}`}
        >
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      <MenuButton onSelect={() => open('edit')}>
        <Pencil aria-hidden="true" />
        Edit website
      </MenuButton>
      {website.pageUrl !== null && (
        <MenuButton onSelect={() => open('share')}>
          <Share2 aria-hidden="true" />
          Share website
        </MenuButton>
      )}
      {website.isActive ? (
        <MenuButton onSelect={() => open('hide')}>
          <EyeOff aria-hidden="true" />
          Hide website
        </MenuButton>
      ) : (
        <MenuButton disabled={update.isPending} onSelect={() => update.mutate({ isActive: true })}>
          <Eye aria-hidden="true" />
          Show website
        </MenuButton>
      )}
      <MenuSeparator />
      <MenuButton destructive onSelect={() => open('delete')}>
        <Trash2 aria-hidden="true" />
        Delete website
      </MenuButton>
    </DropdownMenu>
  );
}
