import { Button, type ButtonProps } from '../button.tsx';
import { useWhyNot } from '../why-not.ts';
import { SavedNote } from './saved-field.tsx';

type SaveButtonProps = Pick<ButtonProps, 'type' | 'busy' | 'why' | 'onClick' | 'className' | 'children'> & {
  /** Shows 'Saved' until the next change. */
  isSaved: boolean;
};

/** Saves one section of a page, and says beside itself that it did. */
export function SaveButton({ isSaved, why, className, ...button }: SaveButtonProps) {
  const whyNot = useWhyNot();
  return (
    <span className="flex flex-wrap items-center gap-3">
      <Button variant="secondary" {...button} why={whyNot ?? why} className={className} />
      <span className="text-sm">
        <SavedNote shown={isSaved} />
      </span>
    </span>
  );
}
