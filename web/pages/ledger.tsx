import { useParams, useSearchParams } from 'wouter';
import { LEDGER_SIDES, type LedgerSide } from '#domain/payments/ledger-sides.ts';
import { Days } from '#web/ads/days.tsx';
import { AdLedger } from '#web/payments/ad-ledger.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';

const daysOf = (adRef: string, side: LedgerSide) => (
  <Days adRef={adRef} side={side === 'buyer' ? 'advertiser' : 'publisher'} />
);

export default function AdLedgerPage() {
  const { ref = '' } = useParams();
  const [search] = useSearchParams();
  const side = LEDGER_SIDES.find((each) => each === search.get('side'));
  return (
    <Page>
      <PageHeader
        title="Every cent of this ad"
        description="How we calculate each amount, and why some units weren’t counted. We post new entries every hour."
      />
      <AdLedger key={`${ref} ${side}`} adRef={ref} side={side} daysOf={daysOf} />
    </Page>
  );
}
