import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { isEmailAvailable } from '../sign-in-api.ts';

/** [VAL-15] */
const DEBOUNCE_MS = 800;

export type Availability =
  | { state: 'idle' }
  | { state: 'checking' }
  | { state: 'available' }
  | { state: 'taken' }
  | { state: 'error'; message: string };

/** Asks the server whether the address is available after the user has stopped typing a valid one. [VAL-15] */
export function useEmailAvailability(value: string): Availability {
  const debounced = useDebounced(value);
  const { data, error, isFetching } = useQuery({
    queryKey: ['email-availability', debounced],
    queryFn: async () => {
      const { email } = await import('../schemas.ts');
      return email.safeParse(debounced).success ? await isEmailAvailable(debounced) : null;
    },
    enabled: debounced.includes('@'),
    // Another user may have taken the address since it was last checked.
    staleTime: 0,
  });

  if (value !== debounced) return { state: 'idle' };
  if (isFetching) return { state: 'checking' };
  if (error) return { state: 'error', message: error.message };
  if (data === undefined || data === null) return { state: 'idle' };
  return { state: data ? 'available' : 'taken' };
}

function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    if (value === debounced) return undefined;
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value, debounced]);
  return debounced;
}
