import { PROOF_BOXES, PROOF_COLUMNS, PROOF_UNIT } from '#domain/delivery/wire.ts';
import { element } from './render.ts';

/**
 * Lays out hidden boxes whose sizes come from the end of `view`, and returns the left and top of each. The server compares
 * them with its own (domain/delivery/render-proof.ts), so that a script without a layout engine reports no view.
 */
export function prove(root: ShadowRoot, view: string): number[][] {
  const boxes = Array.from(view.slice(-PROOF_BOXES), (character) => {
    const code = character.charCodeAt(0);
    // The padding of an empty box is its size.
    return element('i', {
      style: `float:${code & 32 ? 'right' : 'left'};padding:${PROOF_UNIT / 2}px ${((code & 7) + 1) * (PROOF_UNIT / 2)}px`,
    });
  });
  const area = element(
    'i',
    { style: `all:initial;position:absolute;width:${PROOF_COLUMNS * PROOF_UNIT}px` },
    ...boxes,
  );
  // The style of an ad names its last link, so the boxes come first.
  root.prepend(area);
  const positions = boxes.map((box) => [box.offsetLeft, box.offsetTop]);
  area.remove();
  return positions;
}
