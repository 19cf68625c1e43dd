import {
  ArrowRight,
  BadgeCheck,
  ChartNoAxesColumn,
  Code,
  CreditCard,
  LayoutTemplate,
  Tag,
} from 'lucide-react';
import { ButtonLink } from '#web/ui/button.tsx';
import { SlotScene } from '#web/ui/slot-scene.tsx';
import { LandingPreview } from './landing-preview.tsx';

const SIGN_UP = '/auth?tab=signup';

const FEATURES = [
  {
    Icon: Code,
    title: 'Live in about 5 minutes',
    text: 'Name your website, choose a size, paste one snippet. No HTML knowledge needed.',
  },
  {
    Icon: Tag,
    title: 'Your space, your price',
    text: 'Per day, per impression or per click, with a price of its own for each kind of ad.',
  },
  {
    Icon: BadgeCheck,
    title: 'Nothing runs unseen',
    text: 'Publishers approve every ad before it goes live. A rejected ad comes back with the reason.',
  },
  {
    Icon: LayoutTemplate,
    title: 'Text, image and video',
    text: 'JPEG, GIF, PNG or MP4. Ads bring no code of their own, so pages stay fast and safe.',
  },
  {
    Icon: CreditCard,
    title: 'Pay once approved',
    text: 'Cards go to the payment provider and never to us. No approval, no charge.',
  },
  {
    Icon: ChartNoAxesColumn,
    title: 'Figures both sides trust',
    text: 'Impressions, clicks and earnings in real time. Only ads that were really seen are counted.',
  },
];

const SIDES = [
  {
    title: 'You have a website',
    steps: ['Add your website and an ad zone', 'Set your prices', 'Approve the ads you like, and earn 85%'],
    action: 'Open a slot',
  },
  {
    title: 'You have something to say',
    steps: [
      'Find websites your audience reads',
      'Upload your ad and send it for approval',
      'Pay by card, and it is live at once',
    ],
    action: 'Find a slot',
  },
];

export default function LandingPage() {
  return (
    <div className="mx-auto grid max-w-6xl gap-24 px-4 py-12 sm:px-6 lg:py-20">
      <section className="grid items-center gap-12 lg:grid-cols-[1.1fr_1fr]">
        <div className="grid gap-6">
          <h1 className="text-4xl font-semibold tracking-tight">Buy &amp; Sell Ad Space In Minutes</h1>
          <p className="max-w-xl text-lg text-ink-soft">
            Openslot brings websites with room to spare together with advertisers who want to be seen. Set up
            in about 5 minutes, no HTML knowledge needed.
          </p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink href={SIGN_UP} size="lg">
              Start Selling Ad Space
            </ButtonLink>
            <ButtonLink href={SIGN_UP} size="lg" variant="secondary">
              Buy Traffic: Browse Sites
            </ButtonLink>
          </div>
          <p className="text-sm text-ink-faint">Free to join. Publishers keep 85% of every sale.</p>
        </div>
        <div className="rounded-card bg-deep p-6 shadow-lift sm:p-10">
          <SlotScene />
        </div>
      </section>

      <section aria-labelledby="features" className="grid gap-8">
        <h2 id="features" className="max-w-2xl text-2xl font-semibold">
          Everything between an empty place and a paid one
        </h2>
        <ul className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
          {FEATURES.map(({ Icon, title, text }) => (
            <li key={title} data-testid="feature-card" className="grid content-start gap-2 bg-surface p-6">
              <Icon aria-hidden="true" className="mb-1 size-5 text-accent" />
              <h3 className="font-semibold">{title}</h3>
              <p className="text-sm text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
      </section>

      <section aria-labelledby="sides" className="grid gap-8">
        <h2 id="sides" className="text-2xl font-semibold">
          One market, two sides
        </h2>
        <div className="grid gap-6 md:grid-cols-2">
          {SIDES.map(({ title, steps, action }) => (
            <div key={title} className="slot-frame grid content-start gap-5 p-7 sm:p-8">
              <h3 className="text-lg font-semibold">{title}</h3>
              <ol className="grid gap-3">
                {steps.map((step, index) => (
                  <li key={step} className="flex items-baseline gap-3 text-ink-soft">
                    <span className="figures text-sm font-semibold text-accent">{index + 1}</span>
                    {step}
                  </li>
                ))}
              </ol>
              <ButtonLink href={SIGN_UP} variant="link" className="justify-self-start">
                {action}
                <ArrowRight aria-hidden="true" />
              </ButtonLink>
            </div>
          ))}
        </div>
      </section>

      <LandingPreview signUp={SIGN_UP} />

      <section className="grid justify-items-start gap-5 rounded-card bg-deep p-8 text-on-deep sm:p-12">
        <h2 className="max-w-xl text-2xl font-semibold">Your next slot is open</h2>
        <p className="max-w-xl text-on-deep-soft">
          One account buys and sells. Choose a side today, and the other one whenever you like.
        </p>
        <ButtonLink href={SIGN_UP} size="lg" variant="lit">
          Create a free account
        </ButtonLink>
      </section>
    </div>
  );
}
