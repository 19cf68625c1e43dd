import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { calls } from '#domain/calls.ts';
import type { LeftBehind as Left, LeftKind } from '#domain/payments/left-behind.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import type { ConfirmedAmount } from '../api.ts';

const KINDS: Record<LeftKind, { name: string; step: string; link?: { href: string; label: string } }> = {
  campaign: {
    name: 'Running campaigns',
    step: 'Cancel your own, or wait until they have ended. Those on your ad zones end by themselves.',
    link: { href: '/dashboard', label: 'Go to Dashboard' },
  },
  earnings: {
    name: 'Earnings that aren’t paid out yet',
    step: 'Pay them out to your bank account. Earnings shows which amounts are pending or on hold, and until when. If we can’t pay into your country, you can give them up.',
    link: { href: '/earnings', label: 'Go to Earnings' },
  },
  dispute: {
    name: 'Disputed payments',
    step: 'The cardholder’s bank decides. This can take some weeks, and we e-mail you the result.',
  },
  refund: {
    name: 'Refunds on their way',
    step: 'They reach your card by themselves within a few days. Billing shows when they have.',
    link: { href: '/billing', label: 'Go to Billing' },
  },
  debt: {
    name: 'What you owe',
    step: 'A bank has taken back a payment whose earnings we had paid out to you. Later earnings settle this, or pay it to the marketplace; ask us how. You can also delete your account and keep owing it.',
  },
};

type LeftBehindProps = {
  /** Why the account was not deleted. */
  error: unknown;
  busy: boolean;
  /** Deletes the account, once the user has agreed to the amount. */
  onConfirm: (confirmed: ConfirmedAmount) => void;
};

/** The open amounts that kept the account from being deleted, and how to clear each of them. [GONE-01] */
export function LeftBehind({ error, busy, onConfirm }: LeftBehindProps) {
  const left = leftOf(error);
  if (left.length === 0) return null;
  return (
    <Card aria-label="Before you can delete your account" role="status">
      <CardHeader
        title="Before you can delete your account"
        description="We haven’t deleted anything, because these amounts are still open. Clear each of them, then try again."
      />
      <ul className="mt-4 divide-y divide-line border-y border-line text-sm">
        {left.map(({ kind, amount, currency }) => {
          const { name, step, link } = KINDS[kind];
          return (
            <li key={`${kind} ${currency}`} className="grid gap-1 py-3">
              <p className="flex justify-between gap-4 font-medium">
                {name} <span className="figures">{formatMoney(amount)}</span>
              </p>
              <p className="text-ink-soft">
                {step}{' '}
                {link && (
                  <ButtonLink href={link.href} variant="link">
                    {link.label}
                  </ButtonLink>
                )}
              </p>
              {kind === 'earnings' && (
                <div className="mt-1 flex flex-wrap items-start gap-3">
                  <PayOutLast />
                  {left.length === 1 && <GiveUp amount={amount} busy={busy} onConfirm={onConfirm} />}
                </div>
              )}
              {kind === 'debt' && left.length === 1 && (
                <KeepOwing amount={amount} busy={busy} onConfirm={onConfirm} />
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Pays out what is available, however little it is, because the account is to be deleted. [GONE-04] */
function PayOutLast() {
  const payOut = useMutation({ mutationFn: () => call(calls.requestPayout, { body: { final: true } }) });
  return (
    <div aria-live="polite" className="grid gap-2">
      {payOut.isSuccess ? (
        <p className="text-good">
          {formatMoney(payOut.data.amount)} is on its way to your bank account. You can delete your account in
          a minute.
        </p>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          busy={payOut.isPending}
          onClick={() => payOut.mutate()}
        >
          Pay out available earnings
        </Button>
      )}
      {payOut.isError && (
        <p className="text-bad">{messageOf(payOut.error, 'Nothing was paid out. Please try again.')}</p>
      )}
    </div>
  );
}

/** Deletes the account without its earnings, once the user has agreed to the amount. [GONE-06] */
function GiveUp({ amount, busy, onConfirm }: AmountProps) {
  const money = formatMoney(amount);
  return (
    <ConfirmAmount verb={`Give up ${money}`} busy={busy} onConfirm={() => onConfirm({ waive: amount })}>
      You have earned {money} that we haven’t paid out to you. If you give it up, the marketplace keeps it,
      and we can’t pay it to you later.
    </ConfirmAmount>
  );
}

/** Deletes the account of a person who goes on owing money. [GONE-07] */
function KeepOwing({ amount, busy, onConfirm }: AmountProps) {
  const money = formatMoney(amount);
  return (
    <ConfirmAmount verb={`Keep owing ${money}`} busy={busy} onConfirm={() => onConfirm({ owing: amount })}>
      You will still owe {money}. We keep your name, address and e-mail address until it is paid.
    </ConfirmAmount>
  );
}

type AmountProps = { amount: string } & Pick<LeftBehindProps, 'busy' | 'onConfirm'>;

/** `verb` names what the user agrees to, on the button and in the question. `children` say what follows from it. */
function ConfirmAmount({
  verb,
  busy,
  onConfirm,
  children,
}: {
  verb: string;
  busy: boolean;
  onConfirm: () => void;
  children: ReactNode;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="destructive" size="sm" className="justify-self-start" onClick={() => setAsking(true)}>
        {verb}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`${verb} and delete your account?`}
        confirmLabel={`${verb} and delete`}
        destructive
        busy={busy}
        onConfirm={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {children} Your account, websites, ad zones, settings and images are deleted. You can’t undo this.
      </ConfirmDialog>
    </>
  );
}

function leftOf(error: unknown): Left {
  if (!(error instanceof RequestError) || error.status !== 409) return [];
  return (error.body as { left?: Left } | null)?.left ?? [];
}
