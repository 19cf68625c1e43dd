import { useId, useState } from 'react';
import { correctionsOf } from '#domain/delivery/accent.ts';
import { ZONE_LOOKS, type ZoneLook } from '#domain/delivery/ad-style.ts';
import { HOUSE_TITLE } from '#domain/delivery/house.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { SaveButton } from '#web/ui/forms/save-button.tsx';
import { ChoiceCards } from '#web/ui/forms/choice-cards.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { useUpdateZone } from '../api.ts';
import type { DrawAd } from '../my-zones/zone-parts.ts';

const LOOKS: Record<ZoneLook, { title: string; about: string }> = {
  plain: { title: 'Plain', about: 'Written on your page, with a thin frame.' },
  card: { title: 'Card', about: 'On a surface of its own, with round corners.' },
};

/** The text ad that the preview shows. */
const SAMPLE_AD = {
  title: 'Fresh coffee, delivered',
  description: 'Beans roasted on Monday, at your door on Wednesday.',
  targetUrl: 'https://kernelroast.example',
};
const OPEN_AD = { title: HOUSE_TITLE, description: `from ${formatMoney('25.00')} for 7 days`, targetUrl: '' };

/** The accent that the picker starts with: the petrol of our own pages. */
const FIRST_ACCENT = '#0f5e70';

/** Lets the publisher choose how text ads and the empty zone look, with a live preview of both. */
export function LookSection({ zone, drawAd }: { zone: AdZone; drawAd: DrawAd }) {
  const [look, setLook] = useState(zone.look);
  const [accent, setAccent] = useState(zone.accent);
  const id = useId();
  const save = useUpdateZone(zone);
  const isChanged = look !== zone.look || accent !== zone.accent;
  const styled = { width: zone.width, height: zone.height, look, accent };

  return (
    <section aria-labelledby={`${id}-title`} className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid gap-0.5">
        <h2 id={`${id}-title`} className="font-medium">
          How ads look
        </h2>
        <p className="text-sm text-ink-faint">
          Text ads take your page’s font, text color and color scheme. Images and videos look as the
          advertiser made them.
        </p>
      </div>
      <ChoiceCards
        label="Look"
        columns={2}
        value={look}
        onChange={(value) => setLook(value as ZoneLook)}
        choices={ZONE_LOOKS.map((value) => ({
          value,
          title: LOOKS[value].title,
          children: LOOKS[value].about,
        }))}
      />
      <AccentField accent={accent} onChange={setAccent} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Preview title="With an ad">{drawAd(styled, SAMPLE_AD, 'ad')}</Preview>
        <Preview title="Without one">{drawAd(styled, OPEN_AD, 'open')}</Preview>
      </div>
      <SaveButton
        busy={save.isPending}
        isSaved={save.isSuccess && !isChanged}
        why={!isChanged && 'Choose another look or color first'}
        onClick={() => save.mutate({ look, accent })}
      >
        Save look
      </SaveButton>
    </section>
  );
}

type AccentFieldProps = {
  /** Null: the color of the page that shows the ad. */
  accent: string | null;
  onChange: (accent: string | null) => void;
};

/** The color picker, with a note about pages on which the color has too little contrast. */
function AccentField({ accent, onChange }: AccentFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          Accent color
        </label>
        <input
          id={id}
          type="color"
          value={accent ?? FIRST_ACCENT}
          onChange={(event) => onChange(event.target.value)}
          aria-describedby={`${id}-note`}
          className="h-10 w-14 cursor-pointer rounded-control border border-line-strong/60 bg-surface p-1"
        />
        <span className="figures text-sm text-ink-soft">{accent ?? 'Your page’s own color'}</span>
        {accent !== null && (
          <Button variant="quiet" size="sm" onClick={() => onChange(null)}>
            Use my page’s color
          </Button>
        )}
      </div>
      <div id={`${id}-note`} aria-live="polite" className="grid gap-1 text-sm text-ink-soft empty:hidden">
        {accent !== null &&
          correctionsOf(accent).map(({ page, color }) => (
            <p key={page} className="flex items-center gap-2">
              <span
                aria-hidden="true"
                className="size-3.5 shrink-0 rounded-full border border-line-strong/60"
                style={{ background: color }}
              />
              <span>
                Too little contrast on {page} pages. Ads there use <span className="figures">{color}</span>{' '}
                instead.
              </span>
            </p>
          ))}
      </div>
    </div>
  );
}

function Preview({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <figure className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <figcaption className="text-sm text-ink-soft">{title}</figcaption>
      {children}
    </figure>
  );
}
