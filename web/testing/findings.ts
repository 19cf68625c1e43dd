/**
 * Findings of the page that is shown, one line each. Browser tests and the gallery share them. Playwright sends these functions
 * to its page as text, so they use nothing from outside of themselves.
 */

/** The elements that make the page scroll sideways. The list is empty when it does not. */
export function findSideways(): string[] {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const wide = [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > width + 0.5)
    .slice(0, 3)
    .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
  return [`${document.documentElement.scrollWidth} px in a window of ${width}: ${wide.join(' | ')}`];
}

/** The faults in the outline of the page: its landmarks, headings, tab order and skip link. */
export function findOutlineFaults(): string[] {
  const found: string[] = [];
  const all = (selector: string) =>
    [...document.querySelectorAll(selector)].filter((element) => element.getClientRects().length > 0);
  const count = (selector: string) => all(selector).length;
  // A header or footer inside one of these elements is not a landmark of the page.
  const countOfPage = (selector: string) =>
    all(selector).filter((element) => !element.closest('main, article, section, aside, nav')).length;
  if (count('h1') !== 1) found.push(`${count('h1')} h1`);
  if (count('main') !== 1) found.push(`${count('main')} main`);
  if (!document.querySelector('main h1')) found.push('the h1 is not in main');
  // The sign-in page has neither header nor footer.
  if (location.pathname !== '/auth') {
    if (countOfPage('header') !== 1) found.push('no header');
    if (countOfPage('footer') !== 1) found.push('no footer');
  }
  const first = document.querySelector('a[href], button, input, select, textarea, [tabindex="0"]');
  const target = first?.getAttribute('href') ?? '';
  if (!target.startsWith('#') || document.querySelector(target)?.tagName !== 'MAIN')
    found.push(`the first tab stop is not the skip link, but ${first?.outerHTML.slice(0, 80)}`);
  // The tab order must be the order of the document.
  if (document.querySelector('[tabindex]:not([tabindex="0"], [tabindex="-1"])'))
    found.push('a tabindex above 0');
  const levels = [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => Number(tagName[1]));
  const jump = levels.findIndex((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1);
  if (jump > 0) found.push(`an h${levels[jump]} follows an h${levels[jump - 1]}`);
  return found;
}

/**
 * Text that a user cannot read: it is cut off by an element that neither scrolls nor shows an ellipsis, begins left of
 * the page, to where it does not scroll, or overlaps other text.
 */
export function findLostText(): string[] {
  type Box = { left: number; right: number; top: number; bottom: number };
  type Line = { node: Text; layer: Element | null; box: Box };
  const found: string[] = [];
  const lines: Line[] = [];
  const quote = (node: Text) => `'${node.data.trim().slice(0, 40)}'`;

  /** Whether the element is only for screen readers. Such an element is clipped to nothing on purpose. */
  const isSpokenOnly = (element: Element, { clipPath }: CSSStyleDeclaration) => {
    const { width, height } = element.getBoundingClientRect();
    return clipPath === 'inset(50%)' || (width <= 1.5 && height <= 1.5);
  };
  const hasEllipsis = (style: CSSStyleDeclaration) =>
    style.textOverflow === 'ellipsis' || !['none', ''].includes(style.webkitLineClamp);

  function visit(node: Text): void {
    // A closed <details> lays its text out without showing it.
    if (node.parentElement?.checkVisibility() === false) return;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (boxes.length === 0) return;
    let layer: Element | null = null;
    const clips: { box: Box; scrolls: boolean; hasEllipsis: boolean }[] = [];
    for (let at = node.parentElement; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.visibility === 'hidden' || Number(style.opacity) === 0 || isSpokenOnly(at, style)) return;
      if (style.position === 'fixed' || style.position === 'sticky') layer ??= at;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
        const scrolls = [style.overflowX, style.overflowY].some((way) => /auto|scroll/.test(way));
        clips.push({ box: at.getBoundingClientRect(), scrolls, hasEllipsis: hasEllipsis(style) });
      }
      if (style.position === 'fixed') break;
    }
    for (const box of boxes) {
      let seen: Box | null = box;
      for (const clip of clips) {
        const next: Box = {
          left: Math.max(seen.left, clip.box.left),
          right: Math.min(seen.right, clip.box.right),
          top: Math.max(seen.top, clip.box.top),
          bottom: Math.min(seen.bottom, clip.box.bottom),
        };
        const cut =
          seen.right - next.right > 1.5 || next.left - seen.left > 1.5 || seen.bottom - next.bottom > 4;
        if (cut && !clip.scrolls && !clip.hasEllipsis) {
          found.push(`${quote(node)} is cut off`);
          return;
        }
        seen = next.right - next.left > 1 && next.bottom - next.top > 1 ? next : null;
        if (!seen || clip.scrolls) break;
      }
      if (seen && seen.left + scrollX < -1.5) {
        found.push(`${quote(node)} begins left of the page`);
        return;
      }
      if (seen) lines.push({ node, layer, box: seen });
    }
  }

  // An open dialog may cover the page behind it.
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=menu]')];
  for (const root of dialogs.length > 0 ? dialogs.slice(-1) : [document.body]) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode as Text;
      // Parts of a chart may overlap. The name of the image describes it.
      const isText =
        node.data.trim() && !node.parentElement?.closest('option, script, style, noscript, [role=img]');
      if (isText) visit(node);
    }
  }
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (one.node === other.node || one.layer !== other.layer) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      // The boxes of neighboring lines may overlap slightly.
      if (across > 3 && down > 7) found.push(`${quote(one.node)} and ${quote(other.node)} overlap`);
    }
  }
  return [...new Set(found)].slice(0, 8);
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
export function findStaleTexts(): string[] {
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
}

/** Markup of a text that became a part of the page, and right-to-left texts that reverse their neighbors. */
export function findHarm(): string[] {
  const harmed: string[] = 'harmed' in window ? ['markup was run'] : [];
  // The content security policy would block the handler, but the element must not exist in the first place.
  if (document.querySelector('[onerror]')) harmed.push('markup became a part of the page');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode as Text;
    // A right-to-left text reverses its neighbors unless an element isolates it. Plain text, such as mail, uses
    // the isolate marks of Unicode instead.
    const open = data.replaceAll(/\u2068[^\u2069]*\u2069/g, '');
    if (!/[\u0590-\u06ff\u202e]/.test(open) || parentElement?.closest('bdi, body [dir], option, textarea'))
      continue;
    harmed.push(`not kept apart: ${parentElement?.outerHTML.slice(0, 120)}`);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea'))
    if (/[\u0590-\u06ff\u202e]/.test(field.value) && field.dir !== 'auto')
      harmed.push(`a field without dir: ${field.name}`);
  return [...new Set(harmed)];
}

/**
 * Puts `<font>` elements in the place of texts, also of those that come later, as the translator of Chrome does. The words stay
 * the same, so that tests still find them. Neighboring texts become one, because a translator translates sentences. Returns a
 * function that ends it.
 */
export function translate(): () => void {
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
    // Methods that the application has not replaced (web/app/translated-texts.ts), as if they were of another world.
    first.before(font);
    for (const text of texts) text.remove();
  };
  const replaceIn = (node: Node) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    for (let next: Node | null = node; next; next = walker.nextNode()) if (isText(next)) texts.push(next);
    for (const text of texts) if (text.isConnected) replace(text);
  };
  const observer = new MutationObserver((records) => {
    for (const { target, addedNodes } of records) for (const node of [target, ...addedNodes]) replaceIn(node);
  });
  const begin = () => {
    replaceIn(document.body);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  };
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin);
  return () => observer.disconnect();
}
