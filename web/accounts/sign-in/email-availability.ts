import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { emailAddress } from '#domain/accounts/contract.ts';
import { isEmailAvailable } from '../api.ts';

/** Specification section 9. */
const DEBOUNCE_MS = 800;

export type Availability =
  | { state: 'idle' }
  | { state: 'checking' }
  | { state: 'available' }
  | { state: 'taken' }
  | { state: 'error'; message: string };

const address = emailAddress();

/** Asks whether the address is free, once the typing has stopped and there is an address to ask about. */
export function useEmailAvailability(value: string): Availability {
  const debounced = useDebounced(value);
  const { data, error, isFetching } = useQuery({
    queryKey: ['email-availability', debounced],
    queryFn: () => isEmailAvailable(debounced),
    enabled: debounced.includes('@') && address.safeParse(debounced).success,
    // Somebody may take it, so an address that comes back is asked about anew.
    staleTime: 0,
  });

  if (value !== debounced) return { state: 'idle' };
  if (isFetching) return { state: 'checking' };
  if (error) return { state: 'error', message: error.message };
  if (data === undefined) return { state: 'idle' };
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
