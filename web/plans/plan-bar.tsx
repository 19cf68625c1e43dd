import { counted } from '#domain/format.ts';
import { newPlanAddress, type Entry } from '#domain/plans/shortlist.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { useChoices } from './api.ts';
import { expectedText } from './expected-text.ts';
import { commonType, expectedOfAll, rowsOf, totalOf } from './rows.ts';

/** The plan that is not written yet. */
const NOTHING_YET = { images: {}, startDate: null, targeting: null };

type PlanBarProps = { entries: readonly Entry[]; onClear: () => void };

/** Sums up the ticked websites at the lower edge of the screen, and leads to the page that builds the plan. */
export function PlanBar({ entries, onClear }: PlanBarProps) {
  const { data: choices } = useChoices(entries.map(({ ref }) => ref));
  const rows = choices && rowsOf(entries, choices, { ...NOTHING_YET, adType: commonType(entries, choices) });
  const expected = rows && expectedText(expectedOfAll(rows));
  return (
    <section
      aria-label="Your plan"
      className="sticky bottom-4 z-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card border border-line-strong bg-surface px-4 py-3 shadow-lift"
    >
      <p role="status" className="figures text-sm">
        <span className="font-semibold">{counted(entries.length, 'ad zone')}</span>
        {rows && ` · ${formatMoney(totalOf(rows))}`}
        {expected && <span className="text-ink-soft"> · {expected}</span>}
      </p>
      <span className="flex items-center gap-2">
        <Button variant="quiet" size="sm" onClick={onClear}>
          Clear
        </Button>
        <ButtonLink href={newPlanAddress(entries)} size="sm">
          Build plan
        </ButtonLink>
      </span>
    </section>
  );
}
