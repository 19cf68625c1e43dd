import { ChartNoAxesColumn, LayoutTemplate, ShieldCheck } from 'lucide-react';
import { SlotScene } from '#web/ui/brand/slot-scene.tsx';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';

const BENEFITS = [
  {
    Icon: ChartNoAxesColumn,
    title: 'Real-time performance tracking',
    text: 'Impressions, clicks and earnings as they happen. Both sides see the same figures.',
  },
  {
    Icon: ShieldCheck,
    title: 'Secure payment processing',
    text: 'Our payment provider handles your card. You pay only for approved ads.',
  },
  {
    Icon: LayoutTemplate,
    title: 'Multiple ad formats',
    text: 'Text, image and video ads, priced per day, per impression or per click.',
  },
];

/** Shown beside the forms on wide screens. [AUTH-14] */
export function WelcomePanel() {
  return (
    <aside className="hidden flex-col justify-center gap-12 bg-deep p-12 text-on-deep lg:flex xl:p-16">
      <div className="grid gap-3">
        <p className="font-display text-3xl font-semibold tracking-tight">Welcome to {MARKETPLACE_NAME}</p>
        <p className="max-w-md text-lg text-on-deep-soft">
          The open marketplace where websites sell ad space and advertisers buy it.
        </p>
      </div>
      <SlotScene className="max-w-md" />
      <ul className="grid max-w-md gap-6">
        {BENEFITS.map(({ Icon, title, text }) => (
          <li key={title} className="flex gap-4">
            <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-on-deep-soft" />
            <div>
              <p className="font-medium">{title}</p>
              <p className="text-sm text-on-deep-soft">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </aside>
  );
}
