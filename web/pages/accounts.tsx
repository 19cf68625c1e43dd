import { useState } from 'react';
import { useSearch } from 'wouter';
import type { Account } from '#domain/accounts/members-contract.ts';
import { MEMBER_ROLE_NAMES } from '#domain/accounts/members.ts';
import { useAccounts, useLeaveAccount, useSwitchAccount } from '#web/accounts/members-api.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The accounts that the person can act for: switching between them, and leaving one. */
export default function AccountsPage() {
  const { data: accounts, isError, refetch } = useAccounts();
  const wasRemoved = new URLSearchParams(useSearch()).has('removed');
  return (
    <Page narrow>
      <PageHeader title="Your accounts" description="Choose for whom you act in this browser." />
      {wasRemoved && (
        <Banner tone="warn" title="You’re no longer a member of that account">
          An owner removed you, or the account was deleted. You’re in your own account again. What you were
          doing was not saved.
        </Banner>
      )}
      <Card>
        {isError ? (
          <LoadError what="your accounts" onRetry={refetch} />
        ) : accounts ? (
          <ul aria-label="Accounts" className="divide-y divide-line">
            {accounts.map((account) => (
              <Row key={account.id} account={account} />
            ))}
          </ul>
        ) : (
          <Skeleton className="h-16" />
        )}
        {accounts?.length === 1 && (
          <div className="mt-4 grid justify-items-start gap-3 text-sm text-ink-soft">
            <p>
              You’re a member of no other account. An owner can invite you by mail, and you can invite others
              to yours.
            </p>
            <ButtonLink href="/settings?tab=members" variant="secondary" size="sm">
              Invite somebody
            </ButtonLink>
          </div>
        )}
      </Card>
    </Page>
  );
}

function Row({ account: { id, name, role, isCurrent } }: { account: Account }) {
  const [isAsked, setAsked] = useState(false);
  const change = useSwitchAccount();
  const leave = useLeaveAccount();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm first:pt-0 last:pb-0">
      <span className="grid min-w-0 flex-1 basis-48 justify-items-start gap-0.5 wrap-anywhere">
        <bdi className="font-medium">{name}</bdi>
        <span className="text-xs text-ink-faint">
          {id === null ? 'Your own account' : MEMBER_ROLE_NAMES[role]}
        </span>
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {isCurrent ? (
          <Badge tone="good">You act for it now</Badge>
        ) : (
          <Button
            variant="secondary"
            size="sm"
            aria-label={id === null ? 'Back to yourself' : `Act for it: ${name}`}
            busy={change.isPending || change.isSuccess}
            onClick={() => change.mutate(id)}
          >
            {id === null ? 'Back to yourself' : 'Act for it'}
          </Button>
        )}
        {id !== null && (
          <Button variant="quiet" size="sm" aria-label={`Leave ${name}`} onClick={() => setAsked(true)}>
            Leave
          </Button>
        )}
      </span>
      {isAsked && id !== null && (
        <ConfirmDialog
          open
          onOpenChange={setAsked}
          title="Leave this account?"
          confirmLabel="Leave"
          destructive
          busy={leave.isPending || leave.isSuccess}
          onConfirm={() => leave.mutate(id, { onError: () => setAsked(false) })}
        >
          You can’t act for <bdi>{name}</bdi> any more. To come back, you need a new invitation.
        </ConfirmDialog>
      )}
    </li>
  );
}
