/**
 * Darkens the page behind a dialog; the style sheet keeps the page from scrolling while one is there. Not Radix's
 * own overlay, whose scroll lock writes a style element: the content security policy refuses those.
 */
export function Overlay() {
  return <div data-overlay="" className="fixed inset-0 z-50 animate-fade bg-overlay" />;
}
