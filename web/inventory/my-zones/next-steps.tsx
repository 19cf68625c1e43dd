import type { ReactNode } from 'react';
import { BadgeCheck, Circle } from 'lucide-react';
import type { AdZone, Website } from '#domain/inventory/contract.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';
import { useVerifyWebsite } from '../api.ts';
import { zoneHref } from './zone-parts.ts';

type NextStepsProps = {
  zone: AdZone;
  website: Website;
  /** False while the website has a fault, because then its views don't count. */
  works: boolean;
  onTest: () => void;
};

/** The steps of a publisher after the tag of an ad zone was seen. */
export function NextSteps({ zone, website, works, onTest }: NextStepsProps) {
  const verify = useVerifyWebsite(website);
  const whyNot = useWhyNot();
  const isMissing = verify.data !== undefined && verify.data.state !== 'verified';
  return (
    <section aria-labelledby="next-steps" className="grid gap-3 text-sm">
      <h3 id="next-steps" className="text-base font-medium">
        {works ? 'It works. What’s next' : 'What’s next'}
      </h3>
      <ul className="grid gap-3" aria-live="polite">
        {website.isVerified ? (
          <Step isDone>Verified: advertisers see that the website is yours.</Step>
        ) : (
          <Step
            action={
              <Button
                size="sm"
                variant="secondary"
                why={whyNot}
                busy={verify.isPending}
                onClick={() => verify.mutate()}
              >
                Verify now
              </Button>
            }
          >
            {isMissing
              ? 'We didn’t find this code in the HTML of your home page. Paste it there too, or choose Verify on the website for another proof.'
              : 'Verify your website: this code on your home page proves that it’s yours. We look for it within a minute.'}
          </Step>
        )}
        {zone.offers.length > 0 ? (
          <Step isDone>Priced: advertisers can book this ad zone.</Step>
        ) : (
          <Step
            action={
              <ButtonLink size="sm" variant="secondary" href={zoneHref(zone)}>
                Set a price
              </ButtonLink>
            }
          >
            Set a price, so that advertisers can book this ad zone.
          </Step>
        )}
        <Step
          action={
            <Button size="sm" variant="secondary" onClick={onTest}>
              Test my zone
            </Button>
          }
        >
          See an ad on your page before the first sale.
        </Step>
      </ul>
    </section>
  );
}

type StepProps = { isDone?: boolean; action?: ReactNode; children: ReactNode };

function Step({ isDone = false, action, children }: StepProps) {
  const Icon = isDone ? BadgeCheck : Circle;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="flex min-w-0 flex-1 basis-60 items-start gap-2">
        <Icon
          aria-hidden="true"
          className={isDone ? 'mt-0.5 size-4 shrink-0 text-good' : 'mt-0.5 size-4 shrink-0 text-ink-faint'}
        />
        <span>
          {children}
          {isDone && <span className="sr-only"> (done)</span>}
        </span>
      </span>
      {action}
    </li>
  );
}
