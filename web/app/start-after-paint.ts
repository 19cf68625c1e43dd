/**
 * Requests the scripts of a page after its first contentful paint, and runs the first one. A page in a background tab is
 * not painted, and a browser may hide the time of the paint, so the scripts also start one second after everything else
 * has loaded. The build writes the source of this function into documents (scripts/pages.mjs), so it can't use anything
 * from outside.
 */
export function startAfterPaint(files: readonly string[]): void {
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const file of files) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = file;
      document.head.append(link);
    }
    // Use a script element, because build tools replace a dynamic import with a helper that no document has.
    const entry = document.createElement('script');
    entry.type = 'module';
    entry.src = String(files[0]);
    document.head.append(entry);
  };
  window.addEventListener('load', () => setTimeout(start, 1000));
  new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) start();
  }).observe({ type: 'paint', buffered: true });
}
