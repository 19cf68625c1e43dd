import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { lateError, UpdatedError } from './late-code.ts';
import { LoadError } from './load-error.tsx';
import { Skeleton } from './skeleton.tsx';
import { PageSpinner } from './spinner.tsx';

export type Late<Props> = ComponentType<Props> & {
  /** Loads the code, so that the component shows at once when it is rendered later. Rejects if the network is down. */
  load: () => Promise<void>;
};

/** A page, or the frame around pages. Throws to the error boundary if its code does not arrive. */
export function latePage<Props extends object>(
  importPage: () => Promise<{ default: ComponentType<Props> }>,
  waiting: ReactNode = <PageSpinner />,
): Late<Props> {
  return late(async () => (await importPage()).default, waiting);
}

/**
 * A part of a page whose code few users need. `what` names it in the error message, which offers to try again. `className`
 * sizes the skeleton that is shown meanwhile.
 */
export function onDemand<Props extends object>(
  what: string,
  className: string,
  importPart: () => Promise<ComponentType<Props>>,
): Late<Props> {
  return late(importPart, <Skeleton className={className} />, what);
}

/**
 * A component whose code is loaded when it is first shown. Call this once per module, not while rendering. React's own
 * lazy() is not used: after a Suspense fallback, React holds the content back for up to 300 ms, and its calls with it, and
 * a failed import is never tried again.
 */
function late<Props extends object>(
  importCode: () => Promise<ComponentType<Props>>,
  waiting: ReactNode,
  what?: string,
): Late<Props> {
  let known: ComponentType<Props> | undefined;
  const load = async () => {
    known ??= await importCode();
  };
  const Component = (props: Props) => {
    const [Code, setCode] = useState(() => known);
    const [failure, setFailure] = useState<{ error: unknown }>();
    useEffect(() => {
      if (Code || failure) return;
      load().then(
        () => setCode(() => known),
        async (error: unknown) => setFailure({ error: await lateError(error) }),
      );
    }, [Code, failure]);
    if (Code) return <Code {...props} />;
    if (!failure) return waiting;
    if (!what || failure.error instanceof UpdatedError) throw failure.error;
    return <LoadError what={what} onRetry={() => setFailure(undefined)} />;
  };
  return Object.assign(Component, { load });
}
