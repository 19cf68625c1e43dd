import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** In place of content that could not be loaded. */
export function LoadError({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <EmptyState
      title={`Could not load ${what}`}
      action={
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      The server did not answer as expected. Your data is safe.
    </EmptyState>
  );
}
