import { createContext, useContext } from 'react';
import type { ConsoleSession } from '#domain/operator/console/session-contract.ts';

export const Operator = createContext<ConsoleSession | null>(null);

/** The operator who uses the console. */
export function useOperator(): ConsoleSession {
  const operator = useContext(Operator);
  if (!operator) throw new Error('This part is shown in the console only');
  return operator;
}
