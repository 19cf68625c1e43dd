import { useEffect, useState, type ComponentType } from 'react';
import { lateError } from '#web/ui/late-code.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';

export type LatePage<Props> = ComponentType<Props> & {
  /** Loads the code, so that the page shows at once when it is rendered later. Rejects if the network is down. */
  load: () => Promise<void>;
};

/**
 * A page, or the frame around pages, whose code is loaded when it is first shown. React's own lazy() is not used: after
 * a Suspense fallback, React holds the content back for up to 300 ms, and the page's calls with it. Throws to the error
 * boundary if the code does not arrive.
 */
export function latePage<Props extends object>(
  importPage: () => Promise<{ default: ComponentType<Props> }>,
): LatePage<Props> {
  let known: ComponentType<Props> | undefined;
  const load = async () => {
    known ??= (await importPage()).default;
  };
  const Late = (props: Props) => {
    const [Page, setPage] = useState(() => known);
    const [failure, setFailure] = useState<{ error: unknown }>();
    useEffect(() => {
      if (Page) return;
      load().then(
        () => setPage(() => known),
        async (error: unknown) => setFailure({ error: await lateError(error) }),
      );
    }, [Page]);
    if (failure) throw failure.error;
    return Page ? <Page {...props} /> : <PageSpinner />;
  };
  return Object.assign(Late, { load });
}
