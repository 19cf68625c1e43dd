import type { ReactNode } from 'react';
import type { User } from '#domain/accounts/contract.ts';
import { MEMBER_ROLE_NAMES, MEMBER_ROLE_WORDS, type MemberRole } from '#domain/accounts/members.ts';
import { useSwitchAccount } from '#web/accounts/members-api.ts';
import { mayDo } from '#web/accounts/membership.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { WhyNot } from '#web/ui/why-not.ts';
import { useRouteEntry } from './routes.ts';
import { useTitle } from '#web/ui/title.ts';

const whyNot = (role: MemberRole) =>
  `Your role, ${MEMBER_ROLE_NAMES[role]}, doesn’t let you change anything. Ask an owner of the account.`;

export type MemberFrameProps = {
  user: User;
  membership: NonNullable<User['membership']>;
  children: ReactNode;
};

/** Says for whom the person acts, and explains a page that their role doesn't let them use. */
export default function MemberFrame({ user, membership, children }: MemberFrameProps) {
  const { role, account } = membership;
  const change = useSwitchAccount();
  const entry = useRouteEntry();
  const needs = entry?.needs ?? 'nothing';
  const isOpen = needs === 'nothing' || needs === 'sign-in' || mayDo(user, needs);
  return (
    <>
      <section aria-label="For whom you act" className="border-b border-line bg-accent-soft">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm sm:px-6">
          <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
            You act for <bdi className="font-semibold">{account}</bdi> as {MEMBER_ROLE_NAMES[role]}: you can{' '}
            {MEMBER_ROLE_WORDS[role]}.
          </p>
          <Button
            variant="secondary"
            size="sm"
            busy={change.isPending || change.isSuccess}
            onClick={() => change.mutate(null)}
          >
            Back to yourself
          </Button>
        </div>
      </section>
      {!isOpen ? (
        <Closed role={role} />
      ) : (
        <WhyNot value={mayDo(user, 'change') ? undefined : whyNot(role)}>{children}</WhyNot>
      )}
    </>
  );
}

const CLOSED = 'Your role doesn’t let you use this page';

function Closed({ role }: { role: MemberRole }) {
  useTitle(CLOSED);
  return (
    <Page narrow>
      <PageHeader
        title={CLOSED}
        description={`In this account you can ${MEMBER_ROLE_WORDS[role]}. Ask an owner of the account for another role.`}
      />
      <ButtonLink href="/" variant="secondary" className="justify-self-start">
        Go to Home
      </ButtonLink>
    </Page>
  );
}
