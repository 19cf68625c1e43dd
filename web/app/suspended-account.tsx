import { LogOut } from 'lucide-react';
import { useLocation } from 'wouter';
import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import { useLogout } from '#web/accounts/api.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useSwitchAccount } from '#web/accounts/members-api.ts';
import { mayDo } from '#web/accounts/membership.ts';
import { Papers } from '#web/payments/papers.tsx';
import { PayoutBalance } from '#web/payments/payouts.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Logo } from '#web/ui/brand/logo.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { SlimFooter } from './footer.tsx';
import { MainArea, SkipLink } from '#web/ui/main-area.tsx';
import { useTitle } from '#web/ui/title.ts';

const OTHER = {
  publisher: { href: '/billing', label: 'As an advertiser' },
  buyer: { href: '/earnings', label: 'As a publisher' },
};

/** All that a person sees whose account is suspended, at every path: the reason, and their documents and balance. */
export default function SuspendedAccount() {
  const user = useSignedInUser();
  const { role, suspendedReason, membership } = user;
  const [path] = useLocation();
  const logout = useLogout();
  const change = useSwitchAccount();
  const isPublisher = hasSellerAccess(role) && !(hasBuyerAccess(role) && path === '/billing');
  const side = isPublisher ? 'publisher' : 'buyer';
  useTitle('Account suspended');
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b border-line">
        <div className="mx-auto flex h-header max-w-6xl items-center justify-between px-4 sm:px-6">
          <Logo compact="phone" />
          <span className="flex items-center gap-2">
            {membership && (
              <Button
                variant="secondary"
                size="sm"
                busy={change.isPending || change.isSuccess}
                onClick={() => change.mutate(null)}
              >
                Back to yourself
              </Button>
            )}
            <Button variant="quiet" size="sm" busy={logout.isPending} onClick={() => logout.mutate()}>
              <LogOut aria-hidden="true" />
              Sign out
            </Button>
          </span>
        </div>
      </header>
      <MainArea>
        <Page narrow>
          <Banner
            tone="warn"
            title={
              membership ? `The account ${membership.account} is suspended` : 'Your account is suspended'
            }
          >
            Reason: <bdi>{suspendedReason}</bdi>
            <br />
            {membership
              ? 'Its documents and its balance can be read. We’ve e-mailed the account how to answer this decision.'
              : 'You can read your documents and your balance. We’ve e-mailed you how to answer this decision.'}
          </Banner>
          {mayDo(user, 'money') ? <Money side={side} /> : <PageHeader title="Account suspended" />}
        </Page>
      </MainArea>
      <SlimFooter />
    </div>
  );
}

function Money({ side }: { side: 'publisher' | 'buyer' }) {
  const { role } = useSignedInUser();
  return (
    <>
      <PageHeader
        title="Your money"
        description="Nothing is paid out while your account is suspended."
        actions={
          role === 'both' && (
            <ButtonLink href={OTHER[side].href} variant="secondary" size="sm">
              {OTHER[side].label}
            </ButtonLink>
          )
        }
      />
      {side === 'publisher' && <PayoutBalance />}
      <Papers key={side} side={side} />
    </>
  );
}
