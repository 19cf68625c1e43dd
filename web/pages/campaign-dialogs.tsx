import { useState, type ReactNode } from 'react';
import type { Ad } from '#domain/ads/contract.ts';
import type { CampaignAct } from '#web/ads/campaign-menu.tsx';
import { useResumeAd } from '#web/ads/pause-api.ts';
import { AdShowingDialog } from '#web/delivery/ad-showing.tsx';
import { onDemand } from '#web/ui/late.tsx';

const WithdrawDialog = onDemand(
  'the dialog',
  'hidden',
  async () => (await import('#web/ads/withdraw-dialog.tsx')).WithdrawDialog,
);
const PauseDialog = onDemand(
  'the campaign',
  'hidden',
  async () => (await import('#web/ads/pause-dialog.tsx')).PauseDialog,
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

type Opening = Exclude<CampaignAct, 'resume'>;

/** The acts for a campaign: a function that does one or opens its dialog, and the open dialog. */
export function useCampaignDialogs(onDone?: () => void): [(ad: Ad, act: CampaignAct) => void, ReactNode] {
  const [open, setOpen] = useState<{ ad: Ad; act: Opening }>();
  const resume = useResumeAd();
  function close() {
    setOpen(undefined);
    onDone?.();
  }
  const dialog = open && <CampaignDialog {...open} onClose={close} />;
  function onAct(ad: Ad, act: CampaignAct) {
    if (act === 'resume') resume.mutate(ad, { onSettled: onDone });
    else setOpen({ ad, act });
  }
  return [onAct, dialog];
}

function CampaignDialog({ ad, act, onClose }: { ad: Ad; act: Opening; onClose: () => void }) {
  switch (act) {
    case 'resubmit':
    case 'correct':
      return <EditAd adRef={String(ad.id)} action={act} onClose={onClose} />;
    case 'withdraw':
      return <WithdrawAdDialog ad={ad} onClose={onClose} />;
    case 'remove-card':
      return <WithdrawDialog ad={ad} onClose={onClose} />;
    case 'pause':
      return <PauseDialog ad={ad} onClose={onClose} />;
    case 'cancel':
      return <CancelDialog ad={ad} onClose={onClose} />;
    case 'why':
      return <AdShowingDialog ad={ad} onClose={onClose} />;
  }
}
