import { Clapperboard, Image, Type } from 'lucide-react';
import { AD_TYPE_NAMES, AD_TYPES, type AdType } from '#domain/ads/types.ts';
import { OptionButton } from '#web/ui/option-button.tsx';

const LOOKS: Record<AdType, { icon: React.ReactNode; text: string }> = {
  text: { icon: <Type aria-hidden="true" />, text: 'A title and a few words, readable everywhere' },
  image: { icon: <Image aria-hidden="true" />, text: 'Your own picture: JPG, PNG or GIF' },
  video: { icon: <Clapperboard aria-hidden="true" />, text: 'An MP4 of up to 30 seconds' },
};

type TypeStepProps = { value: AdType | null; onChoose: (type: AdType) => void };

export function TypeStep({ value, onChoose }: TypeStepProps) {
  return (
    <div role="group" aria-label="Ad type" className="grid gap-3 sm:grid-cols-3">
      {AD_TYPES.map((type) => (
        <OptionButton
          key={type}
          title={AD_TYPE_NAMES[type]}
          icon={LOOKS[type].icon}
          selected={type === value}
          onSelect={() => onChoose(type)}
        >
          {LOOKS[type].text}
        </OptionButton>
      ))}
    </div>
  );
}
