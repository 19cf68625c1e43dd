import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

/** Replaces content that failed to load. */
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
      The server didn't answer as expected. Your data is safe. Try again in a moment.
    </EmptyState>
  );
}
