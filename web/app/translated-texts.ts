/**
 * Lets React work on a page that the browser translates. A translator, such as that of Chrome, takes text nodes out of the
 * page and puts elements with the translation there. React still holds the nodes: it changes texts that nobody sees any
 * more, and throws when it removes one, or inserts something before it. This function remembers which element stands for
 * which texts. When React changes, moves or removes one of them, it first puts all texts of the same parent back, because
 * a translator may divide a sentence in another way. Then the translator translates what React has made.
 * (docs/decisions/039-interruptions.md)
 */
export function restoreTranslatedTexts(): void {
  /** The texts that each node of a translator stands for. */
  const texts = new WeakMap<Node, Node[]>();
  const standIns = new WeakMap<Node, Node>();
  const observer = new MutationObserver(note);

  /** React's own changes never get here, so what was added or removed is the work of a translator. */
  function note(records: MutationRecord[]): void {
    for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      for (const added of addedNodes) texts.set(added, texts.get(added) ?? []);
      for (const removed of removedNodes) {
        const standIn = [...addedNodes, previousSibling, nextSibling].find((node) => node && texts.has(node));
        if (standIn && removed.nodeType === Node.TEXT_NODE) {
          standIns.set(removed, standIn);
          texts.get(standIn)?.push(removed);
          observer.observe(removed, { characterData: true });
        }
      }
      // React has changed a text that is not on the page.
      if (!target.isConnected) restore(target);
    }
  }

  function restore(node: Node): void {
    for (const child of standIns.get(node)?.parentNode?.childNodes ?? []) {
      const originals = texts.get(child);
      if (originals?.length) child.replaceWith(...originals);
    }
    observer.takeRecords();
  }

  for (const name of ['appendChild', 'insertBefore', 'removeChild'] as const) {
    const change = Node.prototype[name] as (...nodes: (Node | null)[]) => Node;
    Node.prototype[name] = function changeTexts(this: Node, ...nodes: (Node | null)[]) {
      note(observer.takeRecords());
      for (const node of nodes) if (node) restore(node);
      const result = change.apply(this, nodes);
      observer.takeRecords();
      return result;
    } as never;
  }
  observer.observe(document, { childList: true, characterData: true, subtree: true });
}
