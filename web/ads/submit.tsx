import { useId } from 'react';
import { Button } from '#web/ui/button.tsx';

const SAVES_CARD = 'saves-card';

type SubmitProps = {
  isBusy: boolean;
  /** Such as 'Charge a card when approved'. */
  tick: string;
  /** Explains the tick. */
  note: string;
};

/** Submits for approval, and with the tick also allows a charge on approval. */
export function Submit({ isBusy, tick, note }: SubmitProps) {
  const id = useId();
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 text-sm">
        <input
          id={id}
          type="checkbox"
          name={SAVES_CARD}
          aria-describedby={`${id}-note`}
          className="mt-1 size-4 accent-accent"
        />
        <label htmlFor={id} className="font-medium">
          {tick}
        </label>
        <p id={`${id}-note`} className="col-start-2 text-xs text-ink-soft">
          {note}
        </p>
      </div>
      <Button type="submit" size="lg" wide busy={isBusy}>
        Submit for Approval
      </Button>
    </div>
  );
}

/** Whether the tick is set in the form. */
export function savesCard(form: HTMLFormElement): boolean {
  return new FormData(form).has(SAVES_CARD);
}
