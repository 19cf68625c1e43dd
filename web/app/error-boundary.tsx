import { Component, type ReactNode } from 'react';
import { ErrorFallback } from '#web/ui/error-fallback.tsx';

type State = { failed: false } | { failed: true; error: unknown };

/** React has error boundaries as classes only. React itself logs what was caught. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: true, error };
  }

  override render(): ReactNode {
    return this.state.failed ? <ErrorFallback error={this.state.error} /> : this.props.children;
  }
}
