import { Button } from './button.tsx';
import { UpdatedError } from './late-code.ts';

/** Replaces the whole page after a rendering error, and after an upgrade that a reload does not reach. [ERR-01] */
export function ErrorFallback({ error }: { error: unknown }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-canvas p-6">
      <div className="slot-frame grid w-full max-w-xl justify-items-start gap-4 p-8">
        <h1 className="text-xl font-semibold">
          {error instanceof UpdatedError
            ? error.message
            : 'Something went wrong. Please refresh the page to try again.'}
        </h1>
        <Button onClick={() => window.location.reload()}>Refresh Page</Button>
        <details className="w-full text-sm text-ink-soft">
          <summary className="rounded-tight">Error details</summary>
          <pre className="mt-3 max-h-64 overflow-auto rounded-control bg-sunken p-3 font-mono text-xs whitespace-pre-wrap">
            {error instanceof Error ? (error.stack ?? error.message) : String(error)}
          </pre>
        </details>
      </div>
    </main>
  );
}
