/** A browser that translates pages, and what its readers would see of React's texts. */
import type { Page } from 'playwright-core';

/**
 * Makes the browser translate each document that the page opens from now on, as Chrome does: a script in a world of its own,
 * whose methods no script of the page can replace, puts `<font>` elements in the place of texts, also of those that come
 * later. The words stay the same, so that tests still find them. Neighboring texts become one, because a translator
 * translates sentences.
 */
export async function translatePages(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(${translate.toString()})()`,
    worldName: 'translator',
  });
}

/** Runs in the page. */
function translate(): void {
  const isText = (node: Node | null): node is Text => node?.nodeType === Node.TEXT_NODE;
  const replace = (first: Text) => {
    const parent = first.parentElement;
    if (!parent || parent.closest('script, style, noscript, textarea, title, font, [translate=no]')) return;
    if (isText(first.previousSibling)) return replace(first.previousSibling);
    const texts = [first];
    for (let next = first.nextSibling; isText(next); next = next.nextSibling) texts.push(next);
    const translation = texts.map(({ data }) => data).join('');
    if (translation.trim() === '') return;
    const font = document.createElement('font');
    font.append(document.createElement('font'));
    font.firstElementChild!.textContent = translation;
    parent.insertBefore(font, first);
    for (const text of texts) parent.removeChild(text);
  };
  const replaceIn = (node: Node) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let next: Node | null = node; next; next = walker.nextNode()) if (isText(next)) texts.push(next);
    for (const text of texts) if (text.isConnected) replace(text);
  };
  addEventListener('load', () => {
    replaceIn(document.body);
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of [target, ...addedNodes]) replaceIn(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  });
}

type Fiber = {
  tag: number;
  child: Fiber | null;
  sibling: Fiber | null;
  memoizedProps: unknown;
  stateNode: Element & { containerInfo: Element };
};

/**
 * Returns the elements whose text is not the one that React has rendered, such as a figure of before that a translator left
 * in the page. Reads React's own tree, because no other place knows the text of all components.
 */
export async function staleTexts(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const [TEXT, ELEMENT, PORTAL] = [6, 5, 4];
    const stale: string[] = [];
    /** The elements into which React renders parts that belong to other places, such as toasts. */
    const hosts: Element[] = [];
    const childrenOf = (fiber: Fiber) => {
      const children: Fiber[] = [];
      for (let child = fiber.child; child; child = child.sibling) children.push(child);
      return children;
    };
    const textOf = (fiber: Fiber): string => {
      if (fiber.tag === TEXT) return String(fiber.memoizedProps);
      const before = stale.length;
      const below = childrenOf(fiber).map(textOf).join('');
      if (fiber.tag === PORTAL) {
        hosts.push(fiber.stateNode.containerInfo);
        return '';
      }
      if (fiber.tag !== ELEMENT) return below;
      const { children } = fiber.memoizedProps as { children?: unknown };
      const { stateNode } = fiber;
      const isPlain = typeof children === 'string' || typeof children === 'number';
      const isForeign = 'dangerouslySetInnerHTML' in (fiber.memoizedProps as object);
      const shown = stateNode.textContent;
      if (isForeign || stateNode.matches('textarea')) return shown;
      if (hosts.some((host) => stateNode.contains(host))) return shown;
      const text = fiber.child === null && isPlain ? String(children) : below;
      if (text !== shown && stale.length === before) stale.push(`‘${shown}’ instead of ‘${text}’`);
      return text;
    };
    const root = document.querySelector('#root');
    const key = Object.keys(root ?? {}).find((name) => name.startsWith('__reactContainer$'));
    if (!root || !key) return ['React has not rendered the page'];
    const container = (root as unknown as Record<string, { stateNode: { current: Fiber } }>)[key];
    textOf(container!.stateNode.current);
    return stale;
  });
}

/** Returns the number of translated texts. */
export async function translations(page: Page): Promise<number> {
  return await page.locator('font > font').count();
}
