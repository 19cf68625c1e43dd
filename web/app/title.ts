import { useEffect } from 'react';

/** `exact` leaves the product's name out, as for 'Page Not Found' (OP-005). */
export function useTitle(title: string, { exact = false } = {}): void {
  useEffect(() => {
    document.title = exact ? title : `${title} · Openslot`;
  }, [title, exact]);
}
