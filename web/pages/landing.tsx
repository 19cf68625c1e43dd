import { ArrowRight } from 'lucide-react';
import { rememberWantedRole } from '#web/accounts/wanted-role.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { LandingFeatures } from './landing-features.tsx';
import { LandingPreview } from './landing-preview.tsx';
import { LandingScene } from './landing-scene.tsx';

const SIGN_UP = '/auth?tab=signup';

/** Tests prove each of these: the publisher's share, the size of the tag, no cookies, and the approval. */
const FACTS = [
  { figure: '85%', text: 'of every sale goes to the publisher' },
  { figure: '1.2 kB', text: 'for our whole tag, compressed' },
  { figure: '0', text: 'cookies set on your readers' },
  { figure: '100%', text: 'of ads are approved before they run' },
];

const SIDES = [
  {
    title: 'You have a website',
    steps: ['Add your website and an ad zone', 'Set your prices', 'Approve the ads you like and earn 85%'],
    action: 'Sell ad space',
  },
  {
    title: 'You want to advertise',
    steps: [
      'Find websites your audience reads',
      'Upload your ad and send it for approval',
      'Pay by card, and your ad goes live right away',
    ],
    action: 'Find a website',
  },
];

export default function LandingPage() {
  return (
    <>
      <Hero />
      <div className="mx-auto grid max-w-6xl gap-24 px-4 pb-20 sm:px-6 lg:gap-32">
        <dl className="grid grid-cols-2 gap-x-8 gap-y-8 border-b border-line pb-12 lg:grid-cols-4">
          {FACTS.map(({ figure, text }) => (
            <div key={figure} className="flex flex-col-reverse justify-end gap-1">
              <dt className="text-sm text-ink-soft">{text}</dt>
              <dd className="font-display text-3xl font-semibold text-accent">{figure}</dd>
            </div>
          ))}
        </dl>
        <LandingFeatures />
        <Sides />
        <LandingPreview signUp={SIGN_UP} />
        <section className="grid justify-items-start gap-5 rounded-card bg-deep p-8 text-on-deep sm:p-14">
          <h2 className="max-w-xl text-3xl font-semibold">Your next slot is open</h2>
          <p className="max-w-xl text-lg text-on-deep-soft">
            One account lets you buy and sell. Start with one side and add the other whenever you like.
          </p>
          <ButtonLink href={SIGN_UP} size="lg" variant="deep">
            Create a free account
          </ButtonLink>
        </section>
      </div>
    </>
  );
}

function Hero() {
  return (
    // The dark background ends above the bottom of the scene, which overlaps its edge.
    <section className="relative mb-16 lg:mb-20">
      <div aria-hidden="true" className="absolute inset-x-0 top-0 bottom-24 bg-deep" />
      <div className="relative mx-auto grid max-w-6xl items-center gap-12 px-4 pt-14 sm:px-6 lg:grid-cols-[1fr_1.08fr] lg:gap-16 lg:pt-20">
        <div className="grid gap-6 text-on-deep lg:pb-32">
          <h1 className="text-4xl font-semibold tracking-tight">Buy &amp; Sell Ad Space In Minutes</h1>
          <p className="max-w-xl text-lg text-on-deep-soft">
            Openslot connects websites that have space to sell with advertisers who want to be seen. Set up in
            about 5 minutes, no HTML knowledge needed.
          </p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink
              href={SIGN_UP}
              size="lg"
              variant="deep"
              className="max-sm:w-full"
              onClick={() => rememberWantedRole('seller')}
            >
              Start Selling Ad Space
            </ButtonLink>
            <ButtonLink
              href={SIGN_UP}
              size="lg"
              variant="deep-outline"
              className="max-sm:w-full"
              onClick={() => rememberWantedRole('buyer')}
            >
              Buy Traffic: Browse Sites
            </ButtonLink>
          </div>
          <p className="text-sm text-on-deep-soft">Free to join. Publishers keep 85% of every sale.</p>
        </div>
        <LandingScene />
      </div>
    </section>
  );
}

function Sides() {
  return (
    <section aria-labelledby="sides" className="grid gap-10">
      <h2 id="sides" className="text-3xl font-semibold">
        One market, two sides
      </h2>
      <div className="grid gap-6 md:grid-cols-2">
        {SIDES.map(({ title, steps, action }) => (
          <div key={title} className="slot-frame grid content-start gap-6 p-7 sm:p-10">
            <h3 className="text-xl font-semibold">{title}</h3>
            <ol className="grid gap-4">
              {steps.map((step, index) => (
                <li key={step} className="flex items-baseline gap-4 text-ink-soft">
                  <span className="w-5 font-display text-xl font-semibold text-accent">{index + 1}</span>
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
  );
}
