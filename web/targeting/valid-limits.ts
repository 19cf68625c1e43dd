import { useQuery } from '@tanstack/react-query';
import type { Targeting } from '#domain/targeting/limits.ts';

type Checked = { limits: Targeting | null | undefined; problem: string | undefined };

const EVERYBODY: Checked = { limits: null, problem: undefined };
const UNCHECKED: Checked = { limits: undefined, problem: undefined };

/**
 * Checks limits while they are typed, by the schema of the API, which is loaded for that. `limits` is undefined until they are
 * valid, so that no call sends others.
 */
export function useValidLimits(typed: Targeting | null): Checked {
  const { data = UNCHECKED } = useQuery({
    queryKey: ['valid limits', typed],
    queryFn: async () => await check(typed),
    enabled: typed !== null,
    staleTime: Infinity,
  });
  return typed === null ? EVERYBODY : data;
}

async function check(typed: Targeting | null): Promise<Checked> {
  const { targeting } = await import('#domain/targeting/fields.ts');
  const { success, data, error } = targeting.safeParse(typed);
  return success
    ? { limits: data ?? null, problem: undefined }
    : { limits: undefined, problem: error.issues[0]?.message };
}
