import type { Context } from '#server/platform/context.ts';

/** The version of the terms that the user accepted at the sign-up; null if there were none. [OWNS-130] */
export async function acceptedTermsOf(
  ctx: Context,
  userId: number,
): Promise<{ version: number; acceptedAt: Date } | null> {
  const row = await ctx.db
    .selectFrom('users')
    .select(['acceptedTerms', 'acceptedTermsAt'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!row || row.acceptedTerms === null || row.acceptedTermsAt === null) return null;
  return { version: row.acceptedTerms, acceptedAt: row.acceptedTermsAt };
}
