import type { ReactNode } from 'react';
import { Check } from 'lucide-react';
import type { WatchedRequest } from '#domain/delivery/zone-watch.ts';
import { cn } from '#web/ui/cn.ts';
import { secondsText } from './seconds-text.ts';

type Step = { of: 'request' | 'choice' | 'view' | 'click'; name: ReactNode; isDone: boolean };

/** Request, choice, first viewable impression: each as soon as the server has seen it. */
export function TestSteps({ request }: { request: WatchedRequest | undefined }) {
  return (
    <ol aria-label="What the server has seen" aria-live="polite" className="grid gap-2 text-sm">
      {stepsOf(request).map(({ of, name, isDone }, index) => (
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
      { of: 'request', name: 'Waiting for the tag to ask for an ad…', isDone: false },
      { of: 'choice', name: 'The choice of an ad', isDone: false },
      { of: 'view', name: 'The first viewable impression', isDone: false },
    ];
  }
  const { ad, view, click } = request;
  const asked: Step = { of: 'request', name: 'The tag asked for an ad', isDone: true };
  if (!ad) {
    return [
      asked,
      {
        of: 'choice',
        name: 'No paid ad can be shown now: your own ad or ‘Advertise here’ stands there',
        isDone: true,
      },
      { of: 'view', name: 'Of that nothing is measured, so the test ends here', isDone: true },
    ];
  }
  return [
    asked,
    {
      of: 'choice',
      name: (
        <>
          Chosen: <bdi className="font-medium">{ad.title}</bdi>
        </>
      ),
      isDone: true,
    },
    view
      ? { of: 'view', name: `Viewable after ${secondsText(view.afterMs)}: it would count here`, isDone: true }
      : {
          of: 'view',
          name: 'Waiting until it is viewable: keep half of it in sight for a second…',
          isDone: false,
        },
    ...(click
      ? [{ of: 'click' as const, name: `Clicked after ${secondsText(click.afterMs)}`, isDone: true }]
      : []),
  ];
}
