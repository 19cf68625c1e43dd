import { useEffect, useState, type ComponentType } from 'react';
import { LoadError } from './load-error.tsx';
import { Skeleton } from './skeleton.tsx';

/**
 * A part whose code is fetched when it is first shown, so that nobody waits for what few open. `what` names it where
 * the fetch fails; it holds the place of `className` meanwhile. Make it once, beside the component that shows it.
 */
export function onDemand<Props extends object>(
  what: string,
  className: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function OnDemand(props: Props) {
    const [Part, setPart] = useState(() => known);
    const [hasFailed, setHasFailed] = useState(false);
    useEffect(() => {
      if (Part || hasFailed) return;
      void (async () => {
        try {
          known = await load();
          setPart(() => known);
        } catch {
          setHasFailed(true);
        }
      })();
    }, [Part, hasFailed]);
    if (Part) return <Part {...props} />;
    if (hasFailed) return <LoadError what={what} onRetry={() => setHasFailed(false)} />;
    return <Skeleton className={className} />;
  };
}
