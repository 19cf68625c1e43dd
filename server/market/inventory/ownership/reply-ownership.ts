import type { Verification } from '#domain/inventory/contract.ts';
import { ownershipState, PROOF_GRACE_MS, type ProofWay } from '#domain/inventory/ownership.ts';
import type { Proof } from './proofs.ts';
import type { OwnershipRow } from './store-ownership.ts';

/** For the publisher only, because it contains the values of the proofs. */
export function verificationReply(
  { verifiedAt, check, claim }: OwnershipRow,
  proofs: readonly Proof[],
): Verification {
  const failingSince = check?.failingSince ?? null;
  const isVerified = verifiedAt !== null;
  const lostAt = isVerified && failingSince ? new Date(failingSince.getTime() + PROOF_GRACE_MS) : null;
  const problems: Record<ProofWay, string | null> = {
    'embed-code': check?.embedCodeProblem ?? null,
    'ads.txt': check?.adsTxtProblem ?? null,
    'meta-tag': check?.metaTagProblem ?? null,
    dns: check?.dnsProblem ?? null,
  };
  const isChecked = (check?.checkedAt ?? null) !== null;
  return {
    state: ownershipState({
      isVerified,
      isFailing: failingSince !== null,
      claim: claim === null ? null : claim.refusedAt === null ? 'open' : 'refused',
    }),
    verifiedAt: verifiedAt?.toISOString() ?? null,
    checkedAt: check?.checkedAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    lostAt: lostAt?.toISOString() ?? null,
    reason: claim?.reason ?? null,
    proofs: proofs.map((proof) => ({
      ...proof,
      found: isChecked && problems[proof.way] === null,
      problem: problems[proof.way],
    })),
  };
}
