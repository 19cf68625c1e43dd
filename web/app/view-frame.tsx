import type { ReactNode } from 'react';
import { Eye } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import { useEndOfView, useEndView } from '#web/accounts/view-api.ts';
import { fullName } from '#web/accounts/names.ts';
import { Button } from '#web/ui/button.tsx';
import { formatClock } from '#web/ui/format/format.ts';
import { SkipLink } from '#web/ui/main-area.tsx';
import { LookOnly, WhyNot } from '#web/ui/why-not.ts';

const WHY_NOT = 'You look at this account as its operator and can’t change anything.';

export type ViewFrameProps = { user: User; view: NonNullable<User['view']>; children: ReactNode };

/** The bar above every page while an operator looks at the account. It says why nothing can be changed. [OPER-200] */
export default function ViewFrame({ user, view: { until }, children }: ViewFrameProps) {
  const end = useEndView(user.id);
  useEndOfView(user.id, until);
  return (
    <>
      <SkipLink />
      <section
        aria-label="Whose account you look at"
        className="sticky top-0 z-40 border-b border-line bg-warn-soft text-ink"
      >
        <div className="mx-auto flex max-w-6xl items-center gap-x-4 px-4 py-2 text-sm sm:px-6">
          <Eye aria-hidden="true" className="size-4 shrink-0 max-sm:hidden" />
          <p className="min-w-0 flex-1 wrap-anywhere">
            <span>
              You look at the account of <bdi className="font-semibold">{fullName(user)}</bdi>.
            </span>{' '}
            <span>You can’t change anything.</span> <span>Ends at {formatClock(until)}.</span>
          </p>
          <Button
            variant="secondary"
            size="sm"
            busy={end.isPending || end.isSuccess}
            onClick={() => end.mutate()}
          >
            Stop
          </Button>
        </div>
      </section>
      <WhyNot value={WHY_NOT}>
        <LookOnly value={WHY_NOT}>{children}</LookOnly>
      </WhyNot>
    </>
  );
}
