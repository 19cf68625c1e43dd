import type { ReactNode } from 'react';
import { BadgeCheck } from 'lucide-react';
import type { Verification } from '#domain/inventory/contract.ts';
import type { ProofWay } from '#domain/inventory/ownership.ts';
import { Banner } from '#web/ui/banner.tsx';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { formatDate, formatDateTime } from '#web/ui/format/format.ts';

type Proof = Verification['proofs'][number];

/** The simplest way first. */
const ORDER: readonly ProofWay[] = ['embed-code', 'meta-tag', 'ads.txt', 'dns'];
const LABELS: Record<ProofWay, string> = {
  'embed-code': 'Embed code',
  'meta-tag': 'Meta tag',
  'ads.txt': 'ads.txt',
  dns: 'DNS record',
};

/** Shows the result of the last check of a website, and each way to prove that it is the publisher's. */
export function OwnershipProofs({ verification }: { verification: Verification }) {
  const { proofs } = verification;
  return (
    <div className="grid gap-5">
      <State verification={verification} />
      {ORDER.flatMap((way) => proofs.filter((proof) => proof.way === way)).map((proof) => (
        <Way key={proof.way} proof={proof} />
      ))}
    </div>
  );
}

function State({ verification }: { verification: Verification }) {
  const { tone, title, text } = stateText(verification);
  const { checkedAt } = verification;
  return (
    <Banner tone={tone} title={title}>
      <p>{text}</p>
      {checkedAt && <p className="mt-1 text-ink-soft">Last check: {formatDateTime(checkedAt)}</p>}
    </Banner>
  );
}

function stateText({ state, checkedAt, failingSince, lostAt, reason }: Verification): {
  tone: 'good' | 'warn' | 'info';
  title: string;
  text: string;
} {
  switch (state) {
    case 'verified':
      return {
        tone: 'good',
        title: 'Verified',
        text: 'We found your proof. Leave it in place, because we look for it every day.',
      };
    case 'failing':
      return {
        tone: 'warn',
        title: `No proof found since ${formatDateTime(failingSince)}`,
        text: `If we find none by ${formatDate(lostAt)}, advertisers see ‘Unverified’ and your earnings are on hold. Put one of the proofs back, then choose Verify now.`,
      };
    case 'disputed':
      return {
        tone: 'warn',
        title: 'Another account holds this website',
        text: 'We found your proof, but another account has verified the same website before. The operator decides which account owns it, and we e-mail you the decision.',
      };
    case 'refused':
      return {
        tone: 'warn',
        title: 'The operator decided for another account',
        text: `You can answer the decision once, under Settings › Privacy. Reason: ${reason ?? ''}`,
      };
    case 'unverified':
      if (checkedAt === null) {
        return {
          tone: 'info',
          title: 'Not checked yet',
          text: 'Add one of the proofs to your website, then choose Verify now.',
        };
      }
      return {
        tone: 'warn',
        title: failingSince ? `No proof found since ${formatDateTime(failingSince)}` : 'No proof found',
        text: 'Each way below shows what’s missing. Add one of the proofs, then choose Verify now.',
      };
  }
}

function Way({ proof }: { proof: Proof }) {
  const label = LABELS[proof.way];
  return (
    <section aria-label={label} className="grid gap-2.5 border-t border-line pt-4 text-sm text-ink-soft">
      <h3 className="font-medium text-ink">{label}</h3>
      <p>{adviceOn(proof)}</p>
      {proof.way === 'dns' && (
        <CodeBlock code={proof.place} label="Name of the record" copyLabel="Copy the record’s name" />
      )}
      {proof.way !== 'embed-code' && (
        <CodeBlock code={proof.value} label={label} copyLabel={`Copy ${label}`} />
      )}
      {proof.found && (
        <p className="flex items-center gap-1.5 text-good">
          <BadgeCheck aria-hidden="true" className="size-4 shrink-0" />
          Found at the last check.
        </p>
      )}
      {proof.problem && <p className="wrap-anywhere text-warn">{proof.problem}</p>}
    </section>
  );
}

function adviceOn({ way, place }: Proof): ReactNode {
  const where = (
    <code translate="no" className="font-mono text-xs break-all text-ink">
      {place}
    </code>
  );
  switch (way) {
    case 'embed-code':
      return (
        <>
          Paste the embed code of an ad zone into your home page, {where}. If it’s there already, there is
          nothing else to do: we look for it when the ad zone requests its first ad.
        </>
      );
    case 'meta-tag':
      return <>Put this tag into the head of your home page, {where}.</>;
    case 'ads.txt':
      return (
        <>
          Add this line to {where} and keep the lines that are already there. If the file doesn’t exist yet,
          create it with just this line. It also tells advertisers that you may sell ad space here.
        </>
      );
    case 'dns':
      return (
        <>
          Add a TXT record with this name and this value. A new record can take a few hours to become visible.
          We keep checking for a week.
        </>
      );
  }
}
