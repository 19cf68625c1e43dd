import { useState } from 'react';
import type { SecondFactor } from '#domain/accounts/contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useSecondFactor } from '../api.ts';
import { FocusedFrame } from './focused-frame.tsx';
import type { FirstStep } from './second-factor-steps.tsx';

const Steps = onDemand(
  'two-step verification',
  'mt-5 h-40 max-w-sm',
  async () => (await import('./second-factor-steps.tsx')).SecondFactorSteps,
);

/** Two-step verification: set up an app, see and replace recovery codes, turn it off. */
export function SecondFactorSettings() {
  const { data: factor, isError, refetch } = useSecondFactor();
  const [first, setFirst] = useState<FirstStep>();
  const [hasReturned, setHasReturned] = useState(false);

  function end() {
    setFirst(undefined);
    setHasReturned(true);
  }

  return (
    <Card>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-2">
            Two-step verification
            {factor?.isOn && <Badge tone="good">On</Badge>}
          </span>
        }
        description="Signing in then needs your password and a code from an authenticator app on your phone."
      />
      {first ? (
        <Steps first={first} onEnd={end} />
      ) : (
        <FocusedFrame takesFocus={hasReturned}>
          {isError ? (
            <LoadError what="two-step verification" onRetry={refetch} />
          ) : factor === undefined ? (
            <Skeleton className="h-11" />
          ) : (
            <Rest factor={factor} onStep={setFirst} />
          )}
        </FocusedFrame>
      )}
    </Card>
  );
}

function Rest({ factor, onStep }: { factor: SecondFactor; onStep: (step: FirstStep) => void }) {
  if (!factor.isOn) {
    return (
      <Button variant="secondary" className="justify-self-start" onClick={() => onStep('password')}>
        Set up two-step verification
      </Button>
    );
  }
  const left = factor.recoveryCodesLeft;
  return (
    <>
      <p className="text-sm text-ink-soft">
        {left === 1 ? '1 recovery code is' : `${left} recovery codes are`} unused. Each one replaces the app
        once.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => onStep('replace')}>
          Get new recovery codes
        </Button>
        <Button variant="secondary" onClick={() => onStep('remove')}>
          Turn off
        </Button>
      </div>
    </>
  );
}
