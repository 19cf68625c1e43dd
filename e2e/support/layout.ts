import type { BrowserContext, Page } from 'playwright-core';

/** Changes the size of the window, unless it is so already, and waits until the page has its new layout. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  const now = page.viewportSize();
  if (now?.width === size.width && now.height === size.height) return;
  await page.setViewportSize(size);
  await nextFrames(page);
}

async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((next) => requestAnimationFrame(next));
  });
}

/** The elements that make the page scroll sideways. The list is empty when it does not. */
export async function sideways(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const wide = [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > width + 0.5)
      .slice(0, 3)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`);
    return [`${document.documentElement.scrollWidth} px in a window of ${width}: ${wide.join(' | ')}`];
  });
}

/**
 * Text that a user cannot read: it is cut off by an element that neither scrolls nor shows an ellipsis, begins left of
 * the page, to where it does not scroll, or overlaps other text.
 */
export async function lostText(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
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
  });
}

/** Sets the text spacing of WCAG 1.4.12, which users may choose. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } ' +
        'p { margin-block-end: 2em !important }',
    );
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  await nextFrames(page);
}

export async function unspaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
  });
}

/** Makes each page that is opened from now on record its animations and transitions, for `movements`. */
export async function recordLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    const note = ({ target }: Event) => {
      if (!(target instanceof Element)) return;
      for (const animation of target.getAnimations({ subtree: true })) {
        const ms = Number(animation.effect?.getComputedTiming().activeDuration ?? 0);
        const name = 'animationName' in animation ? String(animation.animationName) : 'a transition';
        if (ms > 1) moved.push(`${name} for ${ms} ms: ${target.tagName.toLowerCase()}.${target.className}`);
      }
    };
    addEventListener('animationstart', note, true);
    addEventListener('transitionrun', note, true);
  });
}

/** The animations and transitions of more than 1 ms on this page since it was opened. */
export async function movements(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...new Set((window as unknown as { moved: string[] }).moved)].slice(0, 5),
  );
}
