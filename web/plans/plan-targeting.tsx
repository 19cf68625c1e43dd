import type { Targeting } from '#domain/targeting/limits.ts';
import { LimitsList } from '#web/targeting/limits-list.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { onDemand } from '#web/ui/late.tsx';

const LimitsFields = onDemand(
  'the limits',
  'h-80',
  async () => (await import('#web/targeting/limits-fields.tsx')).LimitsFields,
);

type PlanTargetingProps = {
  value: Targeting | null;
  onChange: (value: Targeting | null) => void;
};

/** Where and to whom all ads of the plan are shown: closed, with the limits in words once there are some. */
export function PlanTargeting({ value, onChange }: PlanTargetingProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Disclosure label="Targeting">
        {() => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <p className="text-sm text-ink-soft">
              Without limits, everybody who visits the pages may see the ad. Every limit makes fewer views.
              The list of ad zones says how many are left.
            </p>
            <LimitsFields value={value} onChange={onChange} />
          </div>
        )}
      </Disclosure>
      {value && (
        <div className="text-sm text-ink-soft">
          <LimitsList limits={value} none="" />
        </div>
      )}
    </div>
  );
}
