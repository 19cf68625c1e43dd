import { Component, type ReactNode } from 'react';
import { ErrorFallback } from '#web/ui/error-fallback.tsx';

type State = { failed: false } | { failed: true; error: unknown };

/** A class, because React offers error boundaries only as classes. React logs the caught error itself. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, error };
  }

  override render(): ReactNode {
    return this.state.failed ? <ErrorFallback error={this.state.error} /> : this.props.children;
  }
}
