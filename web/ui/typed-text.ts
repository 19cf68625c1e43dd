import { createContext, useContext, useEffect } from 'react';

/** Set by a dialog, so that a form in it can say that it shows text which the user typed before it was opened. */
export const NoteTypedText = createContext<() => void>(() => {});

/** Tells the dialog around a form that the form shows a restored draft. */
export function useRestoredText(isRestored: boolean): void {
  const note = useContext(NoteTypedText);
  useEffect(() => {
    if (isRestored) note();
  }, [isRestored, note]);
}
