import { useRef, useState, type FormEvent } from 'react';
import type { AccountMember } from '#domain/accounts/members-contract.ts';
import {
  FOUNDER,
  INVITATION_DAYS,
  MEMBER_ROLE_NAMES,
  MEMBER_ROLE_WORDS,
  MEMBER_ROLES,
  type MemberRole,
} from '#domain/accounts/members.ts';
import { messageOf } from '#web/http/request-error.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { EmailInput } from '#web/ui/forms/input.tsx';
import { Select } from '#web/ui/forms/select.tsx';
import { formatDate } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useChangeMember, useInviteMember, useMembers, useRemoveMember } from '../members-api.ts';

const ROLES = MEMBER_ROLES.map((value) => ({ value, label: MEMBER_ROLE_NAMES[value] }));

/** Lists, invites, changes and removes the members of the account. */
export function MembersSettings() {
  return (
    <div className="grid gap-6">
      <Invite />
      <Members />
    </div>
  );
}

function Invite() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('read');
  const invite = useInviteMember();
  function submit(event: FormEvent) {
    event.preventDefault();
    invite.mutate({ email, role }, { onSuccess: () => setEmail('') });
  }
  return (
    <Card>
      <CardHeader
        title="Invite somebody"
        description={`We e-mail a link that works for ${INVITATION_DAYS} days. They sign in with their own account and then act for yours.`}
      />
      <form
        noValidate
        className="mt-5 grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem_auto] sm:items-start"
        onSubmit={submit}
      >
        <Field
          label="Email address"
          error={
            invite.isError
              ? messageOf(invite.error, 'We couldn’t send the invitation. Please try again.')
              : undefined
          }
        >
          <EmailInput
            autoComplete="off"
            value={email}
            onChange={({ target }) => {
              setEmail(target.value);
              invite.reset();
            }}
          />
        </Field>
        <Field label="Role" hint={`Can ${MEMBER_ROLE_WORDS[role]}.`}>
          <Select
            options={ROLES}
            value={role}
            onChange={({ target }) => setRole(target.value as MemberRole)}
          />
        </Field>
        <Button type="submit" busy={invite.isPending} className="sm:mt-7">
          Invite
        </Button>
      </form>
    </Card>
  );
}

function Members() {
  const { data: members, isError, refetch } = useMembers();
  const [removing, setRemoving] = useState<AccountMember>();
  const remove = useRemoveMember();
  const list = useRef<HTMLUListElement>(null);
  return (
    <Card>
      <CardHeader
        title="Members"
        description={
          members?.length === 1
            ? 'Only you so far. Invite a colleague, an agency or a bookkeeper above.'
            : 'A change of a role, or a removal, is in force at once.'
        }
      />
      {isError ? (
        <LoadError what="the members" onRetry={refetch} />
      ) : members ? (
        <ul ref={list} tabIndex={-1} aria-label="Members" className="mt-4 divide-y divide-line outline-none">
          {members.map((member) => (
            <Row key={member.id} member={member} onRemove={() => setRemoving(member)} />
          ))}
        </ul>
      ) : (
        <Skeleton className="mt-5 h-16" />
      )}
      {removing && (
        <RemoveDialog
          member={removing}
          busy={remove.isPending}
          onClose={() => setRemoving(undefined)}
          onConfirm={() =>
            remove.mutate(removing.id, {
              onSettled: () => setRemoving(undefined),
              // The pressed button disappears with its row, so the focus moves to the list.
              onSuccess: () => list.current?.focus(),
            })
          }
        />
      )}
    </Card>
  );
}

function Row({ member, onRemove }: { member: AccountMember; onRemove: () => void }) {
  const { id, name, email, role, isYou, invitedUntil } = member;
  const change = useChangeMember();
  const label = name ?? email;
  const removal = invitedUntil === null ? 'Remove' : 'Withdraw';
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <span className="grid min-w-0 flex-1 basis-48 justify-items-start gap-0.5 wrap-anywhere">
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="font-medium">{label}</bdi>
          {isYou && <Badge tone="good">You</Badge>}
        </span>
        {name !== null && <bdi className="text-xs text-ink-faint">{email}</bdi>}
        {invitedUntil !== null && (
          <span className="text-xs text-ink-faint">Invited, works until {formatDate(invitedUntil)}</span>
        )}
      </span>
      {id === FOUNDER ? (
        <span className="text-ink-soft">Founder, always an owner</span>
      ) : (
        <span className="flex flex-wrap items-center gap-2">
          <Select
            aria-label={`Role of ${label}`}
            className="w-36"
            options={ROLES}
            value={change.isPending ? change.variables.role : role}
            disabled={change.isPending}
            onChange={({ target }) => change.mutate({ id, role: target.value as MemberRole })}
          />
          <Button variant="secondary" size="sm" aria-label={`${removal}: ${label}`} onClick={onRemove}>
            {removal}
          </Button>
        </span>
      )}
    </li>
  );
}

type RemoveDialogProps = { member: AccountMember; busy: boolean; onClose: () => void; onConfirm: () => void };

function RemoveDialog({ member: { name, email, invitedUntil }, onClose, ...rest }: RemoveDialogProps) {
  const label = <bdi>{name ?? email}</bdi>;
  if (invitedUntil !== null)
    return (
      <ConfirmDialog
        open
        onOpenChange={onClose}
        title="Withdraw the invitation?"
        confirmLabel="Withdraw"
        destructive
        {...rest}
      >
        The link that we e-mailed to {label} stops working.
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Remove this member?"
      confirmLabel="Remove"
      destructive
      {...rest}
    >
      {label} can’t act for this account from now on. What they did stays.
    </ConfirmDialog>
  );
}
