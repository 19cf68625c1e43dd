import { useEffect, useState, type ComponentType } from 'react';
import { lateError, UpdatedError } from './late-code.ts';
import { LoadError } from './load-error.tsx';
import { Skeleton } from './skeleton.tsx';

/**
 * A component whose code is loaded when it is first shown, so that pages don't wait for code that few users need.
 * `what` names it in the error message. `className` sizes the skeleton that is shown meanwhile. Call this once per
 * module, not while rendering.
 */
export function onDemand<Props extends object>(
  what: string,
  className: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function OnDemand(props: Props) {
    const [Part, setPart] = useState(() => known);
    const [failure, setFailure] = useState<unknown>();
    useEffect(() => {
      if (Part || failure) return;
      void (async () => {
        try {
          known = await load();
          setPart(() => known);
        } catch (error) {
          setFailure(await lateError(error));
        }
      })();
    }, [Part, failure]);
    if (Part) return <Part {...props} />;
    if (failure instanceof UpdatedError) throw failure;
    if (failure) return <LoadError what={what} onRetry={() => setFailure(undefined)} />;
    return <Skeleton className={className} />;
  };
}
