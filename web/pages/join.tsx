import { useSearch } from 'wouter';
import { MEMBER_ROLE_NAMES, MEMBER_ROLE_WORDS } from '#domain/accounts/members.ts';
import { useCurrentUser } from '#web/accounts/current-user.ts';
import { useInvitation, useJoinAccount, useSwitchAccount } from '#web/accounts/members-api.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The page behind the link of an invitation. Scanners of mail open links, so only its button accepts. */
export default function JoinPage() {
  const search = useSearch();
  const token = new URLSearchParams(search).get('token') ?? '';
  const { user } = useCurrentUser();
  return (
    <Page narrow>
      <PageHeader title="Join an account" />
      <Card className="grid justify-items-start gap-4">
        {token === '' ? (
          <p>This link is incomplete. Copy the whole link from the email, then open it again.</p>
        ) : user ? (
          // While the person acts for an account, the page knows their name and no address of theirs.
          <Join token={token} signedInAs={user.membership?.person ?? user.email} />
        ) : (
          <SignInFirst here={`/join?${search}`} />
        )}
      </Card>
    </Page>
  );
}

function SignInFirst({ here }: { here: string }) {
  const back = encodeURIComponent(here);
  return (
    <>
      <p>
        Sign in or sign up with the address to which we sent the invitation. You come back to this page and
        join.
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href={`/auth?return=${back}`}>Sign in</ButtonLink>
        <ButtonLink href={`/auth?tab=signup&return=${back}`} variant="secondary">
          Sign up
        </ButtonLink>
      </div>
    </>
  );
}

function Join({ token, signedInAs }: { token: string; signedInAs: string }) {
  const join = useJoinAccount();
  const change = useSwitchAccount();
  if (join.isSuccess) {
    const { account, name, role } = join.data;
    return (
      <>
        <Banner
          tone="good"
          title={`You’re a member of ${name}`}
        >{`Your role is ${MEMBER_ROLE_NAMES[role]}: you can ${MEMBER_ROLE_WORDS[role]}.`}</Banner>
        <div className="flex flex-wrap gap-2">
          <Button busy={change.isPending || change.isSuccess} onClick={() => change.mutate(account)}>
            Switch to {name}
          </Button>
          <ButtonLink href="/accounts" variant="secondary">
            See your accounts
          </ButtonLink>
        </div>
      </>
    );
  }
  return <Invited token={token} signedInAs={signedInAs} join={join} />;
}

type InvitedProps = { token: string; signedInAs: string; join: ReturnType<typeof useJoinAccount> };

function Invited({ token, signedInAs, join }: InvitedProps) {
  const { data: invitation, error, refetch } = useInvitation(token);
  if (error instanceof RequestError && error.status < 500)
    return (
      <Banner tone="bad" title="You can’t join" className="w-full">
        {messageOf(error, '')}
      </Banner>
    );
  if (error) return <LoadError what="the invitation" onRetry={() => void refetch()} />;
  if (!invitation) return <Skeleton className="h-24 w-full" />;
  const { name, role } = invitation;
  return (
    <>
      <p className="text-base wrap-anywhere">
        <bdi className="font-medium">{name}</bdi> invites you as {MEMBER_ROLE_NAMES[role]}: you can{' '}
        {MEMBER_ROLE_WORDS[role]}.
      </p>
      <p className="wrap-anywhere text-ink-soft">
        You’re signed in as <bdi className="font-medium">{signedInAs}</bdi>. Your own account stays as it is,
        and you can leave at any time.
      </p>
      {join.isError && (
        <Banner tone="bad" title="You haven’t joined" className="w-full">
          {messageOf(join.error, 'Please try again.')}
        </Banner>
      )}
      <Button busy={join.isPending} onClick={() => join.mutate(token)}>
        Join
      </Button>
    </>
  );
}
