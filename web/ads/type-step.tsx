import { Clapperboard, Image, Type } from 'lucide-react';
import { AD_KINDS, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { OptionButton } from '#web/ui/forms/option-button.tsx';

const LOOKS: Record<AdType, { icon: React.ReactNode; text: string; art: React.ReactNode }> = {
  text: {
    icon: <Type aria-hidden="true" />,
    text: 'A title and a short description',
    art: (
      <>
        <rect x="60" y="34" width="64" height="7" rx="3.5" className="fill-accent" />
        <rect x="60" y="49" width="120" height="5" rx="2.5" className="fill-line-strong" />
        <rect x="60" y="60" width="96" height="5" rx="2.5" className="fill-line-strong" />
      </>
    ),
  },
  image: {
    icon: <Image aria-hidden="true" />,
    text: 'Your own image: JPG, PNG or GIF',
    art: (
      <>
        <circle cx="92" cy="39" r="9" className="fill-accent" />
        <path d="M48 84 92 50l24 18 30-30 46 46z" className="fill-accent" />
      </>
    ),
  },
  video: {
    icon: <Clapperboard aria-hidden="true" />,
    text: 'An MP4 video of up to 30 seconds',
    art: (
      <>
        <circle cx="120" cy="46" r="19" className="fill-accent" />
        <path d="m114 37 15 9-15 9z" className="fill-on-accent" />
        <rect x="60" y="73" width="120" height="3" rx="1.5" className="fill-line-strong" />
        <rect x="60" y="73" width="44" height="3" rx="1.5" className="fill-accent" />
      </>
    ),
  },
};

type TypeStepProps = {
  value: AdType | null;
  /** The types that can be bought; all of them before a website is chosen. */
  sold: readonly AdType[];
  onChoose: (type: AdType) => void;
};

export function TypeStep({ value, sold, onChoose }: TypeStepProps) {
  return (
    <div role="group" aria-label="Ad type" className="grid gap-3 sm:grid-cols-3">
      {AD_TYPES.map((type) => (
        <OptionButton
          key={type}
          title={AD_KINDS[type].name}
          icon={LOOKS[type].icon}
          art={<Slot>{LOOKS[type].art}</Slot>}
          selected={type === value}
          disabled={!sold.includes(type)}
          onSelect={() => onChoose(type)}
        >
          {sold.includes(type) ? LOOKS[type].text : 'Not sold on this website'}
        </OptionButton>
      ))}
    </div>
  );
}

/** A sketch of the ad type, inside an empty ad zone. */
function Slot({ children }: { children: React.ReactNode }) {
  return (
    <span className="slot-frame grid place-items-center bg-canvas">
      <svg viewBox="40 16 160 68" aria-hidden="true" className="h-24 w-full max-sm:h-18">
        {children}
      </svg>
    </span>
  );
}
