/** Calls `then` with the newest position of an element whenever it crosses a threshold of `options`. */
export function observe(
  element: Element,
  then: (entry: IntersectionObserverEntry) => void,
  options: IntersectionObserverInit,
): void {
  new IntersectionObserver((entries) => then(entries.pop()!), options).observe(element);
}
