/** A setting that the server writes into the document as an attribute; undefined where the build renders a page. */
export function setting(name: string): string | undefined {
  return globalThis.document?.documentElement.dataset[name];
}
