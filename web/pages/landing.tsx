import { type ComponentType, useEffect, useState } from 'react';
import { ButtonLink } from '#web/ui/button.tsx';
import { LandingFeatures } from './landing-features.tsx';
import { LandingPreview } from './landing-preview.tsx';
import { LandingScene } from './landing-scene.tsx';
import { EARNED, MARKETPLACE_NAME, SETTINGS } from '#web/ui/format/settings.ts';

const SIGN_UP = '/auth?tab=signup';

/** Tests prove each of these: the publisher's share, the size of the tag, no cookies, and the approval. */
const FACTS = [
  { figure: `${EARNED}%`, text: 'of every sale goes to the publisher' },
  { figure: '1.2 kB', text: 'for our whole tag, compressed' },
  { figure: '0', text: 'cookies set on your readers' },
  { figure: '100%', text: 'of ads are approved before they run' },
];

export default function LandingPage() {
  return (
    <>
      <Hero />
      <div className="mx-auto grid max-w-6xl gap-14 px-4 pb-16 sm:px-6 lg:gap-16">
        <dl className="grid grid-cols-2 gap-x-8 gap-y-8 lg:grid-cols-4">
          {FACTS.map(({ figure, text }) => (
            <div key={figure} className="flex flex-col-reverse justify-end gap-1">
              <dt className="text-sm text-ink-soft">{text}</dt>
              <dd className="font-display text-3xl font-semibold text-accent">{figure}</dd>
            </div>
          ))}
        </dl>
        <LandingFeatures />
        <LandingPreview signUp={SIGN_UP} />
        <section className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5 rounded-card bg-deep p-8 text-on-deep sm:px-12">
          <div className="grid gap-1.5">
            <h2 className="text-2xl font-semibold">Open your first ad zone, or book one</h2>
            <p className="text-on-deep-soft">One account lets you buy and sell.</p>
          </div>
          <ButtonLink href={SIGN_UP} size="lg" variant="deep">
            Create a free account
          </ButtonLink>
        </section>
      </div>
      <LateFirstSteps />
    </>
  );
}

/** Only an installation without accounts loads and shows them. */
function LateFirstSteps() {
  const [FirstSteps, setFirstSteps] = useState<ComponentType>();
  useEffect(() => {
    if (SETTINGS?.hasAccounts !== false) return;
    const load = async () => {
      const module = await import('./landing-first-start.tsx').catch(() => null);
      if (module) setFirstSteps(() => module.FirstSteps);
    };
    void load();
  }, []);
  return FirstSteps ? <FirstSteps /> : null;
}

function Hero() {
  return (
    // The dark background ends above the bottom of the scene, which overlaps its edge.
    <section className="relative mb-14">
      <div aria-hidden="true" className="absolute inset-x-0 top-0 bottom-24 bg-deep" />
      <div className="relative mx-auto grid max-w-6xl items-center gap-12 px-4 pt-14 sm:px-6 lg:grid-cols-[1fr_1.08fr] lg:gap-16 lg:pt-20">
        <div className="grid gap-6 text-on-deep lg:pb-32">
          <h1 className="text-4xl font-semibold tracking-tight">Buy &amp; Sell Ad Space In Minutes</h1>
          <p className="max-w-xl text-lg text-on-deep-soft">
            {MARKETPLACE_NAME} connects websites that have space to sell with advertisers who want to be seen.
            Set up in about 5 minutes, no HTML knowledge needed.
          </p>
          <div className="flex flex-wrap gap-3">
            <ButtonLink href={`${SIGN_UP}#sell`} size="lg" variant="deep" className="max-sm:w-full">
              Start Selling Ad Space
            </ButtonLink>
            <ButtonLink href={`${SIGN_UP}#buy`} size="lg" variant="deep-outline" className="max-sm:w-full">
              Buy Traffic: Browse Sites
            </ButtonLink>
          </div>
          <p className="text-sm text-on-deep-soft">
            Free to join. Publishers keep {EARNED}% of every sale.{' '}
            {/* A page that the server renders, so this is no link of the application's router. */}
            <a
              href="/sites"
              className="rounded-tight font-medium text-on-deep underline underline-offset-4 no-catalogue:hidden"
            >
              See sites and prices first
            </a>
          </p>
        </div>
        <LandingScene />
      </div>
    </section>
  );
}
