/** Tells of the newest position of an element, whenever it crosses what `options` say. */
export function observe(
  element: Element,
  then: (entry: IntersectionObserverEntry) => void,
  options: IntersectionObserverInit,
): void {
  new IntersectionObserver((entries) => then(entries.pop()!), options).observe(element);
}
