import { useState } from 'react';
import { ChevronDown } from 'lucide-react';
import type { OfferedAct } from '#domain/operator/console/act-contract.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { DropdownMenu, MenuButton, MenuSeparator } from '#web/ui/dropdown-menu.tsx';
import { ActSheet } from './act-sheet.tsx';

type ActButtonProps = Pick<ButtonProps, 'variant' | 'size' | 'className'> & {
  act: OfferedAct;
  /** What the act is about, for a list in which several rows have the same button. */
  about?: string;
};

/** The button of an act, which opens its sheet. */
export function ActButton({ act, about, variant = 'secondary', size = 'sm', className }: ActButtonProps) {
  // As it was when the sheet opened: what the operator has read is what the server compares.
  const [opened, setOpened] = useState<OfferedAct>();
  return (
    <>
      <Button
        variant={variant}
        size={size}
        className={className}
        aria-label={about === undefined ? undefined : `${act.button}: ${about}`}
        onClick={() => setOpened(act)}
      >
        {act.button}
      </Button>
      {opened && <ActSheet act={opened} about={about} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** The acts of a thing behind one button. Those that can't be undone come last. */
export function ActMenu({ acts, about }: { acts: readonly OfferedAct[]; about: string }) {
  const [opened, setOpened] = useState<OfferedAct>();
  if (acts.length === 0) return null;
  const harmless = acts.filter(({ isHarmful }) => !isHarmful);
  const harmful = acts.filter(({ isHarmful }) => isHarmful);
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="secondary" className="[&_svg]:size-4">
            <span>Actions</span>
            <ChevronDown aria-hidden="true" />
          </Button>
        }
      >
        {harmless.map((act) => (
          <MenuButton key={act.path} onSelect={() => setOpened(act)}>
            {act.button}
          </MenuButton>
        ))}
        {harmless.length > 0 && harmful.length > 0 && <MenuSeparator />}
        {harmful.map((act) => (
          <MenuButton key={act.path} destructive onSelect={() => setOpened(act)}>
            {act.button}
          </MenuButton>
        ))}
      </DropdownMenu>
      {opened && <ActSheet act={opened} about={about} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** The acts of a thing in a row. */
export function ActButtons({ acts, about }: { acts: readonly OfferedAct[]; about?: string }) {
  return (
    acts.length > 0 && (
      <div className="flex flex-wrap gap-2">
        {acts.map((act) => (
          <ActButton key={act.path} act={act} {...(about !== undefined && { about })} />
        ))}
      </div>
    )
  );
}
