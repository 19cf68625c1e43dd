import { createContext, useContext } from 'react';

/** Why the person can't change anything here, for the property `why` of buttons. Undefined if they can. */
export const WhyNot = createContext<string | undefined>(undefined);

export function useWhyNot(): string | undefined {
  return useContext(WhyNot);
}

/** The same for an operator who looks at an account. Every button that sends a form or deletes something says it. */
export const LookOnly = createContext<string | undefined>(undefined);
