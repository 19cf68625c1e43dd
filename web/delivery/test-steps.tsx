import type { ReactNode } from 'react';
import { Check } from 'lucide-react';
import type { WatchedRequest } from '#domain/delivery/zone-watch-contract.ts';
import { cn } from '#web/ui/cn.ts';
import { secondsText } from './seconds-text.ts';

type Step = { of: string; name: ReactNode; isDone: boolean };

/** Ad request, decision and first viewable impression, each shown as soon as the server records it. */
export function TestSteps({ request }: { request: WatchedRequest | undefined }) {
  return <LiveSteps label="Test progress" steps={stepsOf(request)} />;
}

/** Numbered steps that are checked off, and spoken, as they happen. */
export function LiveSteps({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <ol aria-label={label} aria-live="polite" className="grid gap-2 text-sm">
      {steps.map(({ of, name, isDone }, index) => (
        <li key={of} className="flex items-start gap-3">
          <span
            aria-hidden="true"
            className={cn(
              'figures mt-px grid size-5 shrink-0 place-items-center rounded-full border text-xs',
              isDone ? 'border-good bg-good-soft text-good' : 'border-line-strong/60 text-ink-faint',
            )}
          >
            {isDone ? <Check className="size-3" /> : index + 1}
          </span>
          <span className={cn('min-w-0 wrap-anywhere', !isDone && 'text-ink-faint')}>
            {name}
            {isDone && <span className="sr-only"> (done)</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function stepsOf(request: WatchedRequest | undefined): Step[] {
  if (!request) {
    return [
      { of: 'request', name: 'Waiting for the tag to request an ad…', isDone: false },
      { of: 'decision', name: 'Ad selected', isDone: false },
      { of: 'view', name: 'First viewable impression', isDone: false },
    ];
  }
  const { ad, isSample, view, click } = request;
  const asked: Step = { of: 'request', name: 'The tag requested an ad', isDone: true };
  if (!ad && !isSample) {
    return [
      asked,
      {
        of: 'decision',
        name: 'No paid ad can be shown right now, so your own ad or ‘Advertise here’ appears',
        isDone: true,
      },
      { of: 'view', name: 'That isn’t measured, so the test ends here', isDone: true },
    ];
  }
  return [
    asked,
    {
      of: 'decision',
      name: ad ? (
        <>
          Selected: <bdi className="font-medium">{ad.title}</bdi>
        </>
      ) : (
        'No paid ad can be shown right now, so you see a sample ad'
      ),
      isDone: true,
    },
    view
      ? {
          of: 'view',
          name: `Viewable after ${secondsText(view.afterMs)}. On your website, it would be counted.`,
          isDone: true,
        }
      : {
          of: 'view',
          name: 'Waiting for a viewable impression. Keep at least half of the ad in view for a second…',
          isDone: false,
        },
    ...(click ? [{ of: 'click', name: `Clicked after ${secondsText(click.afterMs)}`, isDone: true }] : []),
  ];
}
