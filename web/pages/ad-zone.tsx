import { useParams } from 'wouter';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useZoneFigures } from '#web/analytics/zone-figures.ts';
import type { ZonePageParts } from '#web/inventory/my-zones/zone-parts.ts';
import { ZonePage } from '#web/inventory/zone-page/zone-page.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page } from '#web/ui/page.tsx';
import { PARTS } from './zone-parts.tsx';

const AboutPrices = onDemand(
  'what past sales say',
  'hidden',
  async () => (await import('#web/analytics/results/price-trials.tsx')).PriceTrials,
);
const AboutVisitors = onDemand(
  'the figures',
  'h-40',
  async () => (await import('./results/about-visitors.tsx')).AboutVisitors,
);

const PAGE_PARTS: Omit<ZonePageParts, 'figuresOf'> = {
  ...PARTS,
  renderAboutPrices: (zone) => <AboutPrices zone={zone.publicId} />,
  renderAboutVisitors: (zone, website) => <AboutVisitors zone={zone.publicId} website={website.publicId} />,
};

/** One ad zone of the publisher, with an address of its own. */
export default function AdZonePage() {
  const { publicId = '' } = useParams();
  const figuresOf = useZoneFigures(useSignedInUser().timezone, publicId);
  return (
    <Page>
      <ZonePage key={publicId} publicId={publicId} parts={{ ...PAGE_PARTS, figuresOf }} />
    </Page>
  );
}
