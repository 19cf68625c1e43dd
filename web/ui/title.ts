import { useEffect } from 'react';
import { MARKETPLACE_NAME } from './format/settings.ts';

/** Sets the document's title. `exact` leaves out the product's name, as for 'Page Not Found'. [OP-005] */
export function useTitle(title: string, { exact = false } = {}): void {
  useEffect(() => {
    document.title = exact ? title : `${title} · ${MARKETPLACE_NAME}`;
  }, [title, exact]);
}
