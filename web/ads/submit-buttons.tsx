import { Button } from '#web/ui/button.tsx';

const SAVES_CARD = 'saves-card';

type SubmitButtonsProps = {
  isBusy: boolean;
  /** What the second button does. */
  note: string;
  wide?: boolean;
};

/** The two ways to submit: for approval only, or with a card that is charged on approval. */
export function SubmitButtons({ isBusy, note, wide = false }: SubmitButtonsProps) {
  return (
    <>
      <Button type="submit" size="lg" wide={wide} busy={isBusy}>
        Submit for Approval
      </Button>
      <div className="grid gap-1">
        <Button
          type="submit"
          name={SAVES_CARD}
          variant="secondary"
          size="lg"
          wide={wide}
          className="px-3"
          disabled={isBusy}
        >
          Submit and pay when approved
        </Button>
        <p className="text-sm text-ink-soft">{note}</p>
      </div>
    </>
  );
}

/** Whether the second of the buttons sent the form. */
export function savesCard(event: object | undefined): boolean {
  return (event as SubmitEvent | undefined)?.submitter?.getAttribute('name') === SAVES_CARD;
}
