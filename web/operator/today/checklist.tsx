import { Circle, CircleCheck } from 'lucide-react';
import { Link } from 'wouter';
import type { LaunchStepReply } from '#domain/operator/console/today-contract.ts';
import { Card } from '#web/ui/card.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { WithCode } from '../parts/with-code.tsx';
import { ActButtons } from '../parts/act-button.tsx';

/** What is missing before the marketplace sells. Each step leads to its form. */
export function Checklist({ steps }: { steps: readonly LaunchStepReply[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const title = `Before you sell: ${done} of ${steps.length} done`;
  return (
    <Card padded={false} aria-labelledby="launch">
      <div className="grid gap-3 px-inset pt-5 pb-4">
        <h2 id="launch" className="text-lg font-semibold">
          {title}
        </h2>
        <ProgressBar value={done} max={steps.length} label={title} />
      </div>
      <ol className="divide-y divide-line border-t border-line">
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
    </Card>
  );
}

function Step({ step: { name, isDone, text, path, acts } }: { step: LaunchStepReply }) {
  const Mark = isDone ? CircleCheck : Circle;
  return (
    <li className="flex gap-3 px-inset py-3">
      <Mark
        aria-hidden="true"
        className={isDone ? 'mt-0.5 size-5 shrink-0 text-good' : 'mt-0.5 size-5 shrink-0 text-line-strong'}
      />
      <div className="grid min-w-0 flex-1 gap-2 sm:flex sm:items-center sm:justify-between sm:gap-6">
        <div className="grid min-w-0 gap-0.5">
          <p className="font-medium wrap-anywhere">
            <Link href={path} className="text-accent hover:underline">
              <bdi>{name}</bdi>
            </Link>
            <span className="sr-only">{isDone ? ': done' : ': missing'}</span>
          </p>
          <p className="text-sm wrap-anywhere text-ink-soft">
            <WithCode sentence={text} />
          </p>
        </div>
        <div className="shrink-0 sm:max-w-1/2">
          <ActButtons acts={acts} />
        </div>
      </div>
    </li>
  );
}
