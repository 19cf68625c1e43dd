import { counted } from '#domain/format.ts';
import { Submit } from '#web/ads/submit.tsx';
import { messageOf } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { expectedSentence } from './expected-text.ts';
import { expectedOfAll, totalOf, type Row } from './rows.ts';

type PlanSummaryProps = {
  rows: readonly Row[];
  /** How many of the rows can't take the ad, after the first try to submit. */
  unfit: number;
  /** The rows that the server refused. */
  refused: readonly Row[];
  error: Error | null;
  isBusy: boolean;
  onRemove: (rows: readonly Row[]) => void;
};

/** The total, the reason why the plan isn't submitted, and the buttons that submit it. */
export function PlanSummary({ rows, unfit, refused, error, isBusy, onRemove }: PlanSummaryProps) {
  return (
    <Card aria-label="Summary" className="grid gap-4">
      <CardHeader title="Summary" />
      <p className="flex items-baseline justify-between gap-4">
        <span className="font-medium">Total</span>
        <span className="figures text-xl font-semibold">{formatMoney(totalOf(rows))}</span>
      </p>
      <p className="text-sm text-ink-soft">
        {expectedSentence(expectedOfAll(rows))} Each publisher approves the ad or tells you what to change.
        You pay for each ad once it’s approved.
      </p>
      {error !== null && (
        <Banner
          tone="bad"
          title="Not submitted"
          action={
            refused.length > 0 &&
            refused.length < rows.length && (
              <Button variant="secondary" size="sm" onClick={() => onRemove(refused)}>
                Remove {counted(refused.length, 'ad zone')}
              </Button>
            )
          }
        >
          {messageOf(error, 'Failed to submit the plan')}
        </Banner>
      )}
      {unfit > 0 && (
        <p role="alert" className="text-sm text-bad">
          {unfit === 1 ? 'One ad zone' : `${unfit} ad zones`} can’t take this ad. See the list.
        </p>
      )}
      <Submit
        isBusy={isBusy}
        tick="Charge a card when approved"
        note="Save one card next. We charge each ad only if its publisher approves it. It then goes live at once."
      />
    </Card>
  );
}
