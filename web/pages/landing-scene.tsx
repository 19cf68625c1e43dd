import type { CSSProperties, ReactNode } from 'react';
import { Play } from 'lucide-react';
import { cn } from '#web/ui/cn.ts';
import { SYMBOL } from '#web/ui/format/format.ts';

/** A drawing of a publisher's page with three open ad zones, which fill one after another. It contains no controls. */
export function LandingScene() {
  return (
    <div
      role="img"
      aria-label="A sample website with three open ad zones. A text ad, an image ad and a video ad fill them."
      className="relative text-left select-none"
    >
      <div className="overflow-hidden rounded-card border border-line bg-surface text-ink shadow-float">
        <div className="flex h-9 items-center gap-1.5 border-b border-line bg-sunken px-4">
          <span className="size-2.5 rounded-full bg-line-strong/45" />
          <span className="size-2.5 rounded-full bg-line-strong/45" />
          <span className="size-2.5 rounded-full bg-line-strong/45" />
          <span className="mx-auto rounded-full bg-surface px-4 py-0.5 text-xs text-ink-faint">
            circuit-notes.example
          </span>
        </div>
        <div className="grid gap-4 p-4 sm:p-6">
          <div className="flex items-baseline gap-4">
            <span className="font-display text-lg font-semibold">Circuit Notes</span>
            <span className="ml-auto text-xs text-ink-faint">Reviews</span>
            <span className="text-xs text-ink-faint">Guides</span>
            <span className="text-xs text-ink-faint max-sm:hidden">Letters</span>
          </div>
          <Slot price={30} at="700ms" className="h-17">
            <TextAd />
          </Slot>
          <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-4 sm:grid-cols-[minmax(0,1fr)_9.5rem] sm:gap-6">
            <div className="grid content-start gap-3">
              <span className="font-display text-base leading-snug font-semibold sm:text-lg">
                The keyboard that outlived three laptops
              </span>
              <Lines widths={['w-full', 'w-11/12', 'w-[97%]', 'w-2/3']} />
              <Slot price={18} at="3100ms" className="mt-1 aspect-video">
                <VideoAd at="3300ms" />
              </Slot>
              <Lines widths={['w-full', 'w-4/5']} />
            </div>
            <Slot price={12} at="1900ms" className="min-h-56">
              <ImageAd />
            </Slot>
          </div>
        </div>
      </div>
      <p
        style={at('4400ms')}
        className="scene-say absolute -bottom-5 left-4 rounded-full bg-ink px-5 py-2.5 text-sm font-medium text-canvas shadow-lift sm:left-6"
      >
        Three ad zones sold: <span className="font-display font-semibold">{`${SYMBOL}60 a day`}</span>
      </p>
    </div>
  );
}

function at(moment: string): CSSProperties {
  return { '--at': moment } as CSSProperties;
}

type SlotProps = { price: number; at: string; className: string; children: ReactNode };

/** Draws the open zone and, above it, the ad that fills it. */
function Slot({ price, at: moment, className, children }: SlotProps) {
  return (
    <div className={cn('slot-open relative', className)}>
      <div className="absolute inset-0 grid place-content-center text-center">
        <span className="font-display text-lg font-semibold">{`${SYMBOL}${price}`}</span>
        <span className="text-xs text-ink-soft">a day</span>
      </div>
      <div style={at(moment)} className="scene-arrive absolute inset-1 overflow-hidden rounded-tight">
        {children}
      </div>
    </div>
  );
}

function TextAd() {
  return (
    <div className="grid size-full content-center border border-line bg-surface px-4">
      <span className="truncate text-sm font-semibold text-accent">Fresh coffee, delivered</span>
      <span className="truncate text-xs text-ink-soft">
        Roasted on Monday, at your door on Wednesday. coffee.example
      </span>
    </div>
  );
}

function ImageAd() {
  return (
    <div className="relative size-full bg-accent-soft">
      <svg
        viewBox="0 0 152 300"
        preserveAspectRatio="xMidYMax slice"
        className="absolute inset-0 size-full"
        aria-hidden="true"
      >
        <circle cx="104" cy="118" r="30" className="fill-on-deep" />
        <path d="M-10 214 52 138l34 40 26-30 60 74v90H-10Z" className="fill-accent/55" />
        <path d="M-10 250 34 200l30 30 40-46 62 66v70H-10Z" className="fill-deep" />
      </svg>
      <p className="absolute inset-x-3 top-3 font-display text-base leading-tight font-semibold text-ink">
        Walk the high route
      </p>
      <p className="absolute inset-x-3 bottom-3 text-xs text-on-deep">trails.example</p>
    </div>
  );
}

function VideoAd({ at: moment }: { at: string }) {
  return (
    <div className="grid size-full place-items-center bg-deep text-on-deep">
      <span className="grid size-8 place-items-center rounded-full bg-on-deep/15 max-sm:-mt-6 sm:size-11">
        <Play aria-hidden="true" className="size-4 fill-current sm:size-5" />
      </span>
      <p className="absolute inset-x-3 bottom-3 truncate text-xs text-on-deep-soft">
        A lamp that follows the sun
      </p>
      <span className="absolute inset-x-0 bottom-0 h-1 bg-on-deep/15">
        <span style={at(moment)} className="scene-play block h-full w-3/5 origin-left bg-on-deep" />
      </span>
    </div>
  );
}

function Lines({ widths }: { widths: readonly string[] }) {
  return widths.map((width) => (
    <span key={width} className={cn('block h-2 rounded-full bg-sunken', width)} />
  ));
}
