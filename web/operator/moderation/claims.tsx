import { Link } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { calls } from '#domain/operator/console/calls.ts';
import type { listOwnershipClaims } from '#domain/operator/console/queues-contract.ts';
import { formatDateTime } from '#web/ui/format/format.ts';
import { ActButtons } from '../parts/act-button.tsx';
import { PagedPage } from '../parts/paged-page.tsx';

/** The sites that two accounts have proven. [OWN-05] */
export default function ClaimsPage() {
  return (
    <PagedPage
      title="Ownership claims"
      what="the claims"
      call={calls.listOwnershipClaims}
      input={{}}
      description="Two accounts have proven the same site. You decide for one of them: its website is verified, and the claims of all other accounts are refused. Both sides get the reason by e-mail."
      empty="No ownership claim is open"
      emptyNote="A claim opens when a second account proves a website that another account has verified."
      keyOf={({ id }) => id}
    >
      {({ url, openedAt, holder, claimant, acts }) => (
        <>
          <div className="grid gap-0.5">
            <p className="font-medium wrap-anywhere">
              <bdi>{url}</bdi>
            </p>
            <p className="text-sm text-ink-soft">Claimed since {formatDateTime(openedAt)}</p>
          </div>
          <dl className="grid gap-3 text-sm sm:grid-cols-2">
            <Side name="Verified account" side={holder} />
            <Side name="Other account" side={claimant} />
          </dl>
          <ActButtons acts={acts} about={url} />
        </>
      )}
    </PagedPage>
  );
}

type Claimed = Reply<typeof listOwnershipClaims>[number]['claimant'];

function Side({ name, side }: { name: string; side: Claimed | null }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd className="wrap-anywhere">
        {side ? (
          <>
            <Link
              href={`/operator/people/${side.owner.id}`}
              className="text-accent underline underline-offset-4"
            >
              <bdi>{side.owner.email}</bdi>
            </Link>
            <span>, website </span>
            <Link href={`/operator/websites/${side.id}`} className="text-accent underline underline-offset-4">
              <bdi>{side.name}</bdi>
            </Link>
            {side.verifiedAt !== null && <span>, verified since {formatDateTime(side.verifiedAt)}</span>}
          </>
        ) : (
          'None any more. The next check verifies the other account.'
        )}
      </dd>
    </div>
  );
}
