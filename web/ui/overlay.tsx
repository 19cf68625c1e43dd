/**
 * Darkens the page behind a dialog. While an overlay exists, main.css keeps the page from scrolling. We don't use
 * Radix's overlay, because its scroll lock adds a style element, which our content security policy forbids.
 */
export function Overlay() {
  return <div data-overlay="" className="fixed inset-0 z-50 animate-fade bg-overlay" />;
}
