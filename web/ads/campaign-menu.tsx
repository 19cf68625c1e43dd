import {
  Ban,
  ChartColumn,
  CircleHelp,
  CreditCard,
  Ellipsis,
  Pause,
  Pencil,
  Play,
  Repeat2,
  Undo2,
} from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import { startsOn } from '#domain/ads/booking.ts';
import { canApply } from '#domain/ads/status.ts';
import { Button } from '#web/ui/button.tsx';
import { DropdownMenu, MenuButton, MenuLink } from '#web/ui/dropdown-menu.tsx';
import { useWhyNot } from '#web/ui/why-not.ts';

/** Acts for a campaign. Each opens a dialog, but for 'resume'. */
export type CampaignAct =
  | 'resubmit'
  | 'correct'
  | 'withdraw'
  | 'remove-card'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'why';

/** The wizard with this ad's creative and placement. It says so if the placement is no longer for sale. */
export function againAddress({ publicId, websitePublicId, adZonePublicId, productId, adType }: Ad): string {
  const choices = new URLSearchParams({
    again: publicId,
    website: websitePublicId,
    zone: adZonePublicId,
    type: adType,
    ...(productId !== null && { option: String(productId) }),
  });
  return `/create-ad?${choices.toString()}`;
}

/** Actions that an advertiser has for a campaign now. */
export function actsOf(ad: Ad, now: Date) {
  const { status, consent, paused, advertiserPause, withdrawnAt, takenDownReason } = ad;
  const mayPause = canApply('complete', status) && paused !== 'cancel';
  return {
    correct: canApply('correct', status),
    payWhenApproved:
      canApply('approve', status) &&
      (consent === null || consent.state === 'paid' || consent.state === 'withdrawn'),
    removeCard: (canApply('approve', status) || canApply('pay', status)) && consent?.state === 'active',
    withdraw: canApply('withdraw', status),
    similar: canApply('resubmit', status) && withdrawnAt === null,
    // Before its day, an ad is not expected to show.
    why: canApply('complete', status) && startsOn(ad, now) === null,
    again: status === 'completed' && takenDownReason === null,
    pause: mayPause && advertiserPause === null,
    resume: mayPause && advertiserPause !== null,
    cancel: canApply('complete', status) && paused !== 'dispute' && paused !== 'cancel',
  };
}

type CampaignMenuProps = {
  ad: Ad;
  now: Date;
  onAct: (act: CampaignAct) => void;
  /** On the campaign's own page, whose buttons are not repeated here. */
  isPage?: boolean;
};

/** Everything that its advertiser can do with a campaign; nothing if its page already shows it all. */
export function CampaignMenu({ ad, now, onAct, isPage = false }: CampaignMenuProps) {
  const mayChange = useWhyNot() === undefined;
  const can = actsOf(ad, now);
  if (isPage && !(mayChange && (can.payWhenApproved || can.removeCard || can.withdraw || can.cancel)))
    return null;
  return (
    <DropdownMenu
      trigger={
        <Button variant="quiet" size="tight" aria-label={`More for ${ad.title}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {!isPage && <Reads {...{ ad, can, onAct }} />}
      {mayChange && <Changes {...{ ad, can, onAct, isPage }} />}
    </DropdownMenu>
  );
}

type ItemsProps = Omit<CampaignMenuProps, 'now'> & { can: ReturnType<typeof actsOf> };

function Reads({ ad, can, onAct }: ItemsProps) {
  return (
    <>
      <MenuLink href={`/campaigns/${ad.publicId}`}>
        <ChartColumn aria-hidden="true" />
        {can.similar ? 'Similar ad zones' : 'Open campaign'}
      </MenuLink>
      {can.why && (
        <MenuButton onSelect={() => onAct('why')}>
          <CircleHelp aria-hidden="true" />
          Not showing?
        </MenuButton>
      )}
    </>
  );
}

function Changes({ ad, can, onAct, isPage }: ItemsProps) {
  return (
    <>
      {can.again && !isPage && (
        <MenuLink href={againAddress(ad)}>
          <Repeat2 aria-hidden="true" />
          Run again
        </MenuLink>
      )}
      {can.correct && !isPage && (
        <MenuButton onSelect={() => onAct('correct')}>
          <Pencil aria-hidden="true" />
          Edit ad
        </MenuButton>
      )}
      {can.payWhenApproved && (
        <MenuLink href={`/checkout/${ad.publicId}/on-approval`}>
          <CreditCard aria-hidden="true" />
          Pay when approved
        </MenuLink>
      )}
      {can.removeCard && (
        <MenuButton onSelect={() => onAct('remove-card')}>
          <CreditCard aria-hidden="true" />
          Remove card
        </MenuButton>
      )}
      {can.withdraw && (
        <MenuButton destructive onSelect={() => onAct('withdraw')}>
          <Undo2 aria-hidden="true" />
          Withdraw ad
        </MenuButton>
      )}
      {can.pause && !isPage && (
        <MenuButton onSelect={() => onAct('pause')}>
          <Pause aria-hidden="true" />
          Pause
        </MenuButton>
      )}
      {can.resume && !isPage && (
        <MenuButton onSelect={() => onAct('resume')}>
          <Play aria-hidden="true" />
          Resume
        </MenuButton>
      )}
      {can.cancel && (
        <MenuButton destructive onSelect={() => onAct('cancel')}>
          <Ban aria-hidden="true" />
          Cancel campaign
        </MenuButton>
      )}
    </>
  );
}
