import { CircleCheck, Clock, Lock, Undo2 } from 'lucide-react';
import { useCallback, type ReactNode } from 'react';
import { consentText } from '#domain/payments/consents.ts';
import { messageOf } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { usePaymentsConfig } from './api.ts';
import { useConfirmConsent, useNewConsent, type Offer } from './consents-api.ts';

const StripeForm = onDemand(
  'the card form',
  'h-64',
  async () => (await import('./stripe-form.tsx')).StripeForm,
);
const SandboxForm = onDemand(
  'the card form',
  'h-64',
  async () => (await import('./sandbox-form.tsx')).SandboxForm,
);

type PayWhenApprovedProps = {
  offer: Offer;
  /** The link to what the card was saved for. */
  back: ReactNode;
};

/** The charges that the advertiser allows, and the card form. The sentence above the button is the one that we store. */
export function PayWhenApproved({ offer, back }: PayWhenApprovedProps) {
  const config = usePaymentsConfig();
  const confirm = useConfirmConsent();
  const isDone = confirm.isPending || confirm.isSuccess;
  const consent = useNewConsent(offer, { enabled: !isDone });
  const { mutate } = confirm;
  const id = consent.data?.id;
  const save = useCallback(() => id !== undefined && mutate(id), [id, mutate]);
  const words = wordsOf(offer);

  const saved = confirm.data ?? (consent.data?.state === 'active' ? consent.data : null);
  if (saved) {
    const last4 = saved.card?.last4 ?? '';
    return <Saved text={words.saved(`your card •••• ${last4}`)} back={back} />;
  }
  if (consent.error) {
    return (
      <EmptyState
        title="We couldn’t set this up"
        className="py-8"
        action={
          <Button variant="secondary" onClick={() => void consent.refetch()}>
            Try again
          </Button>
        }
      >
        {messageOf(consent.error, 'Please try again in a moment.')}
      </EmptyState>
    );
  }
  if (config.isError) return <LoadError what="the card form" onRetry={config.refetch} />;
  if (!consent.data?.clientSecret || !config.data) return <Skeleton className="h-96" />;
  const { provider, publishableKey, notice } = config.data;
  const form = {
    clientSecret: consent.data.clientSecret,
    total: offer.limit,
    onConfirmed: save,
    submitLabel: 'Allow and save card',
    notes: (
      <p className="text-sm text-ink-soft">{consentText({ ads: offer.ads.length, limit: words.limit })}</p>
    ),
  };
  return (
    <div className="grid gap-6">
      {notice && <Banner tone="warn">{notice}</Banner>}
      <Conditions words={words} />
      {confirm.isError && (
        <Banner
          tone="warn"
          title="Your card isn’t saved yet"
          action={
            <Button size="sm" onClick={save}>
              Try again
            </Button>
          }
        >
          {messageOf(confirm.error, 'We couldn’t confirm your card. Nothing was charged.')}
        </Banner>
      )}
      {provider === 'stripe' ? (
        <StripeForm {...form} publishableKey={publishableKey ?? ''} />
      ) : (
        <SandboxForm {...form} />
      )}
    </div>
  );
}

function Saved({ text, back }: { text: string; back: ReactNode }) {
  return (
    <div className="grid gap-4">
      <p role="status" className="flex items-start gap-2 font-medium text-good">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        {text}
      </p>
      {back}
    </div>
  );
}

/** The charges that the advertiser allows, and until when they can take that back. */
function Conditions({ words }: { words: ReturnType<typeof wordsOf> }) {
  return (
    <ul className="grid gap-2 text-sm">
      <Fact icon={<Lock aria-hidden="true" />}>
        At most <strong className="figures">{words.limit}</strong>
        {words.often}. Our payment provider stores your card.
      </Fact>
      <Fact icon={<Clock aria-hidden="true" />}>{words.when}</Fact>
      <Fact icon={<Undo2 aria-hidden="true" />}>
        You can remove the card on your dashboard or under Billing until the charge.
      </Fact>
    </ul>
  );
}

/** What is said about the charge of one ad, or about those of several. */
function wordsOf({ ads, approved, limit: amount }: Offer) {
  const limit = formatMoney(amount);
  if (ads.length === 1) {
    return approved === 1
      ? {
          limit,
          often: ', once',
          when: 'Your ad is approved, so we charge it right away.',
          saved: (card: string) => `We’re charging ${limit} to ${card}. Your ad goes live in a moment.`,
        }
      : {
          limit,
          often: ', once',
          when: 'We charge it when the publisher approves your ad. If they reject it, we charge nothing.',
          saved: (card: string) =>
            `Saved. When the publisher approves your ad, we charge ${limit} to ${card}, and it goes live.`,
        };
  }
  const now =
    approved === 0
      ? ''
      : ` ${approved === 1 ? 'One is' : `${approved} are`} approved, so we charge that now.`;
  return {
    limit,
    often: ` for ${ads.length} ads together`,
    when: `We charge each ad once, when its publisher approves it. If they reject it, we charge nothing for it.${now}`,
    saved: (card: string) =>
      `Saved. We charge each ad to ${card} when its publisher approves it, at most ${limit} together, and it goes live.${now}`,
  };
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-2 [&>svg]:mt-0.5 [&>svg]:size-4.5 [&>svg]:shrink-0 [&>svg]:text-ink-faint">
      {icon}
      <span>{children}</span>
    </li>
  );
}
