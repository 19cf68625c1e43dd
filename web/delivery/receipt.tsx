import { createElement, useEffect, useRef, useState } from 'react';
import { RotateCw, Send } from 'lucide-react';
import { CAPS } from '#domain/delivery/caps.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { Button } from '#web/ui/button.tsx';
import { LiveSteps } from './test-steps.tsx';
import { useReceipt, type Receipt as Followed } from './use-receipt.ts';

const WIDTH = 300;
const HEIGHT = 250;

/**
 * A real ad, shown by the tag that publishers embed, with the steps until its view is counted. It is our own ad and a
 * test, so nothing is recorded or billed.
 */
export function Receipt() {
  const box = useRef<HTMLDivElement>(null);
  const receipt = useReceipt(box);
  useTag();
  return (
    <section aria-labelledby="receipt" className="grid gap-6">
      <div className="grid max-w-2xl gap-1.5">
        <h2 id="receipt" className="text-xl font-semibold">
          Watch a view being counted
        </h2>
        <p className="text-ink-soft">
          Advertisers pay for viewable impressions, and for each of them once. This ad is ours, so we bill
          nothing. The tag, the request and the server that counts are real.
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 rounded-card border border-line bg-surface p-4 shadow-rest sm:p-6 md:grid-cols-[auto_minmax(0,1fr)] md:gap-10">
        <div ref={box} style={{ height: HEIGHT }} className="max-w-full justify-self-center bg-sunken">
          {createElement('ad-zone', { zone: 'demo~test', w: WIDTH, h: HEIGHT })}
        </div>
        <div className="grid content-between gap-6">
          <LiveSteps label="What happened to this ad" steps={stepsOf(receipt)} />
          <Repeats {...receipt} />
        </div>
      </div>
      <p className="max-w-2xl text-sm text-ink-soft">
        A reload is a new request, so its view counts again, up to {CAPS.visitor.perMinute.view} in a minute.
        A tab in the background adds no view, because nothing in it is in view.{' '}
        {/* A page that the server renders, so this is no link of the application's router. */}
        <a href="/measurement" className="rounded-tight text-accent underline underline-offset-4">
          How we measure
        </a>
      </p>
    </section>
  );
}

/** Loads the tag, as the snippet on a publisher's page does. The tag also finds each `ad-zone` that is added later. */
function useTag(): void {
  useEffect(() => {
    const script = document.createElement('script');
    script.src = '/api/serve/zone/demo';
    script.async = true;
    document.head.append(script);
    return () => script.remove();
  }, []);
}

function stepsOf({ answeredAfterMs, isInView, wasViewable, verdicts }: Followed) {
  const isAnswered = answeredAfterMs !== null;
  const isCounted = verdicts.length > 0;
  return [
    {
      of: 'requested',
      name: isAnswered
        ? `Requested: the server selected an ad in ${Math.max(1, Math.round(answeredAfterMs))} ms`
        : 'Requested: when the box comes near the screen',
      isDone: isAnswered,
    },
    { of: 'rendered', name: 'Rendered: the ad is on the page', isDone: isAnswered },
    {
      of: 'half',
      name: wasViewable || isInView ? 'Half of it is in view' : 'Half of it in view: scroll to it',
      isDone: wasViewable || isInView,
    },
    { of: 'second', name: 'In view for one second without a break', isDone: wasViewable },
    {
      of: 'counted',
      name: isCounted ? (
        <strong className="font-semibold">Counted once</strong>
      ) : (
        'Counted: when the server has confirmed it'
      ),
      isDone: isCounted,
    },
  ];
}

/** Reports the same view again, and shows why the server does not count it. */
function Repeats({ verdicts, repeat }: Followed) {
  const repeated = verdicts.slice(1).filter((verdict) => verdict === 'duplicate').length;
  const [isReloading, setReloading] = useState(false);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="sm"
          why={repeat === null && 'Wait until the view is counted'}
          onClick={() => repeat?.()}
        >
          <Send aria-hidden="true" />
          Report it again
        </Button>
        <Button
          variant="quiet"
          size="sm"
          busy={isReloading}
          onClick={() => {
            setReloading(true);
            window.location.reload();
          }}
        >
          <RotateCw aria-hidden="true" />
          Reload the page
        </Button>
      </div>
      {/* The height stays the same, so that nothing moves when the sentence appears. */}
      <p aria-live="polite" className="min-h-11 text-sm text-ink-soft">
        {repeated > 0 &&
          `${repeated === 1 ? 'Not counted' : `Not counted, ${repeated} times`}: ${REASON_TEXTS.duplicate.meaning}`}
      </p>
    </div>
  );
}
