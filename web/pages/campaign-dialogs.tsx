import { useState, type ReactNode } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import type { CampaignAct } from '#web/ads/campaign-menu.tsx';
import { AdShowingDialog } from '#web/delivery/ad-showing.tsx';
import { onDemand } from '#web/ui/late.tsx';

const WithdrawDialog = onDemand(
  'the dialog',
  'hidden',
  async () => (await import('#web/ads/withdraw-dialog.tsx')).WithdrawDialog,
);
const CancelDialog = onDemand(
  'the campaign',
  'hidden',
  async () => (await import('#web/ads/cancel-dialog.tsx')).CancelDialog,
);
const WithdrawAdDialog = onDemand(
  'the ad',
  'hidden',
  async () => (await import('#web/ads/withdraw-ad-dialog.tsx')).WithdrawAdDialog,
);
export const EditAd = onDemand('the ad', 'hidden', async () => (await import('./edit-ad.tsx')).EditAd);

/** The dialogs of a campaign: a function that opens one, and the open one. */
export function useCampaignDialogs(onDone?: () => void): [(ad: Ad, act: CampaignAct) => void, ReactNode] {
  const [open, setOpen] = useState<{ ad: Ad; act: CampaignAct }>();
  function close() {
    setOpen(undefined);
    onDone?.();
  }
  const dialog = open && <CampaignDialog {...open} onClose={close} />;
  return [(ad, act) => setOpen({ ad, act }), dialog];
}

function CampaignDialog({ ad, act, onClose }: { ad: Ad; act: CampaignAct; onClose: () => void }) {
  switch (act) {
    case 'resubmit':
    case 'correct':
      return <EditAd adRef={String(ad.id)} action={act} onClose={onClose} />;
    case 'withdraw':
      return <WithdrawAdDialog ad={ad} onClose={onClose} />;
    case 'remove-card':
      return <WithdrawDialog ad={ad} onClose={onClose} />;
    case 'cancel':
      return <CancelDialog ad={ad} onClose={onClose} />;
    case 'why':
      return <AdShowingDialog ad={ad} onClose={onClose} />;
  }
}
