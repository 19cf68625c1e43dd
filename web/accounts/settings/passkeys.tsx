import { useRef, useState } from 'react';
import { KeyRound } from 'lucide-react';
import type { Passkey } from '#domain/accounts/contract.ts';
import { MAX_PASSKEYS } from '#domain/accounts/passkeys.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatAgo } from '#web/ui/format/ago.ts';
import { formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useAddPasskey, usePasskeys, useRemovePasskey } from '../passkey-api.ts';
import { canUsePasskeys } from '../webauthn.ts';
import { MARKETPLACE_NAME } from '#web/ui/format/settings.ts';

const RenameForm = onDemand(
  'the form',
  'h-40',
  async () => (await import('./rename-passkey-form.tsx')).RenamePasskeyForm,
);

/** The user's passkeys: add, rename and remove them. */
export function PasskeySettings() {
  const { data: passkeys, dataUpdatedAt, isError, refetch } = usePasskeys();
  const add = useAddPasskey();
  const [renaming, setRenaming] = useState<Passkey>();
  const [removing, setRemoving] = useState<Passkey>();
  const list = useRef<HTMLUListElement>(null);
  const isPossible = canUsePasskeys();

  return (
    <Card>
      <CardHeader
        title="Passkeys"
        description="Sign in with your fingerprint, face or device PIN. A passkey replaces your password and code, and can't be phished."
        actions={
          isPossible &&
          passkeys !== undefined &&
          passkeys.length < MAX_PASSKEYS && (
            <Button variant="secondary" busy={add.isPending} onClick={() => add.mutate()}>
              Add a passkey
            </Button>
          )
        }
      />
      {!isPossible && (
        <p className="mt-4 text-sm text-ink-soft">
          This browser can&apos;t use passkeys at this address. Open {MARKETPLACE_NAME} in a current browser,
          by its domain name instead of an IP address.
        </p>
      )}
      {isError ? (
        <LoadError what="your passkeys" onRetry={refetch} />
      ) : passkeys === undefined ? (
        <Skeleton className="mt-5 h-16" />
      ) : passkeys.length === 0 ? (
        isPossible && <p className="mt-4 text-sm text-ink-soft">You don&apos;t have a passkey yet.</p>
      ) : (
        <ul ref={list} tabIndex={-1} aria-label="Passkeys" className="mt-4 divide-y divide-line outline-none">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              now={new Date(dataUpdatedAt)}
              onRename={() => setRenaming(passkey)}
              onRemove={() => setRemoving(passkey)}
            />
          ))}
        </ul>
      )}
      <Dialog
        open={renaming !== undefined}
        onOpenChange={() => setRenaming(undefined)}
        title="Rename passkey"
        width="sm"
      >
        {renaming && <RenameForm passkey={renaming} onClose={() => setRenaming(undefined)} />}
      </Dialog>
      <RemovePasskey
        passkey={removing}
        hasOthers={passkeys?.length !== 1}
        onClose={() => setRemoving(undefined)}
        // The pressed button disappears with its row, so the focus moves to the list.
        onRemoved={() => list.current?.focus()}
      />
    </Card>
  );
}

type RemovePasskeyProps = {
  /** Undefined: the dialog is closed. */
  passkey: Passkey | undefined;
  hasOthers: boolean;
  onClose: () => void;
  onRemoved: () => void;
};

function RemovePasskey({ passkey, hasOthers, onClose, onRemoved }: RemovePasskeyProps) {
  const remove = useRemovePasskey();
  return (
    <ConfirmDialog
      open={passkey !== undefined}
      onOpenChange={onClose}
      title={`Remove “${passkey?.name ?? ''}”?`}
      confirmLabel="Remove"
      destructive
      busy={remove.isPending}
      onConfirm={() => passkey && remove.mutate(passkey.id, { onSettled: onClose, onSuccess: onRemoved })}
    >
      It no longer signs you in. Your password{hasOthers && ' and your other passkeys'} still will. Delete it
      on your device, too.
    </ConfirmDialog>
  );
}

type PasskeyRowProps = { passkey: Passkey; now: Date; onRename: () => void; onRemove: () => void };

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, now, onRename, onRemove }: PasskeyRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4 last:pb-0">
      <KeyRound aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-xs text-ink-faint">
          {lastUsedAt === null ? 'Not used yet' : `Last used ${formatAgo(lastUsedAt, now)}`}
          <span className="block">Added {formatDateTime(createdAt)}</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onRename}>
          Rename
          <span className="sr-only">
            {' '}
            <bdi>{name}</bdi>
          </span>
        </Button>
        <Button variant="secondary" size="sm" onClick={onRemove}>
          Remove
          <span className="sr-only">
            {' '}
            <bdi>{name}</bdi>
          </span>
        </Button>
      </div>
    </li>
  );
}
